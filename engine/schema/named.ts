import type { VariableTypes } from '../expression/index.ts'
import type { App, DeclaredScreen, During, Label, ScreenKind, Widget } from '../model/model.ts'
import type { Shape } from '../model/shape.ts'
import type { IssueCode, Parameters } from './issues/issue.ts'
import type { Part } from './reading/place.ts'
import type { SourceFile } from './reading/SourceFile.ts'
import type { JsonObject, Place } from './walk.ts'

/**
 * `sum`, `min` and `max` name `entity.field`; `by` is the reference field of that entity to this one. `from`:
 * `reference.field`. Of `find`, `by` is a field of this one.
 */
export interface ComputedFile {
  sum?: string
  min?: string
  max?: string
  count?: string
  last?: string
  from?: string
  find?: string
  in?: string[]
  by: string
  distinct?: string
  where?: Record<string, unknown>
  of?: string
  below?: boolean
  during?: During
}

/**
 * A file after check and expand. One that is not `sound` still gives its names, so that others do not complain of them
 * too.
 */
export interface ExpandedFile {
  source: SourceFile
  shape: Shape<unknown>
  value: JsonObject
  sound: boolean
}

export interface NamedField {
  name: string
  type: string
  options: JsonObject
  computed?: string | ComputedFile
  value: JsonObject
}

export interface NamedEntity {
  name: string
  area: string
  source: SourceFile
  sound: boolean
  value: JsonObject
  fields: Record<string, NamedField>
  /** The same object for all that say the same but for their texts. */
  readonly structure: object
}

export interface NamedDictionary {
  name: string
  source: SourceFile
  sound: boolean
  values: string[]
  /** Value → its tag, for values that have one. */
  tags: Readonly<Record<string, string>>
  mayGrow: boolean
}

/** `about`: the entity whose records it writes, where that is not the one that it shows. */
export interface NamedScreen extends DeclaredScreen {
  area: string
  about?: string
  source: SourceFile
  sound: boolean
}

/** Procedure → entity → fields that it uses. */
export type ProcedureUses = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

export interface DeclaredPermission {
  value: string
  label?: Label
  group: Label
  area: string
  entity: string
  source: string
}

/** A name to resolve, and what it takes to say that it means nothing. */
export interface Link {
  names: Names
  file: ExpandedFile
  place: Place
  /** The name itself: the string of the place, or one of its keys. */
  name: string
  /** The entity that field names mean here. */
  entity: string | undefined
  say(code: IssueCode, parameters: Parameters, part?: Part): void
}

/** Everything that a name can mean, before anything is linked. */
export interface Names {
  readonly app: App | undefined
  readonly entities: Record<string, NamedEntity>
  readonly dictionaries: Record<string, NamedDictionary>
  readonly screens: Record<string, NamedScreen>
  /** False if a screen could not be read or shares its route, so that its own route is unknown. */
  readonly knowsRoutes: boolean
  /** Routes claimed by several screens; only a person can decide whose they are. */
  readonly contested: readonly string[]
  /** The screen that gets a route: the first that claims it, preferably one in the menu. */
  readonly routes: Record<string, NamedScreen>
  readonly permissions: Record<string, DeclaredPermission>
  /** False while a file that may declare some could not be read. */
  readonly knowsPermissions: boolean
  /** The areas of app.json, by name; the folders of the files, which should all be such. */
  readonly areas: readonly string[]
  readonly folders: readonly string[]
  /** False if app.json could not be read. */
  readonly knowsDirectories: boolean
  /** False while one role's row bears the code of another. */
  readonly knowsRoles: boolean
  /** The names of files of an unknown kind: what bears one may be in them. */
  readonly unnamed: readonly string[]
  /** The codes of the roles that come with the files. */
  readonly roles: readonly string[]
  /** Prefixes of paths that other back ends serve. */
  readonly backends: readonly string[]
  readonly widgets: Readonly<Record<string, Widget>>
  readonly kinds: Readonly<Record<string, ScreenKind>>
  readonly procedures: readonly string[]
  readonly uses?: ProcedureUses
  field(entity: string | undefined, name: string): NamedField | undefined
  /** The screens of a kind that show records of the entity, or write them. */
  screensOf(entity: string, kind: string): readonly NamedScreen[]
  /** What a field points at. A field whose options are ill-formed points nowhere. */
  target(field: NamedField | undefined): ReturnType<NonNullable<Widget['target']>> | undefined
  /** Does the field refer to one record of the entity? One that refers to an unknown entity was told already. */
  refersTo(field: NamedField | undefined, entity: string, orMany?: boolean): boolean
  /**
   * The names that expressions about records of an entity may use, one object for each entity; those about no record
   * use the others alone.
   */
  variables(entity: string | undefined): VariableTypes
  /**
   * Has the field a column? What is not kept has none. Aggregates have none, nor have formulas over aggregates, about
   * the user, the settings or the time: they are computed on reading. What is unknown was told elsewhere, and passes.
   */
  isStored(entity: string, name: string): boolean
  /**
   * Can the server filter and sort by it? By a column, or by what the database can work out itself: lookups, what other
   * records add up to, formulas over them.
   */
  isQueried(entity: string, name: string): boolean
  /** What a procedure of the server uses, and no file declares. */
  missingUses(procedure: string): readonly MissingUse[]
}

/** An entity, or a field of one. */
export interface MissingUse {
  entity: string
  field?: string
  /** What the field is called now. */
  suggestion?: string
  /** The file of the entity. */
  see?: string
}
