import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { kinds } from '../../screens/index.ts'
import { widgets } from '../../widgets/index.ts'
import { compile } from '../compile.ts'
import { fixAll } from './fixAll.ts'
import type { SourceText } from '../reading/SourceFile.ts'

const folder = join(import.meta.dirname, '../../../tests/mistakes/sound')
const sound: SourceText[] = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.json'))
  .sort()
  .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(folder, path), 'utf8') }))
const issuesOf = (sources: readonly SourceText[]) => compile(sources, { widgets, kinds, procedures: [] }).issues

type Change = [path: string, from: string, to: string]
/** The sound tree with these changes. */
const changed = (...changes: Change[]) =>
  changes.reduce(
    (sources, [path, from, to]) =>
      sources.map((source) => {
        if (source.path !== `schemas/${path}`) return source
        expect(source.text).toContain(from)
        return { path: source.path, text: source.text.replace(from, to) }
      }),
    sound,
  )
const textOf = (sources: readonly SourceText[], path: string) =>
  sources.find((source) => source.path === `schemas/${path}`)!.text
const fixed = (...changes: Change[]) => {
  const result = fixAll(changed(...changes), issuesOf)
  expect(fixAll(result.sources, issuesOf)).toMatchObject({ sources: result.sources, fixed: [] })
  return result
}

describe('a misspelt name', () => {
  test.each<[string, Change]>([
    ['of a field', ['shop/order.list.json', '"customer",\n', '"custmer",\n']],
    ['of a field that is sorted by', ['shop/order.list.json', '"-createdAt"', '"-creatdAt"']],
    ['in an expression', ['shop/order.entity.json', '"total > 100"', '"totl > 100"']],
    ['of a key', ['shop/order.list.json', '"filters"', '"fliters"']],
    ['of a field type', ['shop/customer.entity.json', '"type": "text"', '"type": "txt"']],
    ['of an entity', ['shop/order.list.json', '"entity": "order"', '"entity": "ordr"']],
    ['of a route in a link', ['shop/order.list.json', '/order/detail?', '/order/detial?']],
    ['in the key of a filter', ['shop/order.list.json', '{ "status": "open" }', '{ "staus": "open" }']],
    ['of a value', ['shop/order.list.json', '{ "status": "open" }', '{ "status": "opne" }']],
    ['of a language', ['shop/customer.entity.json', '"en": "Name"', '"em": "Name"']],
  ])('%s is corrected, and nothing else', (_, change) => {
    const result = fixed(change)
    expect(result.issues).toEqual([])
    expect(result.fixed).toHaveLength(1)
    expect(result.sources).toEqual(sound)
  })

  test.each<[string, Change, string]>([
    [
      'a page of another entity',
      ['shop/order.list.json', '/order/detail?', '/odrr1/detail?'],
      'No screen has the route "/odrr1/detail".',
    ],
    [
      'a key like one that is there',
      ['shop/customer.entity.json', '"required": true', '"maxLength": 10, "maxLenght": 9, "required": true'],
      'A field of the type "text" has no key "maxLenght". ("maxLength" is there already)',
    ],
    ['a number', ['shop/order.list.json', '"entity": "order",', '"entity": "order", "pageSize": "25",'], '"25"'],
  ])('%s is left to people', (_, change, message) => {
    const { issues, sources } = fixAll(changed(change), issuesOf)
    expect(sources).toEqual(changed(change))
    expect(issues.map((issue) => issue.message).join()).toContain(message)
  })

  test('with two near names is left to people', () => {
    const change: Change = [
      'shop/customer.entity.json',
      '"fields": {',
      '"fields": { "nama": { "type": "text", "label": { "cn": "甲", "en": "A" } },',
    ]
    const result = fixed(change, ['shop/customer.list.json', '"sort": "name"', '"sort": "namo"'])
    expect(result.fixed).toEqual([])
    expect(result.issues).toMatchObject([{ code: 'unknown-field' }])
  })

  test('used correctly in several places is probably misspelt in its declaration', () => {
    const result = fixed(['shop/orderLine.entity.json', '"product": {', '"prodct": {'])
    expect(result.fixed).toEqual([])
    expect(result.issues.map(({ code, fix }) => [code, fix])).toEqual([
      ['unknown-field', undefined],
      ['unknown-field', undefined],
    ])
  })

  test('in a template is corrected there, once', () => {
    const result = fixed(['shop/fee/fee.entity.json', '"display": "month"', '"display": "mnth"'])
    expect(result.fixed).toMatchObject([
      { file: 'schemas/shop/fee/fee.entity.json', line: 3, what: '"mnth" → "month"' },
    ])
    expect(result.sources).toEqual(sound)
  })
})

