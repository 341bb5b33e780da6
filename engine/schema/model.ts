/* oxlint-disable typescript/no-explicit-any -- options and values are known to their widget alone; lists of widgets hold them all */
/**
 * The vocabulary of Formwork: what a compiled catalog is made of, and what a widget and a screen kind must be.
 * Types only, and the shape vocabulary they are declared in; everything here is plain JSON unless it is a function.
 */
import type { IconName } from './icons.ts'
import type { StandardOperation } from './operations.ts'
import type { Filter, Label, ObjectShape, Static } from './shape.ts'

export type { IconName } from './icons.ts'
export * from './imports.ts'
export * from './reports.ts'
export * from './shape.ts'
export * from './wire.ts'
export { filterValues } from './filter.ts'
export type { QueryOf } from './operations.ts'

/** The address of an operation that every entity has under the same name. */
export const pathOf = (endpoint: string, name: StandardOperation): string => `${endpoint}/${name}`

// ─── Values ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * A value as it travels: JSON. Decimals are strings, dates `yyyy-MM-dd`, months `yyyy-MM`, datetimes `yyyy-MM-dd
 * HH:mm:ss`. Missing is null.
 */
export type Value = null | string | number | boolean | Value[] | { [key: string]: Value }
/** A record as it travels. A reference is read as `{ id, code, name }` and written as its id. */
export interface RecordData {
  id?: number
  revision?: number
  [field: string]: Value | undefined
}
/**
 * What `normalize` could not read and hands on. Typed as anything, because only `check` makes it a value or names what
 * is wrong.
 */
export type Unread = any
/** What a reference reads as. */
export interface ReferenceValue {
  id: number
  code: string | null
  name: string
  [key: string]: Value
}
/** What an uploaded file reads as. */
export interface FileValue {
  url: string
  name: string
  size: number
  status?: 'uploading' | 'success' | 'failed'
  [key: string]: Value | undefined
}

/** What is wrong with a value, in every language. */
export interface Problem {
  code: string
  message: Label
}
/** A problem and where it is: `uscc`, `contacts.0.mobile`. */
export interface FieldProblem extends Problem {
  field: string
}

/** The dictionary that the compiler makes of all permissions: `area:entity:action` → its path in words. */
export const declaredPermissions = 'permissions'
/** The dictionaries that the compiler makes of areas, entities and all that can be done to records. */
export const declaredAreas = 'areas'
export const declaredEntities = 'entities'
export const declaredOperations = 'operations'
/** The dictionary of the pictures that entries of the menu may have. */
export const declaredIcons = 'icons'
/** The dictionaries that no file writes. */
export const madeDictionaryNames: readonly string[] = [
  declaredPermissions,
  declaredAreas,
  declaredEntities,
  declaredOperations,
  declaredIcons,
]
/** Between the parts of a path in words. */
export const pathSeparator = ' / '

/** `customer:*:view` grants `customer:customer:view`. */
export function grants(pattern: string, permission: string): boolean {
  if (!pattern.includes('*')) return pattern === permission
  const [given, wanted] = [pattern.split(':'), permission.split(':')]
  return given.length === wanted.length && given.every((part, index) => part === '*' || part === wanted[index])
}

// ─── Widgets: one folder = one field type ────────────────────────────────────────────────────────────────────────────────

export type Operator = 'contains' | 'equals' | 'in' | 'between' | 'overlaps' | 'under' | 'empty'
/**
 * `{ contains: 'x' }`, `{ in: ['a'] }`, `{ between: [from | null, to | null] }` (both ends included), `{ under: 7 }`,
 * `{ empty: true }`.
 */
export type FilterValue = { [operator in Operator]?: Value }

/** What a widget may know about its surroundings. The same on both sides. */
export interface WidgetContext {
  label: Label
  dictionary(name: string): Dictionary
  /** The business clock, `yyyy-MM-dd HH:mm:ss` in Asia/Shanghai. */
  now(): string
}

/**
 * How expressions see a value. `list<…>` for many; a decimal is exact; dates and months are strings that compare in
 * order.
 */
export type ExpressionType = 'string' | 'decimal' | 'boolean' | 'list<string>' | 'list<decimal>' | 'list<map>' | 'map'

/** Which records are the rows of another: those that point at it by this reference, and have these values. */
export interface RowsOf {
  by: string
  where: Record<string, Value>
}

/**
 * The pure half of a widget. `O` are its options after defaults, `V` its canonical non-null value as it travels.
 * `normalize` runs first on every surface (form, cell, inline edit, API); `check` sees only what `normalize` returned,
 * never null.
 */
export interface Widget<O = any, V = any> {
  type: string
  label: Label
  /** The keys that a field of this type may have beside the common ones. */
  options: ObjectShape
  /**
   * What the required message asks: 请输入/Please enter, 请选择/Please select, 请上传/Please upload. Inputs check on blur,
   * others on change.
   */
  prompt: 'enter' | 'select' | 'upload'
  expression: ExpressionType
  /** The PostgreSQL column type; null where the value lives in another entity's table. */
  column(options: O): string | null
  /** The value is filled by the server: the format of the number series that the record is numbered by. */
  series?(options: O, record: RecordData): string
  /** Of a series: may a client give a value for a new record? Otherwise it is never taken from one. */
  given?(options: O): boolean
  /** The value points at records of this entity; `rows`: at records that belong to this one and are saved with it. */
  target?(options: O): { entity: string; many: boolean; rows?: RowsOf }
  /** The dictionary its values come from. */
  dictionary?(options: O): string | undefined
  /** The values are permissions, `*` standing for any part of one. */
  permissions?(options: O): boolean
  /**
   * The value is what saves changed, as the expressions `changes()` and `changesSince()` tell it; it travels as
   * `ChangeText[]`.
   */
  changes?(options: O): boolean
  /** Kept so that it never leaves the server: `hash` one way, `encrypt` shown as ****** and the last four. */
  protect?: 'hash' | 'encrypt'
  /** The value holds HTML, which the server sanitises on the way in. */
  html?: boolean
  /** The value holds uploaded files. */
  files?: boolean
  /** May the files be fetched by whoever knows their addresses, without a session? */
  isPublic?(options: O): boolean
  /**
   * What was typed, sent or read from a cell → canonical, or null where empty ('' and [] are empty). Never throws: what
   * it cannot read it hands on, for `check` to name.
   */
  normalize(value: unknown, options: O): V | null
  check(value: V, options: O, context: WidgetContext): Problem | undefined
  /**
   * A warning about a value in a schema file: its code, and what would be right.
   * `key`: the option that it is under, or `default`.
   */
  doubt?(written: unknown, key: string, options: O): { code: string; suggestion?: string } | undefined
  /** For those who may not see the whole value. */
  mask?(value: V, options: O): string
  /** One line of plain text: list cells, titles, history, exports of what a sheet cannot hold. */
  text(value: V, options: O, context: WidgetContext, language: string): string
  /** What a cell of a list shows, where that is less than `text`: the ends of a long number. */
  brief?(value: V, options: O): string
  align?: 'right' | 'center'
  /** A sensible column width in pixels. */
  width(options: O): number
  /** The filter operators that make sense; the first is the default. */
  operators: readonly Operator[]
  sortable: boolean
  summable?: boolean
  /** The value as one spreadsheet cell. Absent: not importable and not exportable. */
  sheet?: {
    /** A spreadsheet number format; '@' keeps long digits as text. */
    format?(options: O): string | undefined
    write(value: V, options: O, context: WidgetContext, language: string): string | number | boolean | Date
    /** The cell as read → something `normalize` understands (labels of either language become values). */
    read(cell: unknown, options: O, context: WidgetContext): unknown
  }
}

/** What the contract test and the gallery feed a widget with. */
export interface WidgetExamples {
  /** Options to try; the first set is used where only one is needed. */
  options: Record<string, unknown>[]
  /** Accepted under the first options: what is given → its canonical form. */
  good: { given: unknown; canonical: Value; text: Label }[]
  /** Refused under the options at `with` (default 0), with both messages (`{label}` is filled with the field's). */
  bad: { given: unknown; code: string; message: Label; with?: number }[]
  /** Cells as a spreadsheet yields them. */
  cells?: { cell: unknown; canonical: Value }[]
  /** Dictionaries that the examples need. */
  dictionaries?: Record<string, Dictionary>
}

// ─── The catalog ─────────────────────────────────────────────────────────────────────────────────────────────────────────

export type TagColour = 'info' | 'primary' | 'success' | 'warning' | 'danger'
export interface Choice {
  value: string
  label: Label
  tag?: TagColour
  disabled?: boolean
}
export interface Dictionary {
  name: string
  label: Label
  choices: Choice[]
  mayGrow: boolean
}

/** `at`: a field of this record; `from` and `until`: of the others. */
export interface During {
  at: string
  from: string
  until: string
}
/** `last`: a reference to the newest of them. */
export type Aggregate = 'sum' | 'count' | 'min' | 'max' | 'last'
export type Computed =
  | { kind: 'formula'; formula: string }
  /**
   * Over the records of `entity` whose reference `by` is this record, or the one to which its own reference `of`
   * points, and that match `where`. `during`: of those only which go on (`from`, `until`) when this record's `at` is.
   */
  | {
      kind: 'aggregate'
      function: Aggregate
      entity: string
      field?: string
      by: string
      where?: Filter
      of?: string
      below?: boolean
      during?: During
    }
  /**
   * The record of `entity` that has in one of these fields, the first before the others, what this one has in its own
   * field `by`.
   */
  | { kind: 'find'; entity: string; by: string; in: string[] }
  /** What the record that this entity's reference `by` points at has in `field`. */
  | { kind: 'lookup'; by: string; field: string }

export interface Field {
  name: string
  type: string
  label: Label
  hint?: Label
  /** The widget's own options, defaults filled in. */
  options: Record<string, any>
  required: boolean
  requiredWhen?: string
  visibleWhen?: string
  readOnlyWhen?: string
  /** Set by the system (req A): never taken from a client. */
  readOnly: boolean
  /** A literal for new records. */
  default?: Value
  /** A formula for new records and, where `follow` is set, whenever its inputs change while the field is empty. */
  defaultFrom?: string
  unique: boolean
  /** Unique among the rows of one parent: the name of the reference field that scopes it. */
  uniqueWithin?: string
  /** Masked without `area:entity:viewSensitive`. */
  sensitive: boolean
  /** Further permissions needed to see it whole, because it may hold sensitive values of other entities. */
  seenWith?: string[]
  computed?: Computed
  /** False: whoever writes a record says it and rules read it, but no record has it. */
  kept?: false
  /** A condition: the record goes when the one is deleted that this refers to. Others stand in the way of that. */
  deletedWith?: string
  /** Its records draw on what it refers to: writing one raises the other's revision. */
  draws?: true
  /** The former name: the column is renamed, nothing is lost. */
  was?: string
}

export interface Rule {
  check: string
  when?: string
  at: string
  message: Label
}
export interface Append {
  entity: string
  set: Record<string, string>
}
/**
 * What a write changes in the record that the reference `by` points at: its field → a formula over the record that is
 * written.
 */
export interface Update {
  entity: string
  by: string
  when?: string
  set: Record<string, string>
}
/**
 * A message that a write sends to users who receive its type and may see the record. `{field}` in its texts and link is
 * the record's.
 */
export interface Notify {
  type: string
  when?: string
  title: Label
  content?: Label
  link?: string
  /** Only to the users whom this field names, whatever types their roles receive. */
  to?: string
  /** Only to users of the departments that this field names, and of those below; to all where it is empty. */
  departments?: string
}
/** Once a day: to each record a transition, for each a new record, to all of them a procedure, about each a message. */
export interface Daily {
  hourly: boolean
  where: Filter
  when?: string
  transition?: string
  create?: Append
  run?: string
  notify: Notify[]
}
/** What happens beside a write, in the same transaction. */
export interface Effects {
  set: Record<string, string>
  append: Append[]
  updates: Update[]
  notify: Notify[]
  /** A procedure in src/procedures that goes on with what was written, after all else. */
  run?: string
}

/**
 * A field that an operation asks for; one that is computed is only shown, of what is filled in. `label`: what it is
 * called there; `defaultFrom`: what it begins with where one record has nothing there; `namedBy`: of several records,
 * the field whose value the names of each one's files hold.
 */
export interface AskedField {
  field: string
  required: boolean
  label?: Label
  defaultFrom?: string
  consecutive?: boolean
  namedBy?: string
  single?: boolean
}

export interface Transition extends Effects {
  name: string
  label: Label
  field: string
  from: string[]
  to: string
  permission: string
  when?: string
  guards: Rule[]
  /** Fields that are asked for before the transition; those in `required` must be given. */
  form: AskedField[]
  confirm?: Label
  danger: boolean
}
export interface StateMachine {
  field: string
  initial: string
  transitions: Record<string, Transition>
}

/**
 * A file made of records: the uploaded files of a field in an archive, a workbook, or what a procedure makes: `{ name,
 * content }`, which is kept nowhere.
 */
export interface Download {
  name: string
  label: Label
  permission: string
  files?: string
  run?: string
  sheets?: DownloadSheet[]
  /** The import whose template it is, and column → the record's field that fills it. */
  template?: string
  fills?: Record<string, string>
  where?: Filter
}
/**
 * One sheet of all records or, with `each`, of each. With an `entity`, its rows are those of its records whose
 * reference `by` is the record.
 */
export interface DownloadSheet {
  title?: Label
  each: boolean
  entity?: string
  by?: string
  columns: { field: string; label?: Label }[]
}

/** An operation of the entity beside the standard ones and its transitions. */
export interface EntityAction extends Effects {
  name: string
  label: Label
  permission: string
  /** What must hold for it, with what is told where it does not. */
  guards: Rule[]
  when?: string
  confirm?: Label
  danger: boolean
  /** Sets these fields on one or many records; what is left empty is kept. */
  update?: string[]
  /** A procedure in src/procedures. */
  run?: string
  /** A procedure that gives the values which the dialog begins with, as `values`. It writes nothing. */
  prepare?: string
  form: AskedField[]
}

/** Something that follows a save. All that match apply, in order. */
export interface SaveEvent extends Effects {
  on: 'create' | 'update' | 'delete'
  when?: string
  /** Only if one of these fields changed. */
  changed?: string[]
  /** What it takes beside the permission to save: without it the save is refused. */
  permission?: string
  confirm?: Label
}

/**
 * Who may see which records, by the role's data scope. `via`: as the record that this reference field points to.
 * `only`: the users that these fields name, whatever their data scope, and nobody else.
 */
export type Scope = { via: string } | { only: string[] } | { owners: string[]; departments: string[] }

/**
 * At most `max` records match `where`, of those with the same values of `within` (of a list, with an item in common)
 * and whose period meets this one's; the record that would be one more is refused, at the field `at`.
 */
export interface Limit {
  where: Filter
  max: number
  within: string[]
  period?: { from: string; to: string }
  at: string
  message: Label
}

export interface Entity {
  name: string
  area: string
  label: Label
  /** The field that names a record. */
  display: string
  /** The field shown beside it (the `code` of a reference). */
  code?: string
  /** Fields found by text search, by pinyin and by pinyin initials. */
  search: string[]
  endpoint: string
  fields: Record<string, Field>
  /**
   * There is exactly one record, made at the start with the defaults; expressions read it as
   * `settings.<entity>.<field>`.
   */
  single?: true
  /**
   * Its records are the engine's own and only read: all that was done, each with who did it, when, and what it changed.
   */
  engine?: 'log'
  /** The reference field to the record this one is a row of; it is then saved and permitted with that one only. */
  rowOf?: { entity: string; field: string; by: string }
  /** For a tree: the reference to itself, how deep it may go, and the field that orders siblings. */
  tree?: { parent: string; depth: number; order?: string }
  /** It tells about others and keeps none of them. */
  log?: true
  /** Who may see and export which of its records, where that is not one permission for all. */
  parts?: { where: Filter; view: string; export: string }[]
  /** Which records a reference offers; the others stay readable. */
  offered?: Filter
  scope?: Scope
  rules: Rule[]
  limits: Limit[]
  /**
   * Steps that are not for one person, in their order: `create`, `edit`, `delete`, names of transitions and actions.
   */
  fourEyes?: string[]
  /** What a new record begins with: these fields as the record has them that its reference `by` points at. */
  copies?: { by: string; fields: string[] }
  /**
   * A procedure that fills in fields of a form whenever one of `on` was filled in, and when it opens with parameters.
   * It writes nothing.
   */
  suggests?: { run: string; on: string[] }
  /** Opening a record counts its different readers in the field `count`, while the condition holds. */
  reads?: { count: string; when?: string }
  states: StateMachine[]
  saves: SaveEvent[]
  /** What the system does by itself once a day, with the records that match. */
  daily?: Record<string, Daily>
  actions: Record<string, EntityAction>
  /** Files that are made of records, beside the usual export. */
  downloads?: Record<string, Download>
  /** Standard writes: never, always, or while the condition holds. */
  allow: Record<'create' | 'update' | 'delete', boolean | string>
  /** Operation → permission string: view, create (…:add), update (…:edit), delete, export, viewSensitive. */
  permissions: Record<'view' | 'create' | 'update' | 'delete' | 'export' | 'viewSensitive', string>
  indexes: string[][]
  /** Fields that a dialog about a record shows, beside its number and name. */
  facts?: string[]
  /** File that declares it. */
  file: string
  /** Where a family made it: what every family of the template calls it, `*Addition`. */
  named?: string
}

/** `label` names the operation, `group` what it is done to: an entity, or a screen without one. */
export interface Permission {
  value: string
  label: Label
  area: string
  entity: string
  group: Label
}
/** `directories`: of the menu, below the area. */
export interface Area {
  name: string
  label: Label
  icon?: IconName
  directories: { name: string; label: Label; icon?: IconName; order: number }[]
}
/** What the engine keeps to by itself, where administrators may set it. */
export type PolicyName =
  | 'sessionMinutes'
  | 'signInFailures'
  | 'passwordDays'
  | 'defaultPassword'
  | 'importRows'
  | 'exportRows'
  | 'pictureMegabytes'
  | 'badgeMaximum'
  | 'logDays'

export interface App {
  title: Label
  languages: string[]
  theme: { colour: string }
  home: string
  areas: Area[]
  /** `entity.field` of the settings that say it; what none says is as usual. */
  policies: { [name in PolicyName]?: string }
}

export interface MenuEntry {
  order: number
  icon?: IconName
  parent?: string
  directory?: string
  label?: Label
  affix?: boolean
  badge?: { filter: Filter; permission?: string }
}

/** One screen, ready to be drawn: `body` is what its kind assembled. */
export interface ScreenPlan<Body = any> {
  name: string
  kind: string
  area: string
  /** Absent: opened only from another screen, in a drawer or a dialog. */
  route?: string
  title: Label
  /** The query parameters that are part of the screen's identity. */
  parameters: { name: string; required: boolean }[]
  /** Those of them that choose a variant: the values of one parameter, each with its own plan. */
  variants?: { parameter: string; plans: Record<string, ScreenPlan<Body>> }
  entity?: string
  /** The template and its file, where a family made it. */
  template?: string
  permission: string
  /** Each of these opens it too: those of the screens that it is made of. */
  opens?: string[]
  /**
   * One role of each of these lists is needed beside the permission: its own list, and those of the screens that it
   * belongs to.
   */
  roles?: string[][]
  noCache: boolean
  menu?: MenuEntry
  /** The list it belongs to, for the breadcrumb and the open menu entry. */
  parent?: string
  body: Body
  file: string
}

/** The columns and indexes that an entity's records are kept in. */
export interface TablePlan {
  name: string
  /** It is the engine's own, and made by it. */
  view?: true
  columns: { name: string; type: string; nullable: boolean; references?: string; was?: string }[]
  /** `items`: of a list column each item is unique by itself, over all records. */
  unique: { columns: string[]; items?: true }[]
  indexes: { columns: string[]; method: 'btree' | 'trigram' | 'gin' }[]
}

/** Records that come with the schema files, matched by `key`: regions, preset roles. */
export interface Preset {
  entity: string
  key: string
  rows: Record<string, Value>[]
  file: string
}

export interface Catalog {
  /** Of all that follows. */
  hash: string
  app: App
  entities: Record<string, Entity>
  dictionaries: Record<string, Dictionary>
  screens: Record<string, ScreenPlan>
  /** route → screen name */
  routes: Record<string, string>
  permissions: Permission[]
  tables: Record<string, TablePlan>
  presets: Preset[]
  families: Families
}

/**
 * Of every template its families in their order, each with all of its parameters and what the template works out of
 * them.
 */
export type Families = Record<string, Record<string, Value>[]>

// ─── Actions on screens ──────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * A button or link of a screen. What it does is `do`; who may, and what happens in the data, the entity has declared.
 */
export interface ActionPlan {
  name: string
  label: Label
  on: 'toolbar' | 'row' | 'batch' | 'header' | 'footer'
  permission: string
  /** Hidden where false (on the record; batch: on every ticked record). */
  shownWhen?: string
  confirm?: Label
  danger: boolean
  primary: boolean
  do:
    | { kind: 'link'; to: string }
    /** The screen `name` in a drawer; `{id}` filled from the record, `{ids}` from all that are ticked, with commas. */
    | { kind: 'drawer'; screen: string; query: Record<string, string> }
    | { kind: 'delete'; path: string }
    | { kind: 'export'; path: string }
    /** A file that `GET path` answers; `{id}` in its parameters is filled from the record. */
    | { kind: 'download'; path: string; query: Record<string, string> }
    /**
     * POST `{ id | ids, revision, values }`; first asks for `form`, which begins with what `POST prepare` of the same
     * records answers.
     */
    | { kind: 'call'; path: string; form: AskedField[]; keepEmpty: boolean; prepare?: string }
    /** Shows these fields of the record and offers the calls. */
    | { kind: 'review'; show: string[]; calls: ActionPlan[] }
}

// ─── Blocks of records ───────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Records that a screen shows a little of; its plan holds them under `blocks`. Read by `GET
 * /plans/block?screen=&name=`.
 */
export interface RecordsBlock {
  name: string
  entity: string
  /** Without it the block is not there. */
  permission: string
  filter: Record<string, FilterValue>
  sort?: string
  limit: number
  /** All that is read of them. */
  fields: string[]
  /** Only records whose field names no department, or the user's, or one above it. */
  departments?: string
}

// ─── Screen kinds ────────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * The pure half of a screen kind. `F` is the file after expand: its own keys (`shape`), the common ones are the
 * compiler's.
 */
export interface ScreenKind<F = any, Body = any> {
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
   * The smallest file for an entity that works, without the keys that all screens have; `asked`: the fields that people
   * fill in. Only of kinds that one entity is enough for.
   */
  smallest?(entity: Entity, asked: readonly string[]): Record<string, unknown>
  /** Reports warnings, with `scope.issue` and a warning's code. */
  doubt?(file: F & ScreenFile, scope: AssembleScope): void
  /** Of a screen that is made of others: the permissions of which any opens it. */
  opens?(body: Body): string[]
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
  file: Readonly<Record<string, any>> & ScreenFile
  variants?: Record<string, Record<string, Readonly<Record<string, any>>>>
}

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
  issue(code: string, pointer: string, parameters: Record<string, unknown>): void
}

export type { Filter, Label, ObjectShape, Static }
