/** What a widget must be: one folder, one field type. */
import type { Dictionary } from './entity.ts'
import type { Label, ObjectShape } from './shape.ts'
import type { Opaque, Problem, RecordData, Value } from './values.ts'

export type Operator = 'contains' | 'equals' | 'in' | 'between' | 'overlaps' | 'under' | 'empty' | 'where'
/**
 * `{ contains: 'x' }`, `{ in: ['a'] }`, `{ between: [from | null, to | null] }` (both ends included), `{ under: 7 }`,
 * `{ empty: true }`, and in schema files alone `{ where: { code: 'sales' } }`: of a reference, what it points at.
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
  byType?: ByType
}

/** Field type → options that its fields have in some place. */
export type ByType = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/**
 * The pure half of a widget. `O` are its options after defaults, `V` its canonical non-null value as it travels.
 * `normalize` runs first on every surface (form, cell, inline edit, API); `check` sees only what `normalize` returned,
 * never null.
 */
export interface Widget<O = Opaque, V = Opaque> {
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
  /** May the files be fetched without a session, by their address alone? */
  isPublic?(options: O): boolean
  /**
   * What was typed, sent or read from a cell → canonical, or null where empty ('' and [] are empty). Never throws: what
   * it cannot read it hands on, for `check` to name.
   */
  normalize(value: unknown, options: O): V | null
  check(value: V, options: O, context: WidgetContext): Problem | undefined
  /**
   * A warning about a value in a schema file: its code, and what would be right.
   * `key`: the option that it is under, `default`, or `condition` where an expression compares the field with it.
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
  /** Its values are whole numbers, which can count records and order siblings. */
  counts?: boolean
  /** The value is a sum of money. */
  isAmount?: boolean
  /** What its numbers are counted in: those of two units are never added up. */
  unit?(options: O): string
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
