import { sql, type RawBuilder } from 'kysely'
import type { Entity, Field, Filter, FilterValue, Operator, Value } from '../../../model/model.ts'
import { conditionsOf, filterValues } from '../../../model/filter.ts'
import { seesWhole } from '../../identity/access.ts'
import { Refusal } from '../../errors.ts'
import { translateBroughtText, translateBroughtTextSql } from './translateBroughtText.ts'
import type { ComputedFields } from './ComputedFields.ts'
import { formulaSql } from './formulaSql.ts'
import { descendants, tableOf, type Condition } from '../../identity/scope.ts'
import type { Context } from '../../runtime.ts'

/** The maximum number of values in one filter. */
const mostOperands = 1000

/**
 * A client filters declared, stored fields, with the operators of their widgets; a field that the user sees masked is
 * refused, because the answers would reveal what the mask hides.
 */
export function clientConditions(
  context: Context,
  entity: Entity,
  alias: string,
  filters: Record<string, FilterValue>,
  computed?: ComputedFields,
): Condition[] {
  return Object.entries(filters).flatMap(([name, filter]) => {
    const field = queriedField(context, entity, name)
    const allowed = context.derived.widget(field).operators
    return conditionsOf(filter ?? {}).map(([operator, operand]) => {
      if (!allowed.includes(operator as Operator)) {
        throw new Refusal('operator', { parameters: { field: field.label, operator, allowed: allowed.join(', ') } })
      }
      if (Array.isArray(operand) && operand.length > mostOperands)
        throw new Refusal('operand', { parameters: { field: field.label } })
      return condition({ context, entity, field, alias, computed }, operator as Operator, operand)
    })
  })
}

/** A filter of the schema files may use any operator that suits the column. */
export function declaredConditions(
  context: Context,
  entity: Entity,
  alias: string,
  filter: Filter | undefined,
  computed?: ComputedFields,
): Condition[] {
  return Object.entries(filterValues(filter ?? {})).flatMap(([name, values]) =>
    conditionsOf(values).map(([operator, operand]) =>
      condition({ context, entity, field: entity.fields[name], alias, computed }, operator as Operator, operand),
    ),
  )
}

/** @throws if the field is unknown or masked for this user */
export function queriedField(context: Context, entity: Entity, name: string): Field {
  const field = Object.hasOwn(entity.fields, name) ? entity.fields[name] : undefined
  if (!field) throw new Refusal('unknownField', { parameters: { entity: entity.label, field: name } })
  if (!seesWhole(context, entity, field) || context.derived.widget(field).protect) {
    throw new Refusal('maskedField', { parameters: { field: field.label } })
  }
  return field
}

