import { describe, expect, it } from 'vitest'
import type { Value } from '../model/model.ts'
import {
  compileCondition,
  compileFormula,
  evaluateCondition,
  evaluateFormula,
  type Scope,
  type VariableTypes,
} from './index.ts'

const types: VariableTypes = {
  name: 'string',
  price: 'decimal',
  quantity: 'decimal',
  none: 'decimal',
  nothing: 'string',
  active: 'boolean',
  unset: 'boolean',
  customer: 'decimal',
  tags: 'list<string>',
  members: 'list<decimal>',
  noList: 'list<string>',
  rows: [{ amount: 'decimal', title: 'string' }],
  extra: 'map',
  noMap: 'map',
}
const scope: Scope = {
  record: {
    id: 7,
    name: 'Acme',
    price: '0.10',
    quantity: '3',
    none: null,
    active: true,
    unset: null,
    customer: { id: 12, code: 'C12', name: '甲公司' },
    tags: ['a', 'b'],
    members: [{ id: 4, code: null, name: 'D' }, 5],
    noList: null,
    rows: [
      { amount: '12.50', title: 'one' },
      { amount: null, title: 'two' },
    ],
    extra: { count: 2, words: ['x'], ratios: [1, 2] },
  },
  old: { id: 7, name: 'Old', price: '0.20' },
  changed: ['name'],
  user: { id: 3, name: 'Li', roles: ['admin'], department: { id: 9, code: null, name: 'HR' } },
  now: '2026-03-31 08:30:00',
}
const condition = (text: string, more: Partial<Scope> = {}) => evaluateCondition(text, { ...scope, ...more }, types)
const formula = (text: string, more: Partial<Scope> = {}) => evaluateFormula(text, { ...scope, ...more }, types)

describe('numbers are exact decimals', () => {
  it.each([
    ['price * quantity', '0.3'],
    ['price + 0.2', '0.3'],
    ['100 * 1.1', '110'],
    ['0.1 + 0.2 == 0.3', true],
    ['1.0 == 1', true],
    ['7 / 2', '3.5'],
    ['1 / 3', '0.3333333333333333333333333333333333333333'],
    ['-7 % 3', '-1'],
    ['12345678901234567890.12 + 0.01', '12345678901234567890.13'],
    ['123456789012345678901234567890', '123456789012345678901234567890'],
    ['1e21 * 10', '10000000000000000000000'],
    ['0x10 + 5u', '21'],
    ['price / 10000000', '0.00000001'],
    ['round(2.5, 0)', '3'],
    ['round(-2.5, 0)', '-3'],
    ['round(1.005, 2)', '1.01'],
    ['round(0.1 * 0.2 * 1.06, 2)', '0.02'],
    ['round(1.5, -1)', null],
    ['round(1.5, 0.5)', null],
    ['min(2, 10)', '2'],
    ['max(2, 10)', '10'],
    ["max('2026-01-01', today())", '2026-03-31'],
    ["decimal('1.20') + 1", '2.2'],
    ["decimal('1e5')", null],
    ['decimal(name)', null],
    ['string(price * 10)', '1'],
    ['-price', '-0.1'],
  ])('%s is %j', (text, value) => expect(formula(text)).toBe(value))

  it('reads money in any form, numbers and references, and treats incomplete numbers as missing', () => {
    const seen = (price: unknown) => evaluateFormula('price', { ...scope, record: { price } as never }, types)
    expect(['1.10', 1.1, { id: 1 }].map(seen)).toEqual(['1.1', '1.1', '1'])
    expect(['-', '1.', 'abc', '', ' ', true, [1], Number.NaN].filter((price) => seen(price) !== null)).toEqual([])
  })
})

// The same examples as in docs/language.md.
it.each([
  ["nothing != 'truck'", true],
  ["nothing == 'truck'", false],
  ["nothing != null && nothing != 'truck'", false],
  ['none > 5', false],
  ['none <= 5', false],
  ['!(none > 5)', false],
])('evaluates a missing value in the condition %s', (text, holds) => {
  expect(condition(text)).toBe(holds)
})

describe('null has one meaning', () => {
  it.each([
    'none > 1',
    'none < 1',
    'none + 1 == 2 && true',
    'nothing + name == name',
    '!unset',
    'unset',
    'unset && active',
    '!(none > 1)',
    'none > 1 || unset',
    'unset ? true : true',
    'round(none, 2) >= 0',
    "nothing.contains('a')",
    '-none < 0',
    "lower(nothing) >= ''",
    '1 / 0 > 0',
    '1 % 0 == 0',
    'name in noList',
    'nothing in tags',
    'nothing in noMap',
    'noList.exists(tag, true)',
    'noMap.key == 1',
    'old.none > 0',
    'addDays(name, 1) > name',
    "tags[9] == 'a'",
    'none in members',
    'rows.exists(row, row.amount > 20)',
    'rows.all(row, row.amount > 1)',
    'null',
  ])('%s is false', (text) => {
    expect(condition(text)).toBe(false)
  })

  it.each([
    'none == null',
    'null == nothing',
    'price != null',
    'none != 1',
    'name != nothing',
    "nothing == ''",
    'noList == []',
    'noList == null',
    'old.nothing == null',
    'active || unset',
    'unset || active',
    '!(unset && !active)',
    '!(!active && none > 1)',
    'none > 1 || active',
    'size(noList) == 0',
    'size(nothing) == 0',
    'noList.size() == 0',
    'noList.all(tag, false)',
    '!(name in noList)',
    'noMap.key == null',
    'coalesce(none, 5) == 5',
    'coalesce(nothing, name) == name',
    'coalesce(none, none) == null',
    "coalesce(nothing, '') + name == name",
    'rows.exists(row, row.amount > 1)',
    '(1 / 0) == null',
    'tags[9] == null',
  ])('%s is true', (text) => {
    expect(condition(text)).toBe(true)
  })

  it.each([
    'none + 1',
    '1 - none',
    'nothing + name',
    'round(none, 2)',
    'unset ? 1 : 2',
    '1 / 0',
    'none > 1',
    'unset && active',
    'min(none, 1)',
    'addDays(nothing, 1)',
  ])('the formula %s is null', (text) => {
    expect(formula(text)).toBeNull()
  })
})

