import { describe, expect, it } from 'vitest'
import type { Value } from '../model/model.ts'
import { expandTemplate, TemplateError } from './index.ts'

const parameters: Record<string, Value> = {
  key: 'medical',
  cn: '医疗保险',
  order: 20,
  rate: '8',
  mandatory: true,
  none: null,
  tiers: [],
  base: { mode: 'perItem', cn: '缴费基数' },
  items: [
    { key: 'a', cn: '甲', rate: '1.5', optional: true },
    { key: 'b', cn: '乙', rate: '2' },
  ],
}
const value = (template: Value) => expandTemplate(template, parameters).value

function faultOf(template: Value) {
  try {
    expandTemplate(template, parameters)
  } catch (error) {
    if (error instanceof TemplateError) return { ...error.fault, pointer: error.pointer, inKey: error.inKey }
    throw error
  }
  throw new Error('the template expands')
}

describe('${…}', () => {
  it.each<[Value, Value]>([
    ['${order}', 20],
    ['${order + 0.5}', 20.5],
    ['${rate}', '8'],
    ['${mandatory}', true],
    ['${none}', null],
    ['${base}', { mode: 'perItem', cn: '缴费基数' }],
    ['${items.map(item, item.key)}', ['a', 'b']],
    ['${key}-${cn}', 'medical-医疗保险'],
    ['No. ${order * 1.1}', 'No. 22'],
    ['(${none})', '()'],
    ['${\'}\' + "{"}x', '}{x'],
    ["${{'a': 1}}", { a: 1 }],
    ['/customer/detail?id={id}', '/customer/detail?id={id}'],
    ['$5', '$5'],
    ["${mandatory ? '是' : '否'}", '是'],
    ['${decimal(rate) / 100}', 0.08],
    ["${decimal('0.1234567890123456789')}", '0.1234567890123456789'],
    [{ '${key}Amount': { label: '${cn}' } }, { medicalAmount: { label: '医疗保险' } }],
    [
      [1, true, null, 'x'],
      [1, true, null, 'x'],
    ],
    [
      { $schema: 'entity', a: 1 },
      { $schema: 'entity', a: 1 },
    ],
  ])('%j becomes %j', (template, expanded) => expect(value(template)).toEqual(expanded))
})

describe('$if', () => {
  it('keeps the rest if its condition holds', () => {
    expect(value({ a: { $if: "base.mode == 'perItem'", field: '${key}' } })).toEqual({ a: { field: 'medical' } })
    expect(value(['x', { $if: 'mandatory', $value: 'y' }])).toEqual(['x', 'y'])
  })

  it('removes the entry if the condition fails or is missing', () => {
    expect(value(['x', { $if: 'order > 30', field: 'y' }, { $if: 'none', field: 'z' }])).toEqual(['x'])
    expect(value({ a: 1, b: { $if: '!mandatory', c: 2 } })).toEqual({ a: 1 })
    expect(value({ $if: 'none', a: 1 })).toBeUndefined()
  })

  it('supports $else', () => {
    expect(
      value([
        { $if: '!mandatory', a: 1, $else: '${key}' },
        { $if: 'mandatory', a: 1, $else: 2 },
      ]),
    ).toEqual(['medical', { a: 1 }])
    expect(value([{ $if: 'none', $value: 1, $else: { $if: 'none', $value: 2 } }])).toEqual([])
  })
})

describe('$each', () => {
  it('yields one value for every item of a list', () => {
    expect(value(['x', { $each: 'items', $value: '${item.key}' }, 'y'])).toEqual(['x', 'a', 'b', 'y'])
    expect(value([{ $each: 'items', $as: 'one', field: '${one.key}${key}' }])).toEqual([
      { field: 'amedical' },
      { field: 'bmedical' },
    ])
    expect(value([{ $each: 'items.filter(i, decimal(i.rate) > 1.7)', $value: '${item.cn}' }])).toEqual(['乙'])
    expect(
      value([
        { $each: 'none', $value: 1 },
        { $each: 'tiers', $value: 1 },
      ]),
    ).toEqual([])
    expect(value([{ $each: '[1, 2]', $value: '${item * 10}' }])).toEqual([10, 20])
    expect(value([{ $each: 'items', $value: '${index + 1}. ${item.key}' }])).toEqual(['1. a', '2. b'])
    expect(value([{ $each: ['[1, 2]', 'items'], $as: ['n', 'item'], $value: '${index}${item.key}${n}' }])).toEqual([
      '0a1',
      '1b1',
      '2a2',
      '3b2',
    ])
    expect(value([{ $each: '[7]', $as: 'index', $value: '${index}' }])).toEqual([7])
  })

  it('evaluates an $if for every item, whose missing members are null', () => {
    expect(value([{ $each: 'items', $if: 'item.optional', $value: '${item.key}', $else: '-' }])).toEqual(['a', '-'])
  })

  it('adds entries to an object by $key, in order among the others', () => {
    expect(
      value({ first: 1, $each: 'items', $key: '${item.key}Rate', $value: { rate: '${item.rate}' }, last: 2 }),
    ).toEqual({ first: 1, aRate: { rate: '1.5' }, bRate: { rate: '2' }, last: 2 })
    expect(
      value({
        $each: [
          { $each: 'items', $key: '${item.key}', $value: 1 },
          { $each: 'items', $as: 'i', $key: '${i.key}2', $value: { $if: 'i.optional', x: 2 } },
        ],
        last: 3,
      }),
    ).toEqual({ a: 1, b: 1, a2: { x: 2 }, last: 3 })
  })

  it('iterates over lists within lists, and over the entries of an object', () => {
    const families = [
      { key: 'f', items: [{ key: 'a' }, { key: 'b' }] },
      { key: 'g', items: [{ key: 'c' }] },
    ]
    const expanded = (template: Value) => expandTemplate(template, { families }).value
    expect(
      expanded([{ $each: ['families', 'family.items'], $as: ['family', 'item'], $value: '${family.key}${item.key}' }]),
    ).toEqual(['fa', 'fb', 'gc'])
    expect(
      expanded({
        first: 0,
        $each: ['families', 'family.items'],
        $as: ['family', 'item'],
        $key: '${item.key}',
        $value: '${family.key}',
      }),
    ).toEqual({ first: 0, a: 'f', b: 'f', c: 'g' })
    expect(value([{ $each: 'base', $value: '${item.key}: ${item.value}' }])).toEqual(['mode: perItem', 'cn: 缴费基数'])
    expect(value('${items.map(i, i.key).join(", ")}')).toBe('a, b')
    expect(value('${"min=0; max=4".split(";")}')).toEqual(['min=0', 'max=4'])
  })

  it('nests', () => {
    expect(
      value([
        {
          $each: 'items',
          $as: 'outer',
          $value: [{ $each: 'items', $as: 'inner', $value: '${outer.key}${inner.key}' }],
        },
      ]),
    ).toEqual([
      ['aa', 'ab'],
      ['ba', 'bb'],
    ])
  })
})

