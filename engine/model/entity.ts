/** What a compiled entity is made of. */
import type { Filter, Label } from './shape.ts'
import type { Opaque, Value } from './values.ts'

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
  /** Texts that the product writes into it, shown in the reader's language; `{}` is any part of them. */
  brought?: Label[]
  /** The widget's own options, defaults filled in. */
  options: Record<string, Opaque>
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
  /** Only what did not match the last time. */
  newly: boolean
  where: Filter
  when?: string
  transition?: string
  create?: Append
  run?: string
  notify: Notify[]
  /** About a record for which the system was refused: the reason stands behind the content. */
  refused: Notify[]
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
  /** As that of an action. */
  foresee?: string
  /** It may take long even for one record. */
  job?: boolean
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
  /** What must hold for each record, with what is told of those for which it does not. */
  guards: Rule[]
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
  /** A procedure that says what it would come to, before the user agrees. It writes nothing that stays. */
  foresee?: string
  /** It may take long: see `job` of the schema language. A procedure divides what `run` does. */
  job?: boolean | string
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
  /** It may take long: see `job` of the schema language. */
  job?: boolean
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
  /** Operations that must not run twice by accident: `create`, names of actions. */
  once?: string[]
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
