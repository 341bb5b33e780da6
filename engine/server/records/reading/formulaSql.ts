import { sql, type RawBuilder } from 'kysely'
import { relational, relationalType, type Relational, type RelationalType } from '../../../expression/index.ts'
import type { Aggregate, Entity, Field, Filter } from '../../../model/model.ts'
import type { Context } from '../../runtime.ts'
import { type Condition, descendants, scopeCondition, tableOf } from '../../identity/scope.ts'
import { hasUniqueItems, uniqueItemTable } from '../../postgres/uniqueItems.ts'

/** The conditions of a declared filter: passed in, because filters also use formulas. */
type Conditions = (context: Context, entity: Entity, alias: string, filter: Filter | undefined) => Condition[]

/** SQL casts for parts of a formula: texts compare by code point, as everywhere else that formulas are evaluated. */
const casts: Record<Exclude<RelationalType, 'null'>, string> = {
  string: 'text',
  decimal: 'numeric',
  boolean: 'boolean',
  'list<string>': 'text[]',
  'list<decimal>': 'numeric[]',
}

/**
 * A formula without a column, a look-up, or an aggregate (over records that the user may see, if `scoped`), computed by
 * the database for the records under `alias`, with the time and the user of the request. Undefined if the database
 * cannot compute it.
 */
export function formulaSql(
  context: Context,
  entity: Entity,
  field: Field,
  alias: string,
  conditions: Conditions,
  scoped = true,
): RawBuilder<unknown> | undefined {
  if (field.computed?.kind === 'lookup') return lookupSql(context, entity, field.computed, { alias, conditions })
  if (field.computed?.kind === 'find')
    return foundSql(context, field.computed, sql.ref(`${alias}.${field.computed.by}`), scoped)
  if (field.computed?.kind === 'aggregate') return aggregateSql(context, entity, field, { alias, scoped, conditions })
  if (field.computed?.kind !== 'formula') return undefined
  const formula = relational(field.computed.formula, context.derived.types(entity))
  const type = context.derived.widget(field).column(field.options)
  if (!formula || !type) return undefined
  const value = (name: string): RawBuilder<unknown> => {
    const used = entity.fields[name]
    const isStored = used === undefined || context.derived.columns[entity.name][name] !== undefined
    return (
      (isStored ? undefined : formulaSql(context, entity, used, alias, conditions, scoped)) ??
      sql.ref(`${alias}.${name}`)
    )
  }
  return sql`(${writeSql(formula, context, value)})::${sql.raw(type)}`
}

/**
 * A value of the record that a reference points at, deleted or not, because its name stays readable too. The reference
 * itself may be looked up or found.
 */
export function lookupSql(
  context: Context,
  entity: Entity,
  { by, field }: Extract<Field['computed'], { kind: 'lookup' }>,
  { alias, conditions }: Omit<Aggregating, 'scoped'>,
): RawBuilder<unknown> {
  const target = context.derived.target(entity.fields[by])!.entity
  const at = `${alias}_${by}`
  // Aggregates through a look-up are the same for everybody: only the reference decides what is visible.
  const value = (of: Entity, name: string, under: string) =>
    valueSql(context, of, name, { alias: under, conditions, scoped: false })
  return sql`(select ${value(target, field, at)} from ${tableOf(context, target)} as ${sql.ref(at)} where ${sql.ref(`${at}.id`)} = ${value(entity, by, alias)})`
}

/** The field's column under the alias, or the database's expression for it. */
export function valueSql(
  context: Context,
  entity: Entity,
  field: string,
  { alias, conditions, scoped }: Aggregating,
): RawBuilder<unknown> {
  const isStored = !Object.hasOwn(entity.fields, field) || context.derived.columns[entity.name][field] !== undefined
  return (
    (isStored ? undefined : formulaSql(context, entity, entity.fields[field], alias, conditions, scoped)) ??
    sql.ref(`${alias}.${field}`)
  )
}

