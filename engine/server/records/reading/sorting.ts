import { sql, type RawBuilder } from 'kysely'
import type { Entity, Field, SortKey } from '../../../model/model.ts'
import { seesWhole } from '../../identity/access.ts'
import { Refusal } from '../../errors.ts'
import { declaredConditions, isComparable, queriedField, typed } from './filters.ts'
import { translateBroughtTextSql } from './translateBroughtText.ts'
import { displaySql, formulaSql } from './formulaSql.ts'
import { columnOf, main } from './columnOf.ts'
import { allOf } from './visibleConditions.ts'
import { readableTable } from './readableTable.ts'
import type { Context } from '../../runtime.ts'
import { type Condition, tableOf } from '../../identity/scope.ts'

/** Limits the sort fields, because the client chooses them. */
const mostOrders = 5

/** One of the values that records are ordered by. */
interface Term {
  expression: RawBuilder<unknown>
  /** Its database type. */
  type: string
  descending: boolean
  /** Where records without a value come; absent if every record has one. */
  empty?: 'first' | 'last'
  /** Whether an index has the records in this order, then by id. */
  isIndexed: boolean
}
export type Order = readonly Term[]

/** `field` or `-field`, several separated by commas; then by id, so that pages never overlap. */
export function orderOf(context: Context, entity: Entity, sort: string | undefined): Order {
  const several = sort?.includes(',')
  const sorts = sort ? (several ? sort.split(',').slice(0, mostOrders) : [sort]) : []
  const terms = sorts.map((each) => termOf(context, entity, each))
  const isById = terms.length === 1 && (sort === 'id' || sort === '-id')
  return isById ? terms : [...terms, idTerm(several || terms.length === 0 || terms[0].descending)]
}

const idTerm = (descending: boolean): Term => ({
  expression: sql.ref(`${main}.id`),
  type: 'bigint',
  descending,
  isIndexed: true,
})

function termOf(context: Context, entity: Entity, sort: string): Term {
  const descending = sort.startsWith('-')
  const name = sort.replace(/^-/, '')
  if (name === 'id' || name === '') return idTerm(descending || name === '')
  const isOwn = entity.indexes.some(([first]) => first === name)
  const method = descending ? 'descending' : 'ascending'
  const isDerived = (context.derived.catalog.tables[entity.name]?.indexes ?? []).some(
    ({ columns: [first], ...index }) => first === name && index.method === method,
  )
  const field = queriedField(context, entity, name)
  // An index has the stored texts, which another language sorts differently.
  const isRead = field.brought && context.language !== context.derived.catalog.app.languages[0]
  return {
    ...sortExpression(context, entity, field),
    descending,
    // An index of the entity's own serves the order only as it is: with empty values first if it descends.
    empty: isOwn && descending && !isDerived ? 'first' : 'last',
    isIndexed: !isRead && (isOwn || isDerived),
  }
}

/** Dictionary values in their order, references by name, texts as a Chinese reader expects them. */
function sortExpression(context: Context, entity: Entity, field: Field): Pick<Term, 'expression' | 'type'> {
  const { derived } = context
  const widget = derived.widget(field)
  const column = columnOf(context, entity, field, true) ?? formulaSql(context, entity, field, main, declaredConditions)
  if (!column || !widget.sortable) throw new Refusal('unsortable', { parameters: { field: field.label } })
  const dictionary = widget.dictionary?.(field.options)
  if (dictionary) {
    const values = derived.catalog.dictionaries[dictionary].choices.map((choice) => choice.value)
    return { expression: sql`array_position(${values}::text[], ${column})`, type: 'integer' }
  }
  const target = derived.target(field)
  if (target) {
    // The order would reveal what the mask hides.
    if (!seesWhole(context, target.entity, target.entity.fields[target.entity.display]))
      throw new Refusal('maskedField', { parameters: { field: field.label } })
    const name = collated(context, displaySql(context, target.entity, 'named'))
    return {
      expression: sql`(select ${name} from ${tableOf(context, target.entity)} as named where named.id = ${column})`,
      type: 'text',
    }
  }
  const stored = derived.columns[entity.name][field.name]
  // An index sorts by code points, and numbers of a series sort the same either way.
  const plain = widget.series !== undefined || entity.indexes.some(([first]) => first === field.name)
  const read = translateBroughtTextSql(context.language, derived.catalog.app.languages, field, column)
  return {
    expression: read ? collated(context, read) : stored === 'text' && !plain ? collated(context, column) : column,
    // A sum of whole numbers may be larger than one that is stored.
    type: stored ?? widget.column(field.options)!.replace(/^(integer|smallint)$/, 'bigint'),
  }
}

