import { describe, expect, it } from 'vitest'
import { functions } from './functions.ts'
import { readsClock, relational } from './relational.ts'

const types = {
  start: 'string',
  end: 'string',
  price: 'decimal',
  open: 'boolean',
  tags: 'list<string>',
  rows: [{ a: 'string' }],
} as const
const scope = { record: {}, now: '2026-03-15 08:30:00', user: { id: 7, name: '周', roles: ['admin'], department: 3 } }

describe('a formula for a database', () => {
  it('keeps fields and operators, and computes parts independent of the record as constants', () => {
    const formula = relational("now() < start ? 'before' : addDays(today(), 2 - 1) <= end ? 'during' : 'after'", types)
    expect(formula).toMatchObject({
      kind: 'choice',
      test: {
        kind: 'operator',
        operator: '<',
        left: { kind: 'constant', type: 'string' },
        right: { kind: 'field', name: 'start' },
      },
    })
    const { left } = (formula as { no: { test: { left: { value(given: unknown): unknown } } } }).no.test
    expect(left.value(scope)).toBe('2026-03-16')
  })

  it('counts the days between two dates', () => {
    expect(relational('daysBetween(today(), end)', types)).toMatchObject({
      kind: 'call',
      sql: functions.daysBetween.sql,
      type: 'decimal',
      operands: [{ kind: 'constant' }, { kind: 'field', name: 'end' }],
    })
    expect(relational('daysBetween(start, end.trim)', types)).toBeUndefined()
  })

  it('supports the user, lists and decimals', () => {
    const inList = relational("user.id == price || !(user.name in ['周', '吴']) || 'x' in tags", types)
    expect(inList).toMatchObject({
      kind: 'operator',
      operator: '||',
      left: {
        left: { operator: '==', right: { name: 'price', type: 'decimal' } },
        right: { kind: 'constant', type: 'boolean' },
      },
      right: { operator: 'in', right: { name: 'tags', type: 'list<string>' } },
    })
    const constant = relational('0.10 * 3 < price', types) as { left: { value(given: unknown): unknown } }
    expect(constant.left.value(scope)).toBe('0.3')
  })

  it('supports arithmetic, coalesce, min, max and round', () => {
    expect(relational('round(price * 0.5, 2) - coalesce(price, 1) > max(price, 0)', types)).toMatchObject({
      operator: '>',
      left: {
        kind: 'arithmetic',
        operator: '-',
        left: {
          kind: 'call',
          sql: functions.round.sql,
          operands: [{ kind: 'arithmetic', operator: '*' }, { kind: 'constant' }],
        },
        right: { kind: 'call', sql: functions.coalesce.sql },
      },
      right: {
        kind: 'call',
        sql: functions.max.sql,
        operands: [
          { kind: 'field', name: 'price' },
          { kind: 'constant', type: 'decimal' },
        ],
      },
    })
    expect(relational('open ? price : price + daysBetween(start, end)', types)).toMatchObject({
      kind: 'choice',
      no: { kind: 'arithmetic', operator: '+' },
    })
  })

  it('finds the type of a result, even if its function accepts several', () => {
    expect(relational("max(start, end) < coalesce(end, '9')", types)).toMatchObject({
      left: { kind: 'call', type: 'string' },
      right: { kind: 'call', type: 'string' },
    })
    expect(relational('coalesce(null, open)', types)).toMatchObject({ kind: 'call', type: 'boolean' })
  })

  it('divides only if the result is rounded at once', () => {
    expect(relational('round(price * 100 / (price + 1), 2) > 0', types)).toMatchObject({
      left: { kind: 'quotient', left: { kind: 'arithmetic', operator: '*' }, right: { operator: '+' }, digits: 2 },
    })
  })

  it.each([
    'start + end',
    'price / 3',
    'round(price / 3 * 100, 2)',
    'round(price / 3, price)',
    'round(price / start, 2)',
    'max(start, price)',
    'lower(start)',
    'price % 2 == 1',
  ])('does not exist for %s either', (text) => {
    expect(relational(text, types)).toBeUndefined()
  })

  it.each([
    'old.price == price',
    "rows.exists(r, r.a == 'x')",
    'size(tags) > 0',
    'start.startsWith("a")',
    'changes() == null',
    'missing == 1',
    'start ==',
    'changed == tags',
  ])('does not exist for %s', (text) => {
    expect(relational(text, types)).toBeUndefined()
  })

  it('readsClock finds formulas that change with time', () => {
    expect(['now() > start', "open ? addDays(today(), 1) : '2'", '[month()] == tags'].map(readsClock)).toEqual([
      true,
      true,
      true,
    ])
    expect(['addDays(start, 1)', 'price', 'price +'].map(readsClock)).toEqual([false, false, false])
  })
})
