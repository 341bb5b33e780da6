import { asksForTime, checkExpression, type VariableTypes } from '../expression/index.ts'
import { fits } from './checking/fits.ts'
import { madeDictionaries } from './assembling/madeDictionaries.ts'
import { missingUses } from './linking/missingUses.ts'
import type { App, ScreenKind, Widget } from '../model/model.ts'
import { declarePermissions } from './linking/permissions.ts'
import { asking } from './memory/lastResults.ts'
import { roleCode, roleEntity } from '../model/identityNames.ts'
import { presetRoles } from './linking/roles.ts'
import { ownEntity } from './linking/scope.ts'
import { expressionTypes, settingTypesOf, withSettings } from '../expression/variables.ts'
import { isObject, type JsonObject } from './walk.ts'
import { formulaNames } from './formulaNames.ts'
import { asBefore, oneOfEqual, structureOf } from './memory/sameObjects.ts'
import { fieldsOf, relationalOf } from './relationalFields.ts'
import type {
  MissingUse,
  DeclaredPermission,
  ExpandedFile,
  NamedDictionary,
  NamedEntity,
  NamedField,
  Names,
  NamedScreen,
  ProcedureUses,
} from './named.ts'

/** A record without a prototype, so that a file that names `constructor` finds nothing. */
const plain = <T>(): Record<string, T> => Object.create(null) as Record<string, T>

/** The names that the files declare. */
export class FileNames implements Names {
  readonly app: App | undefined
  readonly entities = plain<NamedEntity>()
  readonly dictionaries = plain<NamedDictionary>()
  readonly screens = plain<NamedScreen>()
  readonly knowsRoutes: boolean
  readonly contested: readonly string[]
  readonly routes = plain<NamedScreen>()
  readonly permissions: Record<string, DeclaredPermission>
  readonly knowsPermissions: boolean
  readonly areas: readonly string[]
  readonly folders: readonly string[]
  readonly knowsDirectories: boolean
  readonly knowsRoles: boolean
  readonly unnamed: readonly string[]
  readonly roles: readonly string[]
  readonly backends: readonly string[]
  readonly widgets: Readonly<Record<string, Widget>>
  readonly kinds: Readonly<Record<string, ScreenKind>>
  readonly procedures: readonly string[]
  readonly uses?: ProcedureUses
  readonly sends?: readonly string[]
  private readonly types = new Map<string | undefined, VariableTypes>()
  private readonly stored = new Map<NamedField, boolean>()

  constructor(
    files: readonly ExpandedFile[],
    lists: Pick<Names, 'widgets' | 'kinds' | 'procedures' | 'uses' | 'sends'>,
    unnamed: ReadonlySet<string> = new Set(),
  ) {
    this.unnamed = [...unnamed]
    this.widgets = lists.widgets
    this.kinds = lists.kinds
    this.procedures = lists.procedures
    this.uses = lists.uses
    this.sends = lists.sends
    for (const file of files) {
      const { source, sound, value } = file
      const { name, kind } = source
      if (kind === 'app') this.app = value as unknown as App
      else if (kind === 'entity') this.entities[name] ??= asBefore(file, () => this.entity(file))
      else if (kind === 'dictionary')
        this.dictionaries[name] ??= asBefore(file, () => ({
          name,
          source,
          sound: sound && isDistinct(valuesOf(value)),
          values: [...new Set(valuesOf(value))],
          tags: tagsOf(value),
          mayGrow: value.mayGrow === true,
        }))
      else if (Object.hasOwn(this.kinds, kind)) this.screens[`${name}.${kind}`] ??= asBefore(file, () => screen(file))
    }
    const source = files.find(({ source: { kind } }) => kind === 'app')?.source
    if (source) {
      const app = { areas: Array.isArray(this.app?.areas) ? this.app.areas : [] }
      for (const { name, choices, mayGrow } of madeDictionaries(app, Object.values(this.entities))) {
        const values = choices.map(({ value }) => value)
        this.dictionaries[name] ??= oneOfEqual(source, { name, sound: true, values, tags: {}, mayGrow }, (made) => ({
          ...made,
          source,
        }))
      }
    }
    const routed = Object.values(this.screens).filter(({ route }) => route !== undefined)
    // A screen in the menu takes precedence.
    for (const screen of routed) {
      const owner = this.routes[screen.route!]
      if (!owner || (!owner.file.menu && screen.file.menu)) this.routes[screen.route!] = screen
    }
    this.contested = routed.flatMap((screen) => (this.routes[screen.route!] === screen ? [] : [screen.route!]))
    this.knowsRoutes =
      Object.values(this.screens).every((one) => one.sound && !lacksRoute(one)) &&
      this.contested.length === 0 &&
      unnamed.size === 0
    this.knowsPermissions =
      unnamed.size === 0 &&
      [...Object.values(this.entities), ...Object.values(this.screens)].every(({ source }) => !source.broken)
    const roles = presetRoles(files)
    this.roles = [...new Set(roles)]
    const ofRoles = files.filter(({ source, value }) => source.kind === 'records' && value.entity === roleEntity)
    const areAllNamed = ofRoles.every(
      ({ sound: isSound, value: { rows } }) =>
        isSound && Array.isArray(rows) && rows.every((row) => isObject(row) && typeof row[roleCode] === 'string'),
    )
    this.knowsRoles = isDistinct(roles) && unnamed.size === 0 && areAllNamed
    this.knowsDirectories = source !== undefined && !source.broken
    const { areas, backends } = files.find(({ source }) => source.kind === 'app')?.value ?? {}
    this.areas = Array.isArray(areas) ? areas.flatMap((area) => (isObject(area) ? [String(area.name)] : [])) : []
    this.folders = [...new Set(files.map(({ source: { area } }) => area))]
    const { entities, screens, folders } = this
    this.permissions = declarePermissions({ entities, screens, areas: [...this.areas, ...folders] })
    this.backends = Array.isArray(backends) ? backends.map(String) : []
  }

