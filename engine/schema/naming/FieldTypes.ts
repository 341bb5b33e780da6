import type { VariableTypes } from '../../expression/index.ts'
import { expressionTypes, settingTypesOf, withSettings } from '../../expression/variables.ts'
import { lastByLookups } from '../memory/lastResults.ts'
import { oneOfEqual } from '../memory/sameObjects.ts'
import type { NamedEntity, Names } from '../named.ts'

type Known = Pick<Names, 'entities' | 'screens' | 'widgets' | 'kinds'>

/** The types of an entity's fields, cached while it and the entities of its rows stay the same. */
const typesOf = lastByLookups<NamedEntity | undefined, VariableTypes>()
/** Those of several entities may be equal, and are then the same object. */
const withAll = new WeakMap<NamedEntity, { own: VariableTypes; settings: VariableTypes; types: VariableTypes }>()

/** What expressions may read of the records of an entity, and of the settings. */
export class FieldTypes {
  private readonly names: Known

  constructor(names: Known) {
    this.names = names
  }

  private readonly types = new Map<string | undefined, VariableTypes>()
  ofEntity(name: string | undefined): VariableTypes {
    let types = this.types.get(name)
    if (!types) {
      const entity = name === undefined ? undefined : this.names.entities[name]
      this.types.set(name, (types = entity ? this.typesFor(entity) : this.allOf({})))
    }
    return types
  }

  private typesFor(entity: NamedEntity): VariableTypes {
    const { entities, widgets } = this.names
    // A file that could not be read may declare any field.
    const own = typesOf(
      entity,
      (name) => (entities[name]?.source.broken ? undefined : entities[name]),
      (lookUp) => expressionTypes(entity.fields, widgets, lookUp),
    )
    const settings = this.settings()
    const before = withAll.get(entity)
    if (before?.own === own && before.settings === settings) return before.types
    // An unknown field type is already reported where it is.
    const unknown = Object.keys(entity.fields).filter((field) => !Object.hasOwn(widgets, entity.fields[field].type))
    const types = this.allOf({ ...own, ...Object.fromEntries(unknown.map((field) => [field, 'any' as const])) })
    withAll.set(entity, { own, settings, types })
    return types
  }

  private allOf(own: VariableTypes): VariableTypes {
    const settings = this.settings()
    return oneOfEqual(settings, own, () => withSettings(own, settings))
  }

  private settingTypes: VariableTypes | undefined
  /** The types of settings: fields of single-record entities. */
  private settings(): VariableTypes {
    const { entities, widgets } = this.names
    const fieldsOf = ({ fields }: NamedEntity) => ({
      fields: Object.fromEntries(
        Object.values(fields).map((field) => [field.name, { ...field, sensitive: field.value.sensitive === true }]),
      ),
    })
    return (this.settingTypes ??= oneOfEqual(
      FieldTypes,
      settingTypesOf(
        Object.fromEntries(
          Object.values(entities)
            .filter(({ name, value }) => value.single === true || this.isShown(name))
            .map((entity) => [entity.name, fieldsOf(entity)]),
        ),
        widgets,
        (name) => entities[name],
      ),
      (types) => types,
    ))
  }

  private shown: Set<string> | undefined
  /** An entity that a screen shows as settings although it has many records is reported once, at that screen. */
  private isShown(entity: string): boolean {
    const { screens, kinds } = this.names
    this.shown ??= new Set(
      Object.values(screens).flatMap((screen) => (kinds[screen.kind].single && screen.entity) || []),
    )
    return this.shown.has(entity)
  }
}