it('maps each part of the value to the part of the template that it came from', () => {
  const template: Value = {
    columns: ['code', { $if: 'none', $value: 'x' }, { $each: 'items', field: '${item.key}', $if: 'mandatory' }],
    $each: 'items',
    $key: '${item.key}/x',
    $value: ['${item.cn}'],
  }
  expect(expandTemplate(template, parameters).sources).toEqual({
    '': '',
    '/columns': '/columns',
    '/columns/0': '/columns/0',
    '/columns/1': '/columns/2',
    '/columns/1/field': '/columns/2/field',
    '/columns/2': '/columns/2',
    '/columns/2/field': '/columns/2/field',
    '/a~1x': '/$value',
    '/a~1x/0': '/$value/0',
    '/b~1x': '/$value',
    '/b~1x/0': '/$value/0',
  })
  expect(expandTemplate([{ $if: 'none', a: 1, $else: { b: 2 } }], parameters).sources).toEqual({
    '': '',
    '/0': '/0/$else',
    '/0/b': '/0/$else/b',
  })
})

describe('faults are located', () => {
  it.each<[Value, string, string, number, number, boolean]>([
    [{ a: ['x ${kee} y'] }, 'unknown-name', '/a/0', 4, 7, false],
    [{ '${kee}Amount': 1 }, 'unknown-name', '/${kee}Amount', 2, 5, true],
    [['${order +}'], 'expression-syntax', '/0', 9, 9, false],
    ['a ${order', 'expression-syntax', '', 2, 9, false],
    ['${order + key}', 'wrong-type', '', 2, 13, false],
    ['${base.mode.x}', 'wrong-type', '', 12, 13, false],
    ['x ${items} y', 'wrong-type', '', 2, 10, false],
    ["${key.matches('a')}", 'forbidden-function', '', 6, 13, false],
    ['${today()}', 'unknown-name', '', 2, 7, false],
    [{ $if: 'order', a: 1 }, 'wrong-type', '/$if', 0, 5, false],
    [{ $if: 'kee == 1', a: 1 }, 'unknown-name', '/$if', 0, 3, false],
    [{ $if: true, a: 1 }, 'expression-syntax', '/$if', 0, 4, false],
    [[{ $each: 'key', $value: 1 }], 'wrong-type', '/0/$each', 0, 3, false],
    [[{ $each: 'items', $as: 'in', $value: 1 }], 'expression-syntax', '/0/$as', 0, 2, false],
    [{ a: { $each: 'items', $value: 1 } }, 'expression-syntax', '/a/$each', 0, 5, true],
    [{ $each: 'items', $key: 'same', $value: 1 }, 'wrong-type', '/$key', 0, 4, false],
    [{ $each: 'items', $key: '${none}', $value: 1 }, 'wrong-type', '/$key', 0, 7, false],
    [{ $if: "base.mdoe == 'x'", a: 1 }, 'unknown-name', '/$if', 5, 9, false],
    ['${base.mdoe}', 'unknown-name', '', 7, 11, false],
    [{ $value: 1, a: 2 }, 'expression-syntax', '/a', 0, 1, true],
    [{ $iff: 'mandatory', a: 2 }, 'expression-syntax', '/$iff', 0, 4, true],
    [{ a: 1, $else: 2 }, 'expression-syntax', '/$else', 0, 5, true],
  ])('%j', (template, code, pointer, start, end, inKey) => {
    expect(faultOf(template)).toMatchObject({ code, pointer, start, end, inKey })
  })

  it('with a suggestion', () => {
    expect(faultOf('${kee}')).toMatchObject({
      suggestion: 'key',
      message: { cn: '没有参数“kee”，是否应为“key”？', en: 'There is no parameter "kee". Did you mean "key"?' },
    })
    expect(faultOf({ $iff: 'x' })).toMatchObject({ suggestion: '$if' })
  })
})