/** A record's name, in its own column or in that of the record that it refers to. */
export function displaySql(context: Context, entity: Entity, alias: string): RawBuilder<unknown> {
  return valueSql(context, entity, entity.display, { alias, conditions: () => [], scoped: false })
}

/**
 * The record with this value in one of the fields: the first field with a match decides, and of several records the
 * oldest.
 */
export function findSql(
  context: Pick<Context, 'derived'>,
  { entity: name, in: fields }: Extract<Field['computed'], { kind: 'find' }>,
  value: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const entity = context.derived.catalog.entities[name]
  const found = fields.map((field) => {
    if (hasUniqueItems(context, entity, entity.fields[field])) {
      return sql`(select record_id from ${sql.table(uniqueItemTable)} where entity = ${name} and field = ${field} and item = ${value}::text)`
    }
    const column = sql.ref(`found.${field}`)
    const columnType = context.derived.columns[name][field]
    const isList = columnType.endsWith('[]')
    return sql`(select min(found.id) from ${tableOf(context, entity)} as found where ${isList ? sql`${column} @> array[${value}]::${sql.raw(columnType)}` : sql`${column} = ${value}`} and found."deletedAt" is null)`
  })
  return sql`coalesce(${sql.join(found)})`
}

/** The same; `scoped`: only if the user may see it. */
export function foundSql(
  context: Context,
  find: Extract<Field['computed'], { kind: 'find' }>,
  value: RawBuilder<unknown>,
  scoped: boolean,
): RawBuilder<unknown> {
  const id = findSql(context, find, value)
  const entity = context.derived.catalog.entities[find.entity]
  const scope = scoped ? scopeCondition(context, entity, 'meant') : undefined
  return scope
    ? sql`(select meant.id from ${tableOf(context, entity)} as meant where meant.id = ${id} and ${scope})`
    : id
}

interface Aggregating {
  alias: string
  scoped: boolean
  conditions: Conditions
}

/**
 * Over the records that refer to the one under `alias`. `scoped`: only those that the user may see; values behind a
 * reference are visible through the reference.
 */
export function aggregateSql(
  context: Context,
  of: Entity,
  field: Field,
  { alias: own, scoped, conditions }: Aggregating,
): RawBuilder<unknown> {
  const { derived } = context
  const computed = field.computed as Extract<Field['computed'], { kind: 'aggregate' }>
  const entity = derived.catalog.entities[computed.entity]
  const alias = `${own}_of_${field.name}`
  const by = sql.ref(`${alias}.${computed.by}`)
  const read = (name: string, under: Entity, at: string) =>
    valueSql(context, under, name, { alias: at, conditions, scoped: false })
  const id = computed.of === undefined ? sql.ref(`${own}.id`) : read(computed.of, of, own)
  const many = derived.target(entity.fields[computed.by])?.many
  const scope = scoped && computed.of === undefined ? scopeCondition(context, entity, alias) : undefined
  const type = derived.widget(field).column(field.options) ?? 'numeric'
  const goingOn = (during: typeof computed.during): Condition[] =>
    during === undefined
      ? []
      : [
          sql<boolean>`(${read(during.from, entity, alias)} <= ${read(during.at, of, own)}
    and (${read(during.until, entity, alias)} is null or ${read(during.until, entity, alias)} >= ${read(during.at, of, own)}))`,
        ]
  const matching = [
    sql<boolean>`${sql.ref(`${alias}.deletedAt`)} is null`,
    ...conditions(context, entity, alias, computed.where),
    ...goingOn(computed.during),
    ...(scope ? [scope] : []),
  ]
  const added = computed.field === undefined ? undefined : entity.fields[computed.field]
  const isStored = added === undefined || derived.columns[entity.name][added.name] !== undefined
  const value =
    (isStored ? undefined : formulaSql(context, entity, added, alias, conditions, scoped)) ??
    sql.ref(`${alias}.${computed.field ?? 'id'}`)
  const tied = computed.below
    ? sql`${by} in ${descendants(context, of, sql`array[${id}]`)}`
    : many
      ? sql`${id} = any(${by})`
      : sql`${by} = ${id}`
  return sql`(select ${result(computed.function, value, computed.field !== undefined)}::${sql.raw(type)} from ${tableOf(context, entity)} as ${sql.ref(alias)}
    where ${tied} and ${sql.join(matching, sql` and `)})`
}