function condition(
  { context, entity, field, alias, computed }: Filtered & { entity: Entity; computed: ComputedFields | undefined },
  operator: Operator,
  operand: Value,
): Condition {
  const isStored = context.derived.columns[entity.name][field.name] !== undefined
  const formula = isStored
    ? undefined
    : computed
      ? computed.valueOf(field)
      : formulaSql(context, entity, field, alias, declaredConditions)
  const type = formula
    ? context.derived.widget(field).column(field.options)!
    : context.derived.columns[entity.name][field.name]
  const refuse = (): never => {
    throw new Refusal('operand', { parameters: { field: field.label } })
  }
  if (operator === 'empty' && typeof operand !== 'boolean') refuse()
  if (type === undefined) return rowsCondition({ context, field, alias }, operator, operand)

  const column = formula ?? sql.ref(`${alias}.${field.name}`)
  const isArray = type.endsWith('[]')
  const element = type.replace(/\[\]$/, '')
  const at: Column = { context, field, alias, column, isArray, element }
  const checked = (value: Value) => operandOf(context, field, element, value) ?? refuse()
  const many = (value: Value) => (Array.isArray(value) && value.length > 0 ? value.map(checked) : refuse()) as unknown[]
  const list = (value: Value) => sql`${many(value)}::${sql.raw(arrayType(element))}`

  switch (operator) {
    case 'equals': {
      const value = checked(operand)
      return isArray
        ? sql<boolean>`${column} @> array[${value}]::${sql.raw(type)}`
        : sql<boolean>`${column} = ${typed(value, element)}`
    }
    case 'in':
    case 'overlaps':
      return isArray ? sql<boolean>`${column} && ${list(operand)}` : sql<boolean>`${column} = any(${list(operand)})`
    case 'between': {
      if (!Array.isArray(operand) || operand.length !== 2) return refuse()
      const [from, to] = operand
      const bounds: Condition[] = []
      if (from !== null && from !== '') bounds.push(sql<boolean>`${column} >= ${typed(checked(from), element)}`)
      if (to !== null && to !== '')
        bounds.push(sql<boolean>`${column} <= ${typed(checked(endOf(to, element)), element)}`)
      return bounds.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(bounds, sql` and `)})`
    }
    case 'contains':
      return typeof operand === 'string' && operand !== '' ? containsText(at, operand) : refuse()
    case 'under': {
      const ids = (Array.isArray(operand) ? operand : [operand]).map((value) => Number(checked(value)))
      const target = context.derived.target(field)
      if (!target?.entity.tree || ids.length === 0) return refuse()
      const below = descendants(context, target.entity, ids)
      return isArray ? sql<boolean>`${column} && array${below}` : sql<boolean>`${column} in ${below}`
    }
    case 'where':
      return typeof operand === 'object' ? (pointsAt(at, operand as Filter) ?? refuse()) : refuse()
    case 'empty':
      return operand === true ? sql<boolean>`${isNothing(at)}` : sql<boolean>`not (${isNothing(at)})`
    default:
      return refuse()
  }
}

interface Filtered {
  context: Context
  field: Field
  alias: string
}

interface Column extends Filtered {
  /** Or the formula in its place. */
  column: RawBuilder<unknown>
  isArray: boolean
  /** The type of the column, or of the items of its array. */
  element: string
}

/** A field without a column can only be tested for having rows. */
function rowsCondition({ context, field, alias }: Filtered, operator: Operator, operand: Value): Condition {
  const target = context.derived.target(field)
  if (!target?.rows || operator !== 'empty') throw new Refusal('unstoredField', { parameters: { field: field.label } })
  const meant = [sql`true`, ...declaredConditions(context, target.entity, 'r', target.rows.where)]
  const rows = sql`(select from ${tableOf(context, target.entity)} as r
    where ${sql.ref(`r.${target.rows.by}`)} = ${sql.ref(`${alias}.id`)}
      and r."deletedAt" is null and ${sql.join(meant, sql` and `)})`
  return operand === true ? sql<boolean>`not exists ${rows}` : sql<boolean>`exists ${rows}`
}

function containsText({ context, field, column, isArray, element }: Column, text: string): Condition {
  const pattern = `%${escapeLike(text)}%`
  if (isArray) return sql<boolean>`exists (select from unnest(${column}) as item where item::text ilike ${pattern})`
  if (element === 'jsonb') {
    return sql<boolean>`exists (select from jsonb_array_elements_text(case jsonb_typeof(${column}) when 'array' then ${column} else '[]' end) as item
      where item ilike ${pattern})`
  }
  const read = translateBroughtTextSql(context.language, context.derived.catalog.app.languages, field, column)
  if (read) return sql<boolean>`(${column} ilike ${pattern} or ${read} ilike ${pattern})`
  return sql<boolean>`${column}::text ilike ${pattern}`
}

/** The field refers to a record to which the filter applies; undefined if it is not a reference. */
function pointsAt({ context, field, alias, column, isArray }: Column, filter: Filter): Condition | undefined {
  const target = context.derived.target(field)
  if (!target || target.rows) return undefined
  const there = `${alias}_there`
  const pointedAt = declaredConditions(context, target.entity, there, filter)
  const id = sql.ref(`${there}.id`)
  return sql<boolean>`exists (select from ${tableOf(context, target.entity)} as ${sql.ref(there)}
    where ${isArray ? sql`${id} = any(${column})` : sql`${id} = ${column}`}
      and ${sql.ref(`${there}.deletedAt`)} is null and ${sql.join([sql`true`, ...pointedAt], sql` and `)})`
}

function isNothing({ column, isArray, element }: Column): RawBuilder<unknown> {
  if (isArray) return sql`coalesce(cardinality(${column}), 0) = 0`
  if (element === 'jsonb') return sql`(${column} is null or ${column} in ('[]', '{}', 'null'))`
  if (element === 'text') return sql`coalesce(${column}, '') = ''`
  return sql`${column} is null`
}

export const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** May exceed the column's range, because it is only compared. */
export const typed = (value: unknown, type: string): RawBuilder<unknown> =>
  sql`${value}::${sql.raw(type.replace(/^numeric\(.*\)$/, 'numeric'))}`
/** Without its size, because `char(7)` would cut longer values. */
export const arrayType = (type: string) => `${type.replace(/\(.*\)/, '')}[]`.replace(/^char\[\]$/, 'text[]')

/** A day as the upper end of a range of moments includes the whole day. */
const endOf = (value: Value, type: string): Value =>
  type.startsWith('timestamp') && typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)
    ? `${value} 23:59:59`
    : value

/** A day that exists in the calendar. */
const isDay = (text: string): boolean => {
  const [year, month, day] = text.split('-').map(Number)
  return year > 0 && day <= new Date(Date.UTC(year < 100 ? 2000 + year : year, month, 0)).getUTCDate()
}
const within = (bits: number) => (text: string) => /^-?\d{1,15}$/.test(text) && Math.abs(Number(text)) < 2 ** bits

/** The text form of values by column type. */
const shapes: [RegExp, (text: string) => boolean][] = [
  [/^bigint$/, within(53)],
  [/^integer$/, within(31)],
  [/^smallint$/, within(15)],
  [/^numeric/, (text) => /^-?\d{1,40}(\.\d{1,40})?$/.test(text)],
  [/^date$/, (text) => /^\d{4}-(0[1-9]|1[0-2])-\d\d$/.test(text) && isDay(text)],
  [
    /^timestamp/,
    (text) => /^\d{4}-(0[1-9]|1[0-2])-\d\d( ([01]\d|2[0-3]):[0-5]\d:[0-5]\d)?$/.test(text) && isDay(text.slice(0, 10)),
  ],
  [/^boolean$/, (text) => /^(true|false)$/.test(text)],
]

/** Whether a column of the type can be compared with the value. */
export const isComparable = (type: string, value: unknown): boolean => {
  const isOf = shapes.find(([types]) => types.test(type))?.[1]
  return !isOf || isOf(String(value))
}

/** The operand in the column's type; undefined if it is not a value of that type. */
function operandOf(context: Context, field: Field, type: string, given: Value): unknown {
  if (given === null || given === '' || (typeof given === 'object' && Array.isArray(given))) return undefined
  const widget = context.derived.widget(field)
  let value: unknown = given
  // Values that the widget would refuse (a day for a moment, half a code) may still be compared with the column.
  const normal: Value = widget.normalize(given, field.options)
  const single = Array.isArray(normal) ? normal[0] : normal
  if (single !== null && single !== undefined) value = single
  if (typeof value === 'object' && value !== null) value = (value as { id?: unknown }).id
  if (typeof value === 'string') value = translateBroughtText(context.derived.catalog.app.languages[0], field, value)
  if (value === null || value === undefined || typeof value === 'object') return undefined
  return isComparable(type, value) ? value : undefined
}
