import type { VariableTypes } from '../expression/index.ts'
import type { App, DeclaredScreen, During, Label, ScreenKind, Widget } from '../model/model.ts'
import type { Shape } from '../model/shape.ts'
import type { IssueCode, Parameters } from './issues/issue.ts'
import type { Report } from './issues/report.ts'
import type { Part } from './reading/place.ts'
import type { SourceFile } from './reading/SourceFile.ts'
import type { JsonObject, Place } from './walk.ts'

/**
 * `sum`, `min` and `max` name `entity.field`; `by` is that entity's reference to this one. `from`: `reference.field`.
 * For `find`, `by` is a field of this entity.
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
 * A file after check and expand. One that is not `sound` still declares its names, so that other files do not report
 * them as unknown.
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
  /** The same object for all files that differ only in their texts. */
  readonly structure: object
}

export interface NamedDictionary {
  name: string
  source: SourceFile
  sound: boolean
  values: string[]
  /** Value → its tag, if it has one. */
  tags: Readonly<Record<string, string>>
  mayGrow: boolean
  readonly structure: object
}

/** `about`: the entity whose records it writes, if it differs from the one that it shows. */
export interface NamedScreen extends DeclaredScreen {
  area: string
  about?: string
  source: SourceFile
  sound: boolean
  readonly structure: object
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

/** A link to a route that there is not. */
export interface LostLink {
  path: string
  query: JsonObject
  /** The entity whose record the link stands at. */
  entity: string | undefined
  pointer: string
}

/** A name to resolve, and what is needed to report it as unknown. */
export interface Link {
  names: Names
  file: ExpandedFile
  place: Place
  /** The name itself: the string of the place, or one of its keys. */
  name: string
  /** The entity that field names refer to here. */
  entity: string | undefined
  say(code: IssueCode, parameters: Parameters, part?: Part): void
  report: Report
  /** Collects links to routes that there are not. */
  lost: LostLink[]
}

/** Everything that a name can refer to, before anything is linked. */
export interface Names {
  readonly app: App | undefined
  readonly entities: Record<string, NamedEntity>
  readonly dictionaries: Record<string, NamedDictionary>
  readonly screens: Record<string, NamedScreen>
  /** False if a screen could not be read, lacks its route or shares it, so that its own route is unknown. */
  readonly knowsRoutes: boolean
  /** Routes claimed by several screens; only a person can decide which screen keeps one. */
  readonly contested: readonly string[]
  /** The screen that gets a route: the first that claims it, preferably one in the menu. */
  readonly routes: Record<string, NamedScreen>
  readonly permissions: Record<string, DeclaredPermission>
  /** False if a file that may declare some could not be read. */
  readonly knowsPermissions: boolean
  /** The areas of app.json, by name; …; every folder should be one of them. */
  readonly areas: readonly string[]
  readonly folders: readonly string[]
  /** False if app.json could not be read. */
  readonly knowsDirectories: boolean
  /** False while two roles have the same code. */
  readonly knowsRoles: boolean
  /** Names of files of an unknown kind, which may declare something of that name. */
  readonly unnamed: readonly string[]
  /** The codes of the preset roles. */
  readonly roles: readonly string[]
  /** Prefixes of paths that other back ends serve. */
  readonly backends: readonly string[]
  readonly widgets: Readonly<Record<string, Widget>>
  readonly kinds: Readonly<Record<string, ScreenKind>>
  readonly procedures: readonly string[]
  readonly uses?: ProcedureUses
  /** The types of the messages that the server itself sends, if that is known. */
  readonly sends?: readonly string[]
  field(entity: string | undefined, name: string): NamedField | undefined
  /** The screens of a kind that show records of the entity, or write them. */
  screensOf(entity: string, kind: string): readonly NamedScreen[]
  /** What a field points at; undefined if its options are ill-formed. */
  target(field: NamedField | undefined): ReturnType<NonNullable<Widget['target']>> | undefined
  /** Whether the field refers to one record of the entity. An unknown target is already reported. */
  refersTo(field: NamedField | undefined, entity: string, orMany?: boolean): boolean
  /**
   * The names available to expressions about records of an entity, one object per entity; expressions about no record
   * use only the others.
   */
  variables(entity: string | undefined): VariableTypes
  /**
   * Whether the field has a column. Fields that are not stored have none, nor do aggregates, or formulas over
   * aggregates, the user, the settings or the time: they are computed on reading. True for unknown fields, which are
   * reported elsewhere.
   */
  isStored(entity: string, name: string): boolean
  /**
   * Whether the server can filter and sort by it: it has a column, or the database can compute it, as it does look-ups,
   * aggregates and formulas over them.
   */
  isQueried(entity: string, name: string): boolean
  /** What a procedure of the server uses but no file declares. */
  missingUses(procedure: string): readonly MissingUse[]
}

/** An entity, or a field of one. */
export interface MissingUse {
  entity: string
  field?: string
  /** One that not every family has; missing in all of them. */
  isOptional?: boolean
  /** The field's current name, as its file says. */
  now?: string
}