function result(name: Aggregate, value: RawBuilder<unknown>, ofField: boolean): RawBuilder<unknown> {
  switch (name) {
    case 'count':
      return ofField ? sql`count(distinct ${value})` : sql`count(*)`
    case 'sum':
      return sql`coalesce(sum(${value}), 0)`
    case 'min':
      return sql`min(${value})`
    case 'max':
    // Ids increase: the latest record has the greatest.
    case 'last':
      return sql`max(${value})`
  }
}

/** A formula with the time and the user of the request, over what `value` reads by name. */
export function writeSql(
  formula: Relational,
  context: Pick<Context, 'now' | 'settings' | 'user'>,
  value: (name: string) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const part = (of: Relational) => writeSql(of, context, value)
  switch (formula.kind) {
    case 'field':
      return present(typed(value(formula.name), formula.type), formula.type === 'string' ? formula.type : undefined)
    case 'constant':
      return typed(
        sql`${formula.value({ record: {}, user: context.user, settings: context.settings, now: context.now })}`,
        formula.type,
      )
    case 'arithmetic':
      return sql`(${part(formula.left)} ${sql.raw(formula.operator)} ${part(formula.right)})`
    case 'call':
      return typed(sql`(${filled(formula.sql, formula.of.map(part))})`, formula.type)
    case 'quotient':
      return quotient(part(formula.left), part(formula.right), formula.digits)
    case 'not':
      return sql`(not ${part(formula.of)})`
    // A missing test makes the result missing.
    case 'choice':
      return sql`(case when ${part(formula.test)} then ${part(formula.yes)} when not ${part(formula.test)} then ${part(formula.no)} end)`
    case 'operator': {
      const sides = [formula.left, formula.right]
      const isEquality = formula.operator === '==' || formula.operator === '!='
      const [left, right] = sides.map((side) => present(part(side), isEquality ? relationalType(side) : undefined))
      switch (formula.operator) {
        case '==':
          return sql`(${left} is not distinct from ${right})`
        case '!=':
          return sql`(${left} is distinct from ${right})`
        case '&&':
          return sql`(${left} and ${right})`
        case '||':
          return sql`(${left} or ${right})`
        case 'in':
          return sql`coalesce(${left} = any(${right}), false)`
        default:
          return sql`(${left} ${sql.raw(formula.operator)} ${right})`
      }
    }
  }
}

/** A function's SQL, with `{1}` and so on filled in. */
const filled = (text: string, parts: RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql.join(
    text.split(/\{(\d)\}/).map((piece, at) => (at % 2 === 0 ? sql.raw(piece) : parts[Number(piece) - 1])),
    sql``,
  )

/**
 * The database would round a quotient before it is rounded here, so it is counted in whole halves of the last place.
 */
const quotient = (left: RawBuilder<unknown>, right: RawBuilder<unknown>, digits: number): RawBuilder<unknown> =>
  sql`(select sign(a) * sign(b) * div(2 * abs(a) * ${sql.raw(`1${'0'.repeat(digits)}`)} + abs(b), 2 * abs(nullif(b, 0))) * ${sql.raw((10 ** -digits).toFixed(digits))}
    from (select ${left} as a, ${right} as b) as quotient)`

/** An empty text or list is null, as in the evaluator. */
function present(value: RawBuilder<unknown>, type: RelationalType | undefined): RawBuilder<unknown> {
  if (type === 'string') return sql`nullif(${value}, '')`
  return type?.startsWith('list') ? sql`nullif(${value}, '{}')` : value
}

/** A null takes the type of the other operand. */
const typed = (value: RawBuilder<unknown>, type: RelationalType): RawBuilder<unknown> =>
  type === 'null' ? sql`null` : sql`${value}::${sql.raw(casts[type])}${type === 'string' ? sql` collate "C"` : sql``}`