  private entity(file: ExpandedFile): NamedEntity {
    const { source, value, sound } = file
    const written = Object.entries(isObject(value.fields) ? value.fields : {})
    const fields = written
      .filter((entry): entry is [string, JsonObject] => isObject(entry[1]))
      .map(([name, written]) => {
        const type = String(written.type)
        const known = Object.entries(this.widgets[type]?.options.properties ?? {})
        // A widget looks up words in its own lists, so it never meets one that they lack.
        const own = known.filter(
          ([key, shape]) => key in written && (sound || !shape.enum || fits(written[key], shape)),
        )
        const options = Object.fromEntries(own.map(([key]) => [key, written[key]]))
        return [name, { name, type, options, computed: written.computed as NamedField['computed'], value: written }]
      })
    let structure: object | undefined
    return {
      name: source.name,
      area: source.area,
      source,
      sound,
      value,
      fields: Object.fromEntries(fields),
      get structure() {
        return (structure ??= structureOf(file))
      },
    }
  }

  field(entity: string | undefined, name: string): NamedField | undefined {
    const fields = entity === undefined ? undefined : this.entities[entity]?.fields
    return fields && Object.hasOwn(fields, name) ? fields[name] : undefined
  }

  private readonly missing = new Map<string, readonly MissingUse[]>()
  missingUses(procedure: string): readonly MissingUse[] {
    let missing = this.missing.get(procedure)
    if (!missing) this.missing.set(procedure, (missing = missingUses(this, procedure)))
    return missing
  }

  private screensByUse: Map<string, NamedScreen[]> | undefined
  screensOf(entity: string, kind: string): readonly NamedScreen[] {
    if (!this.screensByUse) {
      this.screensByUse = new Map()
      for (const screen of Object.values(this.screens)) {
        for (const entityName of new Set([screen.entity, screen.about])) {
          const key = `${entityName}.${screen.kind}`
          this.screensByUse.set(key, [...(this.screensByUse.get(key) ?? []), screen])
        }
      }
    }
    return this.screensByUse.get(`${entity}.${kind}`) ?? []
  }

  target(field: NamedField | undefined): ReturnType<NonNullable<Widget['target']>> | undefined {
    const target = field && this.widgets[field.type]?.target?.(field.options)
    return target && typeof target.entity === 'string' ? target : undefined
  }

  refersTo(field: NamedField | undefined, entity: string, orMany = false): boolean {
    const target = this.target(field)
    // A field of an unknown type is reported itself.
    if (field && !Object.hasOwn(this.widgets, field.type)) return true
    return (
      target !== undefined &&
      !target.rows &&
      (orMany || !target.many) &&
      (target.entity === entity || !this.entities[target.entity])
    )
  }

  variables(entity: string | undefined): VariableTypes {
    let types = this.types.get(entity)
    if (types) return types
    const fields = entity === undefined ? {} : (this.entities[entity]?.fields ?? {})
    // A file that could not be read may declare any field.
    types =
      entity === undefined
        ? {}
        : typesOf(
            this.entities[entity] ?? FileNames,
            (name) => (this.entities[name]?.source.broken ? undefined : this.entities[name]),
            (ask) => expressionTypes(fields, this.widgets, ask),
          )
    // An unknown field type is already reported where it is.
    const unknown = Object.keys(fields).filter((name) => !Object.hasOwn(this.widgets, fields[name].type))
    types = oneOfEqual(
      this.settings(),
      { ...types, ...Object.fromEntries(unknown.map((name) => [name, 'any' as const])) },
      (own) => withSettings(own, this.settings()),
    )
    this.types.set(entity, types)
    return types
  }

