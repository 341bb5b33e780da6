/** A field of a compiled entity, and the dictionary that its value may come from. */
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
/** `last`: a reference to the newest record. */
export type Aggregate = 'sum' | 'count' | 'min' | 'max' | 'last'
export type Computed =
  | { kind: 'formula'; formula: string }
  /**
   * Over the records of `entity` that match `where` and whose reference `by` is this record, or the one that its own
   * reference `of` points at. `during`: only those whose period (`from`, `until`) contains this record's `at`.
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
   * The record of `entity` that has this record's value of `by` in one of the fields `in`, trying the fields in order.
   */
  | { kind: 'find'; entity: string; by: string; in: string[] }
  /** The value of `field` in the record that this entity's reference `by` points at. */
  | { kind: 'lookup'; by: string; field: string }

export interface Field {
  name: string
  type: string
  label: Label
  hint?: Label
  /** Texts that the product writes into the field, shown in the reader's language; `{}` matches any text. */
  brought?: Label[]
  /** The widget's own options with defaults filled in. */
  options: Record<string, Opaque>
  required: boolean
  requiredWhen?: string
  visibleWhen?: string
  readOnlyWhen?: string
  /** Set by the system (req A): never taken from a client. */
  readOnly: boolean
  /** A literal for new records. */
  default?: Value
  /** A formula for new records and, if `follow` is set, whenever its inputs change while the field is empty. */
  defaultFrom?: string
  unique: boolean
  /** Unique among the rows of one parent: the name of the reference field that scopes it. */
  uniqueWithin?: string
  /** Masked without `area:entity:viewSensitive`. */
  sensitive: boolean
  /** Further permissions needed to see it unmasked, because it may hold sensitive values of other entities. */
  seenWith?: string[]
  computed?: Computed
  /** False if it is only written and read by rules, but not stored. */
  kept?: false
  /** A condition: the record is deleted together with the one that it refers to. Otherwise it blocks that deletion. */
  deletedWith?: string
  /** Its records draw on what it refers to: writing one raises the other's revision. */
  draws?: true
  /** The former name: the column is renamed without losing data. */
  was?: string
}