describe('a label that lacks a language', () => {
  test('gets the text of the other language, marked, in the style of the file', () => {
    const result = fixed(
      ['shop/customer.entity.json', '"label": { "cn": "名称", "en": "Name" }', '"label": { "en": "Name {n}" }'],
      ['shop/order.list.json', '"title": { "cn": "订单", "en": "Orders" }', '"title": {\n    "cn": "订单"\n  }'],
      ['shop/orderLine.entity.json', '"en": "Product"', '"en": " "'],
    )
    expect(result.issues).toEqual([])
    expect(textOf(result.sources, 'shop/customer.entity.json')).toContain(
      '"label": { "en": "Name {n}", "cn": "[cn?] Name {n}" }',
    )
    expect(textOf(result.sources, 'shop/order.list.json')).toContain(
      '"title": {\n    "cn": "订单",\n    "en": "[en?] 订单"\n  }',
    )
    expect(textOf(result.sources, 'shop/orderLine.entity.json')).toContain('{ "cn": "商品", "en": "[en?] 商品" }')
  })

  test('and has no text at all is left to people', () => {
    const result = fixed(['shop/customer.entity.json', '{ "cn": "名称", "en": "Name" }', '{}'])
    expect(result.fixed).toEqual([])
    expect(result.issues.map(({ code }) => code)).toEqual(['missing-language', 'missing-language'])
  })
})

test('a renamed field gets its new name wherever the old one occurs', () => {
  const result = fixed(
    ['shop/order.entity.json', '"total": {', '"amount": { "was": "total",'],
    ['shop/order.form.json', '"clerk", "total"', '"clerk", "total", "paidAt"'],
    ['shop/order.list.json', '"link": "/order/detail?id={id}"', '"link": "/order?sort={total}"'],
  )
  expect(result.issues).toEqual([])
  expect(new Set(result.fixed.map(({ what }) => what))).toEqual(new Set(['"total" → "amount"']))
  expect(textOf(result.sources, 'shop/order.entity.json')).toMatch(
    /"visibleWhen": "amount > 100".*\n.*"computed": "amount - coalesce/,
  )
  expect(textOf(result.sources, 'shop/order.form.json')).toContain('"clerk", "amount", "paidAt"')
  expect(textOf(result.sources, 'shop/order.list.json')).toContain('"/order?sort={amount}"')
  expect(textOf(result.sources, 'shop/customer.entity.json')).toContain('"sum": "order.amount"')
})

test('a fix may reveal others that become possible', () => {
  const result = fixed(['shop/order.list.json', '"filters": ["number"', '"fliters": ["nmber"'])
  expect(result.fixed.map(({ what }) => what)).toEqual(['"fliters" → "filters"', '"nmber" → "number"'])
  expect(result.sources).toEqual(sound)
})

test('never changes a permission, because one that looks misspelt may be new', () => {
  const change: Change = [
    'shop/customer.entity.json',
    '"fields": {',
    '"permissions": { "create": "shop:custmer:add" }, "fields": {',
  ]
  const result = fixed(change, ['shop/order.detail.json', '"shop:customer:view"', '"shop:customers:view"'])
  expect(result.fixed).toEqual([])
  expect(result.issues).toMatchObject([
    { code: 'unknown-permission', suggestion: 'shop:customer:add' },
    { code: 'unknown-permission', suggestion: 'shop:customer:view' },
  ])
})