function collated(context: Context, expression: RawBuilder<unknown>): RawBuilder<unknown> {
  const { collation } = context.runtime
  return collation ? sql`${expression}::text collate ${sql.ref(collation)}` : expression
}

/** The expression after `order by`. */
export const orderSql = (order: Order, expression = ({ expression }: Term, _index: number) => expression) =>
  sql`${sql.join(
    order.map((term, index) => {
      const { descending, empty } = term
      // Only stated if it differs from the database's default.
      const nulls =
        empty === 'last' && descending ? sql` nulls last` : empty === 'first' && !descending ? sql` nulls first` : sql``
      return sql`${expression(term, index)} ${descending ? sql`desc` : sql`asc`}${nulls}`
    }),
  )}`

/** The same records in reverse order. */
export const reversed = (order: Order): Order =>
  order.map((term) => ({
    ...term,
    descending: !term.descending,
    ...(term.empty && { empty: term.empty === 'first' ? ('last' as const) : ('first' as const) }),
  }))

/** The sort key of the row's record, as texts: a JSON array. */
export const keySql = (order: Order) =>
  sql<(string | null)[]>`array[${sql.join(order.map(({ expression }) => sql`(${expression})::text`))}]`

/**
 * The ids of the records after the one with this key, skipping so many. If an index has the order, each run of it is
 * read from its start; otherwise all records are read.
 * @throws Refusal request if no record can have such a key.
 */
export function idsAfter(
  context: Context,
  entity: Entity,
  conditions: readonly Condition[],
  { order, key, skip, limit }: { order: Order; key: SortKey; skip: number; limit: number },
): RawBuilder<unknown> {
  const runs = runsAfter(order, key)
  const from = sql`${readableTable(context, entity)} as ${sql.ref(main)}`
  const id = sql.ref(`${main}.id`)
  if (!order.every(({ isIndexed }) => isIndexed) || order.length > 2)
    return sql`select ${id} from ${from} where ${allOf([...conditions, sql<boolean>`(${sql.join(runs, sql` or `)})`])}
      order by ${orderSql(order)} limit ${limit} offset ${skip}`
  const names = order.map((_, index) => sql.ref(`key ${index}`))
  const keys = sql.join(order.map(({ expression }, index) => sql`${expression} as ${names[index]}`))
  const parts = runs.map(
    (run, index) => sql`(select ${id} as id, ${sql.lit(index)} as run, ${keys} from ${from}
      where ${allOf([...conditions, run])} order by ${orderSql(order)} limit ${limit + skip})`,
  )
  return sql`select id from (${sql.join(parts, sql` union all `)}) as runs
    order by run, ${orderSql(order, (_, index) => names[index])} limit ${limit} offset ${skip}`
}

/**
 * The records after a key, in order: first those equal to it except for the last value, finally those without values.
 */
function runsAfter(order: Order, key: SortKey): Condition[] {
  const isKey =
    key.length === order.length &&
    order.every(({ type, empty }, index) =>
      key[index] === null ? empty !== undefined : isComparable(type, key[index]),
    )
  if (!isKey) throw new Refusal('request', { parameters: { detail: 'after, before' } })
  const same = order.map(({ expression, type }, index) =>
    key[index] === null
      ? sql<boolean>`${expression} is null`
      : sql<boolean>`${expression} = ${typed(key[index], type)}`,
  )
  return order
    .flatMap(({ expression, type, descending, empty }, at) => {
      const value = key[at]
      const beyond: Condition[] = []
      if (value !== null)
        beyond.push(
          sql<boolean>`${expression} ${descending ? sql`<` : sql`>`} ${typed(value, type)}`,
          ...(empty === 'last' ? [sql<boolean>`${expression} is null`] : []),
        )
      else if (empty === 'first') beyond.push(sql<boolean>`${expression} is not null`)
      return [beyond.map((condition) => allOf([...same.slice(0, at), condition]))]
    })
    .toReversed()
    .flat()
}
