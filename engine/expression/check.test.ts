import { describe, expect, it } from 'vitest'
import type { ExpressionType } from '../model/model.ts'
import { checkExpression, dependencies, functions, macros, methods, type VariableTypes } from './index.ts'

const types: VariableTypes = {
  name: 'string',
  price: 'decimal',
  quantity: 'decimal',
  active: 'boolean',
  tags: 'list<string>',
  members: 'list<decimal>',
  files: 'list<map>',
  extra: 'map',
  rows: [{ amount: 'decimal', title: 'string' }],
  address: { city: 'string' },
}
const codes = (text: string, expected?: ExpressionType | 'any') =>
  checkExpression(text, types, expected).map(({ code, start, end }) => [code, text.slice(start, end)])

describe('checkExpression accepts', () => {
  it.each<[string, ExpressionType]>([
    ['price * 1.06 + quantity / 3 - 2 % 2', 'decimal'],
    ['price > 1 && price >= 1.5 && quantity != 0', 'boolean'],
    ['name == null && price == null && active == null && tags == null && rows == null', 'boolean'],
    ['members == null && files == null && extra == null && address == null', 'boolean'],
    ['null != name || old == null', 'boolean'],
    ["name > 'a' ? 'x' + name : null", 'string'],
    ["name in ['a', 'b'] && quantity in [1, 2.5] && price in members && name in extra", 'boolean'],
    ['[1, null, 2.5]', 'list<decimal>'],
    ["old.price < price && 'price' in changed && old['name'] != name", 'boolean'],
    ["'admin' in user.roles && user.id == 1 && user.department == id && user.name != name", 'boolean'],
    ["addDays(today(), 3) >= now() && addMonths(month(), -1) < '2026-01'", 'boolean'],
    ['daysBetween(today(), name) + round(price, 2) + decimal(name) + min(price, 2) - max(3, quantity)', 'decimal'],
    ['max(name, today())', 'string'],
    ["lower(upper(trim(name))).startsWith('a') || name.endsWith('b') || name.contains('c')", 'boolean'],
    ['size(name) + size(tags) + tags.size() + size(extra)', 'decimal'],
    ["coalesce(price, 0) > 0 && coalesce(name, '') != ''", 'boolean'],
    [
      'rows.exists(row, row.amount > 1 && row.title == name) && rows.all(row, rows.exists_one(other, other.title == row.title))',
      'boolean',
    ],
    ['rows.filter(row, row.amount > 1).map(row, row.title)', 'list<string>'],
    ['files.exists(file, file.size > 10) && extra.anything == 1', 'boolean'],
    ['members[0] + 1', 'decimal'],
    ["address.city + '市'", 'string'],
    ['-price < 0 && !active', 'boolean'],
    ["'共' + string(price)", 'string'],
    ["tags + ['x']", 'list<string>'],
  ])('%s', (text, expected) => {
    expect(checkExpression(text, types, expected)).toEqual([])
  })
})

