/** The interface of a widget: one folder, one field type. */
import type { Dictionary } from './field.ts'
import type { Label, ObjectShape } from './shape.ts'
import type { Opaque, Problem, RecordData, Value } from './values.ts'

export type Operator = 'contains' | 'equals' | 'in' | 'between' | 'overlaps' | 'under' | 'empty' | 'where'
/**
 * `{ contains: 'x' }`, `{ in: ['a'] }`, `{ between: [from | null, to | null] }` (inclusive), `{ under: 7 }`, `{ empty:
 * true }`, and only in schema files `{ where: { code: 'sales' } }`: a filter on what a reference points at. Several
 * operators all hold, and so do those of all parts of `and`, which `combined` makes and no file writes.
 */
export type FilterValue = { [operator in Operator]?: Value } & { and?: { [operator in Operator]?: Value }[] }

/** What a widget may know about its surroundings, the same in the browser and on the server. */
export interface WidgetContext {
  label: Label
  dictionary(name: string): Dictionary
  /** The business clock, `yyyy-MM-dd HH:mm:ss` in Asia/Shanghai. */
  now(): string
}

/**
 * How expressions see a value. `list<…>` for many; a decimal is exact; dates and months are strings that sort
 * correctly.
 */
export type ExpressionType = 'string' | 'decimal' | 'boolean' | 'list<string>' | 'list<decimal>' | 'list<map>' | 'map'

/** Identifies the rows of another record: those that point at it by this reference, and have these values. */
export interface RowsOf {
  by: string
  where: Record<string, Value>
  byType?: ByType
  /** The most rows that a client may send. */
  max: number
}

/** Field type → options that its fields have in some place. */
export type ByType = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/**
 * The pure half of a widget. `O` are its options after defaults, `V` its canonical non-null value in wire form.
 * `normalize` runs first everywhere (form, cell, inline edit, API); `check` only sees what `normalize` returned, never
 * null.
 */
export interface Widget<O = Opaque, V = Opaque> {
  type: string
  /** Its names in other tools, in lower case, for a hint to authors who use one of them. */
  alsoCalled?: readonly string[]
  label: Label
  /** The keys of a field of this type besides the common ones. */
  options: ObjectShape
  /**
   * The verb of the required message: 请输入/Please enter, 请选择/Please select, 请上传/Please upload. Inputs check on blur,
   * others on change.
   */
  prompt: 'enter' | 'select' | 'upload'
  expression: ExpressionType
  /** The PostgreSQL column type; null if the value is stored in another entity's table. */
  column(options: O): string | null
  /** The server fills in the value: the format of the record's number series. */
  series?(options: O, record: RecordData): string
  /** For a series: whether a client may give the value of a new record. */
  given?(options: O): boolean
  /** The value points at records of this entity; `rows`: at records that belong to this one and are saved with it. */
  target?(options: O): { entity: string; many: boolean; rows?: RowsOf }
  /** The dictionary of its values. */
  dictionary?(options: O): string | undefined
  /** Whether the values are permissions, `*` standing for any part of one. */
  permissions?(options: O): boolean
  /**
   * Whether the value records what saves changed, as from the functions `changes()` and `changesSince()`; in wire form
   * it is `ChangeText[]`.
   */
  changes?(options: O): boolean
  /** Whether the value is a list of messages, each `{ message }` in every language. */
  messages?(options: O): boolean
  /** Stored so that it never leaves the server: `hash` one way, `encrypt` shown as ****** and the last four. */
  protect?: 'hash' | 'encrypt'
  /** The value is HTML, which the server sanitises on the way in. */
  html?: boolean
  /** The value holds uploaded files. */
  files?: boolean
  /** Whether the files may be fetched by their address alone, without a session. */
  isPublic?(options: O): boolean
  /**
   * What was typed, sent or read from a cell → canonical, or null if empty ('' and [] are empty). Never throws: it
   * passes on what it cannot read, for `check` to report.
   */
  normalize(value: unknown, options: O): V | null
  check(value: V, options: O, context: WidgetContext): Problem | undefined
  /**
   * A warning about a value in a schema file: its code, and the correct value. `key`: the option that it is under,
   * `default`, or `condition` if an expression compares the field with it.
   */
  doubt?(written: unknown, key: string, options: O): { code: string; suggestion?: string } | undefined
  /** For users who may not see the whole value. */
  mask?(value: V, options: O): string
  /** One line of plain text: list cells, titles, history, exports of what a sheet cannot hold. */
  text(value: V, options: O, context: WidgetContext, language: string): string
  /** What a list cell shows, if shorter than `text`: the ends of a long number. */
  brief?(value: V, options: O): string
  align?: 'right' | 'center'
  width(options: O): number
  /** The supported filter operators; the first is the default. */
  operators: readonly Operator[]
  sortable: boolean
  summable?: boolean
  /** Its values are whole numbers, which can count records and order siblings. */
  counts?: boolean
  /** The value is a sum of money. */
  isAmount?: boolean
  /** What its numbers are counted in: those of two units are never added up. */
  unit?(options: O): string
  /** The value as one spreadsheet cell. If absent, it can be neither imported nor exported. */
  sheet?: {
    /** A spreadsheet number format; '@' keeps long digits as text. */
    format?(options: O): string | undefined
    write(value: V, options: O, context: WidgetContext, language: string): string | number | boolean | Date
    /** The cell as read → something `normalize` understands (labels of either language become values). */
    read(cell: unknown, options: O, context: WidgetContext): unknown
    /** The most characters that a valid value has; if absent, those of any cell. */
    longest?(options: O): number
  }
}

/** Examples for the contract test and the gallery. */
export interface WidgetExamples {
  /** Options to try; the first set is used if only one is needed. */
  options: Record<string, unknown>[]
  /** Accepted under the first options: input → canonical form. */
  good: { given: unknown; canonical: Value; text: Label }[]
  /** Refused under the options at `with` (default 0), with both messages (`{label}` is the field's label). */
  bad: { given: unknown; code: string; message: Label; with?: number }[]
  /** Cells as a spreadsheet yields them. */
  cells?: { cell: unknown; canonical: Value }[]
  /** Dictionaries that the examples need. */
  dictionaries?: Record<string, Dictionary>
}
