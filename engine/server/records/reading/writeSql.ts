import { sql, type RawBuilder } from 'kysely'
import { relationalType, type Relational, type RelationalType } from '../../../expression/index.ts'
import type { Constant, Context } from '../../runtime.ts'

/** SQL casts for parts of a formula: texts compare by code point, as everywhere else that formulas are evaluated. */
const casts: Record<Exclude<RelationalType, 'null'>, string> = {
  string: 'text',
  decimal: 'numeric',
  boolean: 'boolean',
  'list<string>': 'text[]',
  'list<decimal>': 'numeric[]',
}

type Given = Pick<Context, 'now' | 'settings' | 'user' | 'constants'>

/** A formula with the time and the user of the request, over what `value` reads by name. */
export function writeSql(
  formula: Relational,
  context: Given,
  value: (name: string) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const part = (relational: Relational) => writeSql(relational, context, value)
  switch (formula.kind) {
    case 'field':
      return present(typed(value(formula.name), formula.type), formula.type === 'string' ? formula.type : undefined)
    case 'constant':
      return typed(sql`${noted(formula.value, context)}`, formula.type)
    case 'arithmetic':
      return sql`(${part(formula.left)} ${sql.raw(formula.operator)} ${part(formula.right)})`
    case 'call':
      return typed(sql`(${filled(formula.sql, formula.operands.map(part))})`, formula.type)
    case 'quotient':
      return quotient(part(formula.left), part(formula.right), formula.digits)
    case 'not':
      return sql`(not ${part(formula.operand)})`
    // A missing test makes the result missing.
    case 'choice':
      return sql`(case ${part(formula.test)} when true then ${part(formula.yes)} when false then ${part(formula.no)} end)`
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

/** The value in this request of what does not depend on the record. */
export const constantOf = (of: Constant['of'], { user, settings, now }: Given): unknown =>
  of({ record: {}, user, settings, now })

/** The same, noted for whoever keeps the query. */
function noted(of: Constant['of'], context: Given): unknown {
  const value = constantOf(of, context)
  context.constants?.push({ of, value })
  return value
}

/** A function's SQL, with `{1}` and so on filled in. */
const filled = (text: string, parts: RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql.join(
    text.split(/\{(\d)\}/).map((piece, at) => (at % 2 === 0 ? sql.raw(piece) : parts[Number(piece) - 1])),
    sql``,
  )

/**
 * The database would round a quotient before it is rounded here, so the quotient is computed in half units of the last
 * decimal place.
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
