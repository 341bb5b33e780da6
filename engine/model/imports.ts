import type { FieldProblem, RecordData } from './values.ts'
import type { Filter, Label } from './shape.ts'

/** One column of an import: a field of the records that it writes. */
export interface ImportColumn {
  field: string
  label: Label
  /** Marked in the template; the field decides whether a row needs it. */
  required: boolean
  note?: Label
  sample?: string
  /** Its value must equal the record's; it is not written. */
  compared: boolean
  /** 同上 or "as above" in a cell repeats the value of this other column. */
  sameAs?: string
}

/** How an import handles a file, as its screen's plan says under `import`. */
export interface ImportPlan {
  /** The entities that store records, batches and rows of files. */
  into: string
  batches: string
  rows: string
  title: Label
  columns: ImportColumn[]
  /** Fields whose values identify the record of a row. */
  key: string[]
  /** For rows whose record exists already; `choose`: the uploader decides whether to skip or to update. */
  existing: 'refuse' | 'skip' | 'update' | 'choose'
  /** For rows whose record does not exist. */
  missing: 'create' | 'refuse'
  /** Only these records are found by the key. */
  among: Filter
  /** Of several records with the same key, the one that matches this. */
  prefer: Filter
  /** Of several that `prefer` leaves out, a row means all if its `as` is nearest to the sum of their `sum`. */
  together?: { sum: string; as: string }
  /** A condition on the record: whether a row may update it. */
  updateWhen?: string
  /** The message if it may not; `{field}` is filled from the record. */
  updateMessage?: Label
  /** Besides the rules of the entity; a hint is reported, but the row is written. */
  checks: { check: string; when?: string; at: string; message: Label; hint: boolean }[]
  /** The screen that shows the rows of a file; `{id}` is the batch. */
  details?: string
  /**
   * Values given once at the upload for the whole file: a field of the records, and the batch's field that stores it.
   */
  given: { field: string; kept: string; label: Label }[]
  /** Field → formula over the row's values. */
  set: Record<string, string>
  /**
   * A transition of the record afterwards, fixed or chosen by the value of a column. The fields it prompts for may be
   * columns.
   */
  transition?: string | { by: string; of: Record<string, string> }
  /** A procedure that returns what each valid row would lead to, before anything is written: see `Foreseen`. */
  foresee?: string
  /**
   * A procedure that receives the records of all rows after they are written; after an undo, as they are then and as
   * they were before it (`before`).
   */
  finish?: string
  /** Even a file without problems waits for confirmation. */
  confirmAlways: boolean
  maxRows: number
}

/** Every transition that may follow a row. */
export const outcomesOf = ({ transition }: Pick<ImportPlan, 'transition'>): string[] =>
  transition === undefined ? [] : typeof transition === 'string' ? [transition] : Object.values(transition.of)

/** The entities that an import screen adds. */
export const batchEntityOf = (name: string) => `${name}Import`
export const rowEntityOf = (name: string) => `${name}ImportRow`

/** The field of a row's entity that shows a value of its target record. */
export const resultField = (field: string) => `target${field[0].toUpperCase()}${field.slice(1)}`

/** The field of a batch's entity that stores a value given for the whole file. */
export const givenField = (field: string) => `given${field[0].toUpperCase()}${field.slice(1)}`

/** The field of a row's entity that stores the cell as given. */
export const cellField = (field: string) => `cell${field[0].toUpperCase()}${field.slice(1)}`

/** Characters that a cell may have, unless its field takes more. */
export const mostInCell = 4_000

/**
 * What `foresee` returns for a record: its values, the hints that no longer apply, and its problems. In the order of
 * the records, as `{ rows }`.
 */
export interface Foreseen {
  values?: RecordData
  problems?: FieldProblem[]
}

export type ImportStatus =
  | 'processing'
  | 'checked'
  | 'completed'
  | 'partial'
  | 'failed'
  | 'cancelled'
  | 'undoing'
  | 'undone'
export type ImportRowStatus = 'toCreate' | 'toUpdate' | 'created' | 'updated' | 'skipped' | 'failed' | 'undone'

/** A problem of a row: `column` is a field, absent if it concerns the whole row; `cell` as `C17`. */
export interface ImportProblem {
  column?: string
  cell?: string
  code: string
  message: Label
}

/** `GET {endpoint}/problems?id=`: how many rows have which problem, the most frequent first. */
export interface ImportProblemGroup {
  column: string | null
  code: string
  label: Label
  count: number
  message: Label
}