  private shown: Set<string> | undefined
  /** An entity that a screen shows as settings but is none is reported once, at that screen. */
  private isShown(entity: string): boolean {
    this.shown ??= new Set(
      Object.values(this.screens).flatMap((screen) => (this.kinds[screen.kind].single && screen.entity) || []),
    )
    return this.shown.has(entity)
  }

  private settingTypes: VariableTypes | undefined
  /** The types of settings: fields of single-record entities. */
  private settings(): VariableTypes {
    return (this.settingTypes ??= oneOfEqual(
      FileNames,
      settingTypesOf(
        Object.fromEntries(
          Object.values(this.entities)
            .filter(({ name, value }) => value.single === true || this.isShown(name))
            .map(({ name, fields }) => [
              name,
              {
                fields: Object.fromEntries(
                  Object.values(fields).map((field) => [
                    field.name,
                    { ...field, sensitive: field.value.sensitive === true },
                  ]),
                ),
              },
            ]),
        ),
        this.widgets,
        (name) => this.entities[name],
      ),
      (types) => types,
    ))
  }

  isStored(entity: string, name: string): boolean {
    const field = this.field(entity, name)
    if (!field || !Object.hasOwn(this.widgets, field.type)) return true
    const known = this.stored.get(field)
    if (known !== undefined) return known
    this.stored.set(field, true) // Cycles are reported elsewhere; this only ensures termination
    const { computed } = field
    const isKept = (used: string) => {
      const input = this.field(entity, used)
      return input
        ? (input.computed === undefined && input.value.kept !== false) || this.isStored(entity, used)
        : used !== 'user' && used !== 'settings'
    }
    const kept =
      typeof computed === 'object' || field.value.kept === false
        ? false
        : computed === undefined || (!asksForTime(computed) && formulaNames(computed).every(isKept))
    const stored = kept && this.widgets[field.type].column(field.options) !== null
    this.stored.set(field, stored)
    return stored
  }

  private readonly queried = new Map<NamedField, boolean>()
  isQueried(entity: string, name: string): boolean {
    if (this.isStored(entity, name)) return true
    const field = this.field(entity, name)!
    const { computed } = field
    const known = this.queried.get(field)
    if (known !== undefined || typeof computed === 'object') return known ?? true
    this.queried.set(field, true) // Cycles are reported elsewhere; this only ensures termination
    const formula = typeof computed === 'string' ? relationalOf(computed, this.variables(entity)) : undefined
    // What is wrong with a formula is reported there.
    const queried = formula
      ? fieldsOf(formula).every((used) => this.isQueried(entity, used))
      : typeof computed === 'string' && checkExpression(computed, this.variables(entity)).length > 0
    this.queried.set(field, queried)
    return queried
  }
}

/** The types of an entity's fields, cached while it and the entities of its rows stay the same. */
const typesOf = asking<NamedEntity | undefined, VariableTypes>()

/** A screen that needs a route is reported, and which one it would have had is unknown. */
const lacksRoute = ({ route, file: { menu, roles } }: NamedScreen): boolean =>
  route === undefined && (menu !== undefined || roles !== undefined)

const isDistinct = (values: readonly string[]): boolean => new Set(values).size === values.length

function valuesOf({ choices }: JsonObject): string[] {
  if (!Array.isArray(choices)) return []
  return choices.flatMap((choice) => (isObject(choice) && typeof choice.value === 'string' ? [choice.value] : []))
}

const tagsOf = ({ choices }: JsonObject): Record<string, string> =>
  Object.fromEntries(
    (Array.isArray(choices) ? choices : []).flatMap((choice) =>
      isObject(choice) && typeof choice.tag === 'string' ? [[String(choice.value), choice.tag]] : [],
    ),
  )

function screen(expanded: ExpandedFile): NamedScreen {
  const { source, value, sound } = expanded
  const about = ownEntity(expanded)
  const text = (key: string) => (typeof value[key] === 'string' ? { [key]: value[key] } : {})
  return {
    name: `${source.name}.${source.kind}`,
    kind: source.kind,
    area: source.area,
    source,
    sound,
    ...text('route'),
    ...text('entity'),
    ...(about !== value.entity && about !== undefined && { about }),
    file: value as unknown as NamedScreen['file'],
    ...(isObject(value.variants) && { variants: value.variants as NonNullable<NamedScreen['variants']> }),
  }
}
