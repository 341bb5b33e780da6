import { describe, expect, it } from 'vitest'
import { asksForTime, relational } from './relational.ts'

const types = { start: 'string', end: 'string', price: 'decimal', open: 'boolean', tags: 'list<string>', rows: [{ a: 'string' }] } as const
const scope = { record: {}, now: '2026-03-15 08:30:00', user: { id: 7, name: '周', roles: ['admin'], department: 3 } }

describe('a formula for a database', () => {
  it('keeps fields and operators, and makes a constant of what no record changes', () => {
    const formula = relational("now() < start ? 'before' : addDays(today(), 2 - 1) <= end ? 'during' : 'after'", types)
    expect(formula).toMatchObject({ kind: 'choice', test: { kind: 'operator', operator: '<', left: { kind: 'constant', type: 'string' }, right: { kind: 'field', name: 'start' } } })
    const { left } = (formula as { no: { test: { left: { value(given: unknown): unknown } } } }).no.test
    expect(left.value(scope)).toBe('2026-03-16')
  })

  it('counts the days between two dates', () => {
    expect(relational('daysBetween(today(), end)', types)).toMatchObject({ kind: 'daysBetween', from: { kind: 'constant' }, to: { kind: 'field', name: 'end' } })
    expect(relational('daysBetween(start, end.trim)', types)).toBeUndefined()
  })

  it('knows the user, lists and decimals', () => {
    const inList = relational("user.id == price || !(user.name in ['周', '吴']) || 'x' in tags", types)
    expect(inList).toMatchObject({ kind: 'operator', operator: '||', left: { left: { operator: '==', right: { name: 'price', type: 'decimal' } }, right: { kind: 'constant', type: 'boolean' } }, right: { operator: 'in', right: { name: 'tags', type: 'list<string>' } } })
    const constant = relational('0.10 * 3 < price', types) as { left: { value(given: unknown): unknown } }
    expect(constant.left.value(scope)).toBe('0.3')
  })

  it('adds, subtracts and multiplies numbers', () => {
    expect(relational('price - 2 * price > 1 ? price + 1 : price', types)).toMatchObject({ kind: 'choice', test: { left: { operator: '-', right: { operator: '*', left: { kind: 'constant' } } } }, yes: { operator: '+' } })
  })

  it.each(['price / 3 > 2', 'start + end == "x"', 'price + null > 2', 'old.price == price', "rows.exists(r, r.a == 'x')", 'size(tags) > 0', 'start.startsWith("a")', 'changes() == null', 'missing == 1', 'start ==', 'changed == tags'])('has none for %s', (text) => {
    expect(relational(text, types)).toBeUndefined()
  })

  it('says whether a formula changes with time', () => {
    expect(['now() > start', "open ? addDays(today(), 1) : '2'", "[month()] == tags"].map(asksForTime)).toEqual([true, true, true])
    expect(["addDays(start, 1)", 'price', 'price +'].map(asksForTime)).toEqual([false, false, false])
  })
})
