/** The interface of a screen kind, and the scope that it assembles in. */
import type { Catalog, MenuEntry } from './catalog.ts'
import type { Entity } from './entity.ts'
import type { Label, ObjectShape } from './shape.ts'
import type { Opaque } from './values.ts'
import type { FilterValue, Widget } from './widget.ts'

/**
 * The pure half of a screen kind. `F` is the file after expand: its own keys (`shape`) and the compiler's common ones.
 */
export interface ScreenKind<F = Opaque, Body = Opaque> {
  kind: string
  label: Label
  /** Keys beside the common ones of every screen. */
  shape: ObjectShape
  /** Linked file → what the view draws: plain JSON. Everything it refers to exists. */
  assemble(file: F & ScreenFile, scope: AssembleScope): Body
  /** Files generated for such a screen, as an analyst could have written them, and keys added to its own file. */
  brings?(screen: BringingScreen): { keys: Record<string, unknown>; files: BroughtFile[] }
  /** Whether showing the kind requires many records, `one`, or none. */
  data: 'list' | 'one' | 'none'
  /** The actions of an entity that open its screen of this kind, which then needs no route. */
  openedBy?: readonly string[]
  /** It shows the one record of an entity that has only one. */
  single?: true
  /** The entity's operation whose permission opens such a screen if the file names none; `view` if absent. */
  operation?(file: F & ScreenFile): keyof Entity['permissions']
  /**
   * The smallest working file for an entity, without the keys that all screens have. Only for kinds that need no more
   * than one entity.
   */
  smallest?(entity: Entity, around: AroundNew): Record<string, unknown>
  /**
   * The whole file for a new entity that gets screens of all kinds at once; absent if this kind does not apply. Its
   * `title` is in the languages that have words for it.
   */
  ofNew?(entity: NewEntity): { title: Label } & Record<string, unknown>
  /** What such a screen does for its entity's records, in one word; the kind if absent. */
  offers?(body: Body): string
  /** Reports warnings, with `scope.issue` and a warning's code. */
  doubt?(file: F & ScreenFile, scope: AssembleScope): void
  /** What each of its records matches, whatever the user filters by. */
  always?(body: Body): Record<string, FilterValue>
  /** For a screen that consists of others: the permissions, any of which opens it. */
  opens?(body: Body): string[]
}

/** What `smallest` knows of the entity's surroundings. */
export interface AroundNew {
  /** The fields that users fill in. */
  writable: readonly string[]
  /** What the entity's existing screens do for its records, see `offers`. */
  offered: readonly string[]
  /** The screen that imports them, if any. */
  imports?: string
}

/** A screen's file as read, unchecked; `file` finds others, and `areaOf` their areas. */
export interface BringingScreen {
  name: string
  area: string
  data: Readonly<Record<string, unknown>>
  file(kind: string, name: string): Readonly<Record<string, unknown>> | undefined
  areaOf(kind: string, name: string): string | undefined
}
export interface BroughtFile {
  kind: string
  name: string
  data: Record<string, unknown>
}

/** The keys of every screen file, after expand. */
export interface ScreenFile {
  route?: string
  title: Label
  entity?: string
  permission?: string
  roles?: string[]
  noCache: boolean
  parent?: string
  menu?: MenuEntry
  parameters: { name: string; required: boolean }[]
}

/** A screen as declared in its file. `variants`: parameter → its values → the keys that differ. */
export interface DeclaredScreen {
  name: string
  kind: string
  entity?: string
  route?: string
  file: Readonly<Record<string, Opaque>> & ScreenFile
  variants?: Record<string, Record<string, Readonly<Record<string, Opaque>>>>
}

/** Code of an issue → the parameters of its message; the compiler's catalogue extends it. */
// oxlint-disable-next-line typescript/no-empty-object-type -- the catalogue adds to it
export interface IssueTypes {}

/** What a kind may look up and report while it assembles. */
export interface AssembleScope {
  catalog: Pick<Catalog, 'app' | 'entities' | 'dictionaries'>
  widgets: Record<string, Widget>
  /** The entity of the screen. Throws if it has none, because the shape of the kind then requires it. */
  entity(): Entity
  /** The screens of a kind that show or write an entity, as declared. */
  screensOf(entity: string, kind: string): DeclaredScreen[]
  screen(name: string): DeclaredScreen | undefined
  /**
   * An action name of an entity (the screen's own, unless another is named), or a whole permission →
   * `area:entity:action`.
   */
  permission(name: string, entity?: string): string
  /** The permission that opens another screen. */
  permissionOfScreen(name: string): string
  /**
   * Whether the server can filter, sort and sum by the field: it has a column, or a formula that the database can
   * evaluate.
   */
  isQueried(entity: string, field: string): boolean
  /** A fault that only the kind can detect. `pointer` is inside its file. */
  issue<C extends keyof IssueTypes>(code: C, pointer: string, parameters: IssueTypes[C]): void
}

/** An entity with one field, for which screens of several kinds are created at once: `<name>.<kind>` each. */
export interface NewEntity {
  name: string
  field: string
  label: Label
  fieldLabel: Label
  /** The route of its first screen; those of the other kinds begin with it. */
  route: string
  /** The name of that screen, the parent of the others. */
  parent: string
}
