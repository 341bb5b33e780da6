/** What a screen kind must be, and what it may ask. */
import type { Catalog, MenuEntry } from './catalog.ts'
import type { Entity } from './entity.ts'
import type { Label, ObjectShape } from './shape.ts'
import type { Opaque } from './values.ts'
import type { Widget } from './widget.ts'

/**
 * The pure half of a screen kind. `F` is the file after expand: its own keys (`shape`), the common ones are the
 * compiler's.
 */
export interface ScreenKind<F = Opaque, Body = Opaque> {
  kind: string
  label: Label
  /** Keys beside the common ones of every screen. */
  shape: ObjectShape
  /** Linked file → what the view draws: plain JSON. Everything it refers to exists. */
  assemble(file: F & ScreenFile, scope: AssembleScope): Body
  /** Files that such a screen stands for, as an analyst could have written them, and keys that its own file gets. */
  brings?(screen: BringingScreen): { keys: Record<string, unknown>; files: BroughtFile[] }
  /** The list that shows the kind needs its records; `one` of them; or none. */
  data: 'list' | 'one' | 'none'
  /** The entity's operation whose permission opens such a screen where the file names none; `view` if absent. */
  operation?(file: F & ScreenFile): keyof Entity['permissions']
  /**
   * The smallest file for an entity that works, without the keys that all screens have. Only of kinds that one entity is
   * enough for.
   */
  smallest?(entity: Entity, around: AroundNew): Record<string, unknown>
  /**
   * The whole file of a new entity that gets screens of all kinds at once; absent where no such entity has one. Its
   * `title` says what it is in the languages that have words for it.
   */
  ofNew?(entity: NewEntity): { title: Label } & Record<string, unknown>
  /** What such a screen does for its entity's records, in one word; its kind where absent. */
  offers?(body: Body): string
  /** Reports warnings, with `scope.issue` and a warning's code. */
  doubt?(file: F & ScreenFile, scope: AssembleScope): void
  /** Of a screen that is made of others: the permissions of which any opens it. */
  opens?(body: Body): string[]
}

/** What a new screen finds there. */
export interface AroundNew {
  /** The fields that people fill in. */
  asked: readonly string[]
  /** What the entity's screens do for its records, see `offers`. */
  offered: readonly string[]
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

/** What a screen file has whatever its kind, after expand. */
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

/** A screen as its file says it. `variants`: parameter → its values → the keys that differ. */
export interface DeclaredScreen {
  name: string
  kind: string
  entity?: string
  route?: string
  file: Readonly<Record<string, Opaque>> & ScreenFile
  variants?: Record<string, Record<string, Readonly<Record<string, Opaque>>>>
}

/** Code of an issue → what its sentence says of it; the compiler's catalogue fills it. */
// oxlint-disable-next-line typescript/no-empty-object-type -- the catalogue adds to it
export interface IssueTypes {}

/** What a kind may ask while it assembles. */
export interface AssembleScope {
  catalog: Pick<Catalog, 'app' | 'entities' | 'dictionaries'>
  widgets: Record<string, Widget>
  /** The entity of the screen. Throws if it has none: the shape of the kind then requires it. */
  entity(): Entity
  /** The screens of a kind that show or write an entity, as declared. */
  screensOf(entity: string, kind: string): DeclaredScreen[]
  screen(name: string): DeclaredScreen | undefined
  /**
   * An action name of an entity (the screen's own, unless another is named), or a whole permission →
   * `area:entity:action`.
   */
  permission(name: string, entity?: string): string
  /** What opens another screen. */
  permissionOfScreen(name: string): string
  /**
   * Has the field a column, or a formula that the database can work out, so that the server can filter, sort and sum by
   * it?
   */
  isQueried(entity: string, field: string): boolean
  /** A fault only the kind can see. `pointer` is inside its file. */
  issue<C extends keyof IssueTypes>(code: C, pointer: string, parameters: IssueTypes[C]): void
}

/** An entity with one field, of which screens of several kinds are made at once: `<name>.<kind>` each. */
export interface NewEntity {
  name: string
  field: string
  label: Label
  fieldLabel: Label
  /** Of its first screen; those of the other kinds begin with it. */
  route: string
  /** The name of that screen, to which the others belong. */
  parent: string
}
