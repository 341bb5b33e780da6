import type { FieldProblem, RecordData } from './values.ts'
import type { Filter, Label } from './shape.ts'

/** One column of an import: a field of the records that it writes. */
export interface ImportColumn {
  field: string
  label: Label
  /** Marked in the template; whether a row needs it, its field decides. */
  required: boolean
  note?: Label
  sample?: string
  /** Its value must be what the record has; it is not written. */
  compared: boolean
  /** 同上 or "as above" stands for the value of this other column. */
  sameAs?: string
}

/** What an import does with a file, as the plan of its screen says under `import`. */
export interface ImportPlan {
  /** The entities that records, batches and rows of files are kept in. */
  into: string
  batches: string
  rows: string
  title: Label
  columns: ImportColumn[]
  /** Their values tell which record a row means. */
  key: string[]
  /** A row whose record exists already; `choose`: the uploader says whether to skip or to update. */
  existing: 'refuse' | 'skip' | 'update' | 'choose'
  /** A row whose record is not there. */
  missing: 'create' | 'refuse'
  /** Only these records are found by the key. */
  among: Filter
  /** Of several with the same key, this one is meant. */
  prefer: Filter
  /** Of the record: may a row update it? */
  updateWhen?: string
  /** What is said where it may not; `{field}` is the record's. */
  updateMessage?: Label
  /** In addition to the rules of the entity; a hint is reported, and the row is written. */
  checks: { check: string; when?: string; at: string; message: Label; hint: boolean }[]
  /** Where the rows of a file are shown; `{id}` is the batch. */
  details?: string
  /**
   * What is said once, at the upload, for the whole file: a field of the records, and the batch's field that keeps it.
   */
  given: { field: string; kept: string; label: Label }[]
  /** Field → formula, over what the row says. */
  set: Record<string, string>
  /**
   * What then happens to the record; by what a column says, another for each of its values. Its asked fields may be
   * columns.
   */
  transition?: string | { by: string; of: Record<string, string> }
  /** A procedure that says before anything is written what each good row comes to: see `Foreseen`. */
  foresee?: string
  /**
   * A procedure that is given the records of all rows once they are written; once they are undone as they are then, and
   * as they were with them (`before`).
   */
  finish?: string
  /** A clean file waits for a confirmation too. */
  asks: boolean
  maxRows: number
}

/** Every transition that a row may be followed by. */
export const outcomesOf = ({ transition }: Pick<ImportPlan, 'transition'>): string[] =>
  transition === undefined ? [] : typeof transition === 'string' ? [transition] : Object.values(transition.of)

/** The entities that an import screen brings with it. */
export const batchEntityOf = (name: string) => `${name}Import`
export const rowEntityOf = (name: string) => `${name}ImportRow`

/** The field of a row's entity that shows what the record has which it became. */
export const resultField = (field: string) => `target${field[0].toUpperCase()}${field.slice(1)}`

/** The field of a batch's entity that keeps what was said for the whole file. */
export const givenField = (field: string) => `given${field[0].toUpperCase()}${field.slice(1)}`

/** The field of a row's entity that keeps the cell as it was given. */
export const cellField = (field: string) => `cell${field[0].toUpperCase()}${field.slice(1)}`

/**
 * What `foresee` says of a record: values that it will have, which hints go by, and what is wrong with it. In the order
 * of the records, as `{ rows }`.
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

/** Something that is wrong with a row: `column` is a field, absent where it is about the whole; `cell` as `C17`. */
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
