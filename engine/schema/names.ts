import type { VariableTypes } from '../expression/index.ts'
import { madeDictionaries } from './assembling/madeDictionaries.ts'
import { missingUses } from './linking/missingUses.ts'
import type { App, ScreenKind, Widget } from '../model/model.ts'
import { declarePermissions } from './linking/permissions.ts'
import { roleCode, roleEntity } from '../model/identityNames.ts'
import { presetRoles } from './linking/roles.ts'
import { isObject } from './walk.ts'
import { asBefore, oneOfEqual } from './memory/sameObjects.ts'
import { FieldTypes } from './naming/FieldTypes.ts'
import { isDistinct, namedDictionary, namedEntity, namedScreen } from './naming/namedFiles.ts'
import { StoredFields } from './naming/StoredFields.ts'
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
      const {
        source: { name, kind },
        value,
      } = file
      if (kind === 'app') this.app = value as unknown as App
      else if (kind === 'entity') this.entities[name] ??= asBefore(file, () => namedEntity(file, this.widgets))
      else if (kind === 'dictionary') this.dictionaries[name] ??= asBefore(file, () => namedDictionary(file))
      else if (Object.hasOwn(this.kinds, kind))
        this.screens[`${name}.${kind}`] ??= asBefore(file, () => namedScreen(file))
    }
    const source = files.find(({ source: { kind } }) => kind === 'app')?.source
    if (source) {
      const app = { areas: Array.isArray(this.app?.areas) ? this.app.areas : [] }
      for (const { name, choices, mayGrow } of madeDictionaries(app, Object.values(this.entities))) {
        const values = choices.map(({ value }) => value)
        const structure = oneOfEqual(FileNames, { name, values, mayGrow }, (made) => made)
        this.dictionaries[name] ??= oneOfEqual(source, { name, sound: true, values, tags: {}, mayGrow }, (made) => ({
          ...made,
          source,
          structure,
        }))
      }
    }
    const routed = Object.values(this.screens).filter(({ route }) => route !== undefined)
    // The screen whose area the route begins with takes precedence, then one in the menu.
    for (const screen of routed) {
      const owner = this.routes[screen.route!]
      if (!owner || claimOf(screen) > claimOf(owner)) this.routes[screen.route!] = screen
    }
    this.contested = routed.flatMap((screen) => (this.routes[screen.route!] === screen ? [] : [screen.route!]))
    this.knowsRoutes =
      Object.values(this.screens).every((screen) => screen.sound && !lacksRoute(screen)) &&
      this.contested.length === 0 &&
      unnamed.size === 0
    this.knowsPermissions =
      unnamed.size === 0 &&
      [...Object.values(this.entities), ...Object.values(this.screens)].every(({ source }) => !source.broken)
    const roles = presetRoles(files)
    this.roles = [...new Set(roles)]
    const ofRoles = files.filter(({ source, value }) => source.kind === 'records' && value.entity === roleEntity)
    const areAllNamed = ofRoles.every(
      ({ sound: isStorable, value: { rows } }) =>
        isStorable && Array.isArray(rows) && rows.every((row) => isObject(row) && typeof row[roleCode] === 'string'),
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

  private readonly types = new FieldTypes(this)
  variables(entity: string | undefined): VariableTypes {
    return this.types.ofEntity(entity)
  }

  private readonly storedFields = new StoredFields(this)
  isStored(entity: string, name: string): boolean {
    return this.storedFields.isStored(entity, name)
  }
  isQueried(entity: string, name: string): boolean {
    return this.storedFields.isQueried(entity, name)
  }
}

/** A screen without a required route is reported, and its intended route is unknown. */
const lacksRoute = ({ route, file: { menu, roles } }: NamedScreen): boolean =>
  route === undefined && (menu !== undefined || roles !== undefined)

const claimOf = ({ route, area, file }: NamedScreen): number =>
  (route!.split('/')[1] === area ? 2 : 0) + (file.menu ? 1 : 0)