describe('the environment', () => {
  it.each([
    'id == 7',
    'old.price == 0.2',
    'old.name != name',
    "'name' in changed",
    "!('price' in changed)",
    'user.id == 3',
    "user.name == 'Li'",
    "'admin' in user.roles",
    'user.department == 9',
    'customer == 12',
    '5 in members && 4 in members',
    'old.id == id',
    'extra.count == 2',
    '2 in extra.ratios',
    "'x' in extra.words",
    "'count' in extra",
    "!('constructor' in extra)",
    'extra.constructor == null',
    "extra['count'] + 1 == 3",
  ])('%s', (text) => {
    expect(condition(text)).toBe(true)
  })

  it.each([
    ['now()', '2026-03-31 08:30:00'],
    ['today()', '2026-03-31'],
    ['month()', '2026-03'],
    ['addDays(today(), 1)', '2026-04-01'],
    ['addMonths(month(), -1)', '2026-02'],
    ["daysBetween('2026-03-01', today())", '30'],
    ["monthsBetween('2025-03-31', today())", '12'],
  ])('takes the clock from the scope: %s', (text, value) => {
    expect(formula(text)).toBe(value)
  })

  it('has no old record, no user and no changes unless given', () => {
    const bare = { old: undefined, changed: undefined, user: undefined }
    expect(condition('old == null && old.price == null && user.id == null && size(changed) == 0', bare)).toBe(true)
    expect(condition("'admin' in user.roles", bare)).toBe(false)
  })
})

describe('the changes of a save', () => {
  const changes = { name: ['b', 'c'], price: ['1', '2'], tags: [[1], [1, 2]] }
  const since = (extra: Value, more: Partial<Scope> = { changes }) =>
    formula('changesSince(extra)', { record: { extra }, ...more })

  it('are merged with earlier changes, without values set back to the original', () => {
    expect(formula('changes()', { changes })).toEqual(changes)
    expect(since(null)).toEqual(changes)
    expect(since({ name: ['a', 'b'], price: ['2', '1'], other: [null, 'x'] })).toEqual({
      other: [null, 'x'],
      name: ['a', 'c'],
      tags: [[1], [1, 2]],
    })
    expect(since({ name: ['a', 'b'] }, {})).toEqual({ name: ['a', 'b'] })
  })
})

describe('texts and lists', () => {
  it.each([
    ["lower('AbC') + upper('x') + trim(' y ')", 'abcXy'],
    ["size('😀好')", '2'],
    ['size(tags)', '2'],
    ["name.startsWith('Ac')", true],
    ["name.endsWith('me')", true],
    ["name.contains('cm')", true],
    ["tags + ['c']", ['a', 'b', 'c']],
    ['tags[1]', 'b'],
    ['rows.map(row, row.title)', ['one', 'two']],
    ['rows.filter(row, row.amount > 1).map(row, row.amount)', ['12.5']],
    ["rows.exists_one(row, row.title == 'one')", true],
    ['[1, 2] == [1.0, 2]', true],
    ["tags == ['b', 'a']", false],
    ["{'a': price, 'b': [1]}", { a: '0.1', b: ['1'] }],
    ["{'a': 1} == {'a': 1.0}", true],
    ['members', ['4', '5']],
    ['[1, 2, 3].filter(x, [2, 3].exists(y, y == x)).map(x, x * 10)', ['20', '30']],
    ["'2026-02-01' < today()", true],
  ])('%s is %j', (text, value) => expect(formula(text)).toEqual(value))
})

it('never throws for an unknown field or incompatible operands', () => {
  expect(condition('hidden > 1')).toBe(false)
  expect(condition('hidden == null')).toBe(true)
  expect(condition("extra.count > 'a' || active")).toBe(true)
  expect(formula('extra.words + 1')).toBeNull()
  expect(formula('extra.count.deep')).toBeNull()
})

it('reads only those fields of a reactive record that the expression needs', () => {
  const read: string[] = []
  const record = new Proxy(
    { name: 'a', price: '1' },
    { get: (target, key) => (read.push(String(key)), Reflect.get(target, key)) },
  )
  expect(compileCondition("name == 'a' || price > 1", types)({ ...scope, record })).toBe(true)
  expect(read).toEqual(['name'])
})

it('compiles once for a text and its types', () => {
  const same = compileFormula('price * 2', types)
  expect(same(scope)).toBe('0.2')
  expect(evaluateFormula('price', scope, { price: 'string' })).toBe('0.10')
  expect(evaluateFormula('price', scope, { price: 'decimal' })).toBe('0.1')
})
