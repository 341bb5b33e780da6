/** The parts of a compiled entity. */
import type { EntityKeys } from './entityKeys.ts'
import type { Field } from './field.ts'
import type { Filter, Label } from './shape.ts'

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
 * What a write changes in the record that the reference `by` points at: its field → a formula over the written record.
 */
export interface Update {
  entity: string
  by: string
  when?: string
  set: Record<string, string>
}
/**
 * A message that a write sends to users who receive its type and may see the record. `{field}` in its texts and link is
 * filled from the record.
 */
export interface Notify {
  type: string
  when?: string
  title: Label
  content?: Label
  link?: string
  /** Only to the users in this field, whatever types their roles receive. */
  to?: string
  /** Only to users of the departments in this field, and of those below; to all if it is empty. */
  departments?: string
}
/**
 * Once a day: a transition of each record, a new record for each, a procedure for all of them, or a message about each.
 */
export interface Daily {
  hourly: boolean
  /** Only records that did not match the last time. */
  newly: boolean
  where: Filter
  when?: string
  transition?: string
  create?: Append
  run?: string
  notify: Notify[]
  /** Messages about a record for which the system was refused: the reason follows the content. */
  refused: Notify[]
}
/** What happens along with a write, in the same transaction. */
export interface Effects {
  set: Record<string, string>
  append: Append[]
  updates: Update[]
  notify: Notify[]
  /** A procedure in src/procedures that continues with what was written, after everything else. */
  run?: string
}

/**
 * A field that an operation prompts for; a computed one is only shown, computed from the input. `label`: its label
 * there; `defaultFrom`: its initial value if a single record has none; `namedBy`: with several records, the field whose
 * value is in the names of each record's files.
 */
export interface PromptedField {
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
  /** Fields prompted for before the transition; those in `required` must be given. */
  form: PromptedField[]
  confirm?: Label
  /** As in an action. */
  foresee?: boolean | string
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
 * A file generated from records: the uploaded files of a field in an archive, a workbook, or what a procedure makes: `{
 * name, content }`, which is not stored.
 */
export interface Download {
  name: string
  label: Label
  permission: string
  /** Conditions on each record, with the message for those that fail. */
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
 * One sheet for all records or, with `each`, one for each. With an `entity`, its rows are the records of that entity
 * whose reference `by` is the record.
 */
export interface DownloadSheet {
  title?: Label
  each: boolean
  entity?: string
  by?: string
  columns: { field: string; label?: Label }[]
}

/** An operation of the entity besides the standard ones and its transitions. */
export interface EntityAction extends Effects {
  name: string
  label: Label
  permission: string
  /** Conditions for it, with the message if one fails. */
  guards: Rule[]
  when?: string
  confirm?: Label
  danger: boolean
  /** Sets these fields on one or many records; fields left empty are unchanged. */
  update?: string[]
  /** A procedure in src/procedures. */
  run?: string
  /** A procedure that returns the dialog's initial values, as `values`. It writes nothing. */
  prepare?: string
  /**
   * It is tried before the user confirms, and rolled back: the engine reports what it would create, or the named
   * procedure reports what it would lead to.
   */
  foresee?: boolean | string
  /** It may take long: see `job` of the schema language. A procedure splits the work of `run`. */
  job?: boolean | string
  form: PromptedField[]
}

/** Effects that follow a save. All that match apply, in order. */
export interface SaveEvent extends Effects {
  on: 'create' | 'update' | 'delete'
  when?: string
  /** Only if one of these fields changed. */
  changed?: string[]
  /** A permission needed besides the one to save: without it the save is refused. */
  permission?: string
  confirm?: Label
  /** It may take long: see `job` of the schema language. */
  job?: boolean
}

/**
 * Which records a user sees, by the role's data scope. `via`: those whose record at the first of these reference fields
 * with a value is visible; of a reference to many, all of them.
 * `only`: only the users in these fields, whatever their data scope.
 */
export type Scope = { via: string[] } | { only: string[] } | { owners: string[]; departments: string[] }

/**
 * At most `max` records may match `where`, among those with the same values of `within` (for a list: with a common
 * item) and an overlapping period; one more is refused, at the field `at`.
 */
export interface Limit {
  where: Filter
  max: number
  within: string[]
  period?: { from: string; to: string }
  at: string
  message: Label
}

export interface Entity extends EntityKeys {
  name: string
  area: string
  endpoint: string
  fields: Record<string, Field>
  /**
   * There is exactly one record, created at the start with the defaults; expressions read it as
   * `settings.<entity>.<field>`.
   */
  single?: true
  /** The reference field to the record that owns this row; it is saved and permitted only with its owner. */
  rowOf?: { entity: string; field: string; by: string }
  /** It records changes of other entities and owns no records. */
  log?: true
  /** Permissions to view and export parts of its records, if they do not share one permission. */
  parts?: { where: Filter; view: string; export: string }[]
  /** Which records a reference offers; the others stay readable. */
  offered?: Filter
  scope?: Scope
  rules: Rule[]
  limits: Limit[]
  states: StateMachine[]
  saves: SaveEvent[]
  /** What the system does once a day with the matching records. */
  daily?: Record<string, Daily>
  actions: Record<string, EntityAction>
  /** Files generated from records, besides the usual export. */
  downloads?: Record<string, Download>
  /** Standard writes: never, always, or while the condition holds. */
  allow: Record<'create' | 'update' | 'delete', boolean | string>
  /** What must hold for an import that wrote a record to be undone. */
  undo?: { guards: Rule[] }
  /** Operation → permission string: view, create (…:add), update (…:edit), delete, export, viewSensitive. */
  permissions: Record<'view' | 'create' | 'update' | 'delete' | 'export' | 'viewSensitive', string>
  /** The file that declares it. */
  file: string
  /** If generated by a family: the name shared by every family of the template, `*Addition`. */
  named?: string
}