describe('checkExpression refuses', () => {
  it.each<[string, [string, string][]]>([
    ['nmae == 1', [['unknown-name', 'nmae']]],
    ['price > 1 && old.pric > 1', [['unknown-name', 'pric']]],
    ["old['pric'] > 1", [['unknown-name', "'pric'"]]],
    ['user.role', [['unknown-name', 'role']]],
    ['rows.exists(row, row.amonut > 1)', [['unknown-name', 'amonut']]],
    ['rows.map(row, 1) == [row.amount]', [['unknown-name', 'row']]],
    ['nwo() > name', [['unknown-name', 'nwo']]],
    ['name.lower()', [['unknown-name', 'lower']]],
    ["contains(name, 'a')", [['unknown-name', 'contains']]],
    ["name.matches('^(a+)+$')", [['forbidden-function', 'matches']]],
    [
      "matches(name, 'a') || has(old.name)",
      [
        ['forbidden-function', 'matches'],
        ['forbidden-function', 'has'],
      ],
    ],
    ['price + name', [['wrong-type', 'price + name']]],
    ['name * 2', [['wrong-type', 'name * 2']]],
    ['active < true', [['wrong-type', 'active < true']]],
    ['price == name', [['wrong-type', 'price == name']]],
    ["'1' in members", [['wrong-type', "'1' in members"]]],
    ['name in price', [['wrong-type', 'name in price']]],
    ['price && active', [['wrong-type', 'price']]],
    ['!name', [['wrong-type', 'name']]],
    ['-name', [['wrong-type', '-name']]],
    ['name ? 1 : 2', [['wrong-type', 'name']]],
    ["active ? 1 : 'a'", [['wrong-type', "active ? 1 : 'a'"]]],
    ["[1, 'a']", [['wrong-type', "'a'"]]],
    ['round(price)', [['wrong-type', 'round(price)']]],
    ['round(name, 2)', [['wrong-type', 'name']]],
    ['min(price, name)', [['wrong-type', 'min(price, name)']]],
    ["coalesce(price, 'a')", [['wrong-type', "coalesce(price, 'a')"]]],
    ['price.amount', [['wrong-type', 'amount']]],
    ["tags['a']", [['wrong-type', "'a'"]]],
    ['price[0]', [['wrong-type', '0']]],
    ['price.exists(p, p > 1)', [['wrong-type', 'price']]],
    ['rows.exists(row, row.amount)', [['wrong-type', 'row.amount']]],
    ["b'abc'", [['expression-syntax', "b'abc'"]]],
    ['{1: 2}', [['expression-syntax', '1']]],
    ['price = 1', [['expression-syntax', '=']]],
    [
      "nmae == 1 && (price > 'a') && quantiti > 1",
      [
        ['unknown-name', 'nmae'],
        ['wrong-type', "price > 'a'"],
        ['unknown-name', 'quantiti'],
      ],
    ],
  ])('%s', (text, faults) => {
    expect(codes(text)).toEqual(faults)
  })

  it('an expression of the wrong type', () => {
    expect(codes('price', 'boolean')).toEqual([['wrong-type', 'price']])
    expect(codes('tags', 'list<decimal>')).toEqual([['wrong-type', 'tags']])
    expect(codes('null', 'boolean')).toEqual([])
    expect(codes('price', 'any')).toEqual([])
  })
})

it('reports what was found, what is allowed and what was probably meant, in both languages', () => {
  expect(checkExpression('nmae > 1', { name: 'string', price: 'decimal' })).toEqual([
    {
      code: 'unknown-name',
      start: 0,
      end: 4,
      found: 'nmae',
      allowed: ['name', 'price', 'id', 'old', 'changed', 'user', 'settings'],
      suggestion: 'name',
      message: { cn: '没有名称“nmae”，是否应为“name”？', en: 'There is no name "nmae". Did you mean "name"?' },
    },
  ])
  expect(checkExpression('price + name', types)).toEqual([
    {
      code: 'wrong-type',
      start: 0,
      end: 12,
      found: 'decimal + string',
      allowed: ['decimal', 'string', 'list'],
      message: { cn: '“+”不能用于数值与文本', en: '"+" cannot be used on number and text' },
    },
  ])
})

it('a field has priority over a name of the environment', () => {
  expect(checkExpression("user == 'a'", { user: 'string' }, 'boolean')).toEqual([])
  expect(checkExpression("user == 'a'", {}, 'boolean')).toHaveLength(1)
})

it('lists the names that an expression reads', () => {
  expect(
    dependencies(
      "price > 1 && old.price != price && rows.exists(row, row.title in user.roles) && old['name'] == today()",
    ),
  ).toEqual(['price', 'old.price', 'rows', 'user', 'old.name'])
  expect(dependencies("old == null && address.city == 'a'")).toEqual(['old', 'address'])
  expect(dependencies('1 + 2')).toEqual([])
})

it('describes every function in both languages', () => {
  for (const [name, { signature, about }] of [functions, methods, macros].flatMap((table) => Object.entries(table))) {
    expect(signature).toContain(`${name}(`)
    expect(about.cn).toMatch(/[一-龥]/)
    expect(about.en).toMatch(/^[A-Z]/)
  }
})
