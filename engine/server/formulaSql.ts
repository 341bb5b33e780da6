import { sql, type RawBuilder } from 'kysely'
import { relational, type Relational, type RelationalType } from '../expression/index.ts'
import type { Entity, Field } from '../schema/model.ts'
import type { Context } from './runtime.ts'
import { tableOf } from './scope.ts'

/** How a part of a formula is written in SQL: texts compare by code point, as they do wherever else the formula is evaluated. */
const casts: Record<RelationalType, string> = {
  string: 'text', decimal: 'numeric', boolean: 'boolean', 'list<string>': 'text[]', 'list<decimal>': 'numeric[]', null: 'text',
}

/**
 * A formula without a column, or a lookup, worked out by the database for the records under `alias`, with the time and the user of the request.
 * Undefined where the database cannot.
 */
export function formulaSql(context: Context, entity: Entity, field: Field, alias: string): RawBuilder<unknown> | undefined {
  if (field.computed?.kind === 'lookup') return lookupSql(context, entity, field.computed, alias)
  if (field.computed?.kind !== 'formula') return undefined
  const formula = relational(field.computed.formula, context.derived.types(entity))
  const type = context.derived.widget(field).column(field.options)
  return formula && type ? sql`(${write(formula, context, alias)})::${sql.raw(type)}` : undefined
}

/** What the record has that a reference points at, deleted or not: its name stays readable too. */
export function lookupSql({ derived }: Pick<Context, 'derived'>, entity: Entity, { by, field }: Extract<Field['computed'], { kind: 'lookup' }>, alias: string): RawBuilder<unknown> {
  const target = derived.target(entity.fields[by])!.entity
  const at = `${alias}_${by}_${field}`
  return sql`(select ${sql.ref(`${at}.${field}`)} from ${tableOf({ derived }, target)} as ${sql.ref(at)} where ${sql.ref(`${at}.id`)} = ${sql.ref(`${alias}.${by}`)})`
}

function write(formula: Relational, context: Context, alias: string): RawBuilder<unknown> {
  const part = (of: Relational) => write(of, context, alias)
  switch (formula.kind) {
    case 'field': return typed(sql.ref(`${alias}.${formula.name}`), formula.type)
    case 'constant': return typed(sql`${formula.value({ record: {}, user: context.user, settings: context.settings, now: context.now })}`, formula.type)
    case 'not': return sql`(not ${part(formula.of)})`
    // A missing test makes the whole missing.
    case 'choice': return sql`(case when ${part(formula.test)} then ${part(formula.yes)} when not ${part(formula.test)} then ${part(formula.no)} end)`
    case 'operator': {
      const [left, right] = [part(formula.left), part(formula.right)]
      switch (formula.operator) {
        case '==': return sql`(${left} is not distinct from ${right})`
        case '!=': return sql`(${left} is distinct from ${right})`
        case '&&': return sql`(${left} and ${right})`
        case '||': return sql`(${left} or ${right})`
        case 'in': return sql`coalesce(${left} = any(${right}), false)`
        default: return sql`(${left} ${sql.raw(formula.operator)} ${right})`
      }
    }
  }
}

const typed = (value: RawBuilder<unknown>, type: RelationalType): RawBuilder<unknown> =>
  sql`${value}::${sql.raw(casts[type])}${type === 'string' ? sql` collate "C"` : sql``}`
