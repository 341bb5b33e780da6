import { describe, expect, test } from 'vitest'
import { kinds } from '../../screens/index.ts'
import { widgets } from '../../widgets/index.ts'
import { compile } from '../compile.ts'
import { diffCatalogs } from './diff.ts'
import type { SourceText } from '../reading/SourceFile.ts'
import { soundSources } from '../../../tests/soundTree.ts'

const lists = { widgets, kinds, procedures: [] }
const sound = soundSources()
const catalogOf = (sources: SourceText[]) => {
  const { catalog, issues } = compile(sources, lists)
  expect(issues).toEqual([])
  return catalog!
}
const before = catalogOf(sound)

type Change = [path: string, from: string, to: string]
/** The changes reported from the sound tree to one with these changes, and back. */
function changesOf(...changes: Change[]) {
  const after = catalogOf(
    changes.reduce(
      (sources, [path, from, to]) =>
        sources.map((source) => {
          if (source.path !== `schemas/${path}`) return source
          expect(source.text).toContain(from)
          return { path: source.path, text: source.text.replace(from, to) }
        }),
      sound,
    ),
  )
  const changeLines = (a: typeof after, b: typeof after) =>
    diffCatalogs(a, b, widgets, (from, to) => from !== to && to !== 'text').map(
      ({ group, change, of, text }) => `${group} ${change} ${of}: ${text}`,
    )
  return { forth: changeLines(before, after), back: changeLines(after, before) }
}

test('reports no difference between two spellings of the same content', () => {
  expect(changesOf(['shop/order.list.json', '"customer",\n', '{ "field": "customer", "width": 300 },\n'])).toEqual({
    forth: [],
    back: [],
  })
})

test('reports columns, filters, buttons and titles of a screen', () => {
  expect(
    changesOf(
      ['shop/order.list.json', '"customer",\n', '"total",\n'],
      ['shop/order.list.json', '"sum": true', '"sum": false'],
      ['shop/order.list.json', '"filters": ["number", ', '"filters": ['],
      ['shop/order.list.json', ', "pay"', ''],
      ['shop/order.list.json', '"en": "Orders"', '"en": "All orders"'],
    ).forth,
  ).toEqual([
    'screens changed /order: is called 订单 · All orders, and was 订单 · Orders',
    'columns removed /order: the filter number (单号 · Number)',
    'columns added /order: the column total (金额 · Total)',
    'columns removed /order: the column customer (顾客 · Customer)',
    'columns changed /order: the column due (应付 · Due): sum is false, was true',
    'columns removed /order: the button 收款 · Pay (pay)',
  ])
})

describe('validators', () => {
  test.each<[string, Change, string, string]>([
    [
      'required',
      ['shop/orderLine.entity.json', '"min": 1,', '"min": 1, "required": true,'],
      'stricter orderLine: quantity (数量 · Quantity) is required',
      'looser orderLine: quantity (数量 · Quantity) is no longer required',
    ],
    [
      'a bound',
      ['shop/orderLine.entity.json', '"min": 1', '"min": 5'],
      'stricter orderLine: quantity (数量 · Quantity) has min 5, was 1',
      'looser orderLine: quantity (数量 · Quantity) has min 1, was 5',
    ],
    [
      'a bound that is new',
      ['shop/orderLine.entity.json', '"min": 1', '"min": 1, "max": 9'],
      'stricter orderLine: quantity (数量 · Quantity) has max 9',
      'looser orderLine: quantity (数量 · Quantity) has no max any more (was 9)',
    ],
    [
      'a flag that opens',
      ['shop/order.entity.json', '"type": "money", "default"', '"type": "money", "negative": true, "default"'],
      'looser order: total (金额 · Total) has negative true, was false',
      'stricter order: total (金额 · Total) has negative false, was true',
    ],
    [
      'a condition',
      ['shop/order.entity.json', '"default": "0.00"', '"default": "0.00", "requiredWhen": "discount > 0"'],
      'stricter order: total (金额 · Total) is required when discount > 0',
      'looser order: total (金额 · Total) is no longer required when discount > 0',
    ],
    [
      'a rule',
      [
        'shop/order.entity.json',
        '"states": {',
        '"rules": [{ "check": "total > 0", "at": "total", "message": { "cn": "须为正", "en": "Must be positive" } }],\n  "states": {',
      ],
      'stricter order: the rule total > 0: 须为正 · Must be positive',
      'looser order: no longer the rule total > 0: 须为正 · Must be positive',
    ],
    [
      'a value of a dictionary',
      [
        'shop/orderStatus.dictionary.json',
        '"choices": [',
        '"choices": [{ "value": "lost", "label": { "cn": "丢失", "en": "Lost" } },',
      ],
      'looser dictionary orderStatus: takes lost (丢失 · Lost)',
      'stricter dictionary orderStatus: no longer takes lost (丢失 · Lost)',
    ],
    [
      'what is allowed',
      ['shop/order.entity.json', '"states": {', '"allow": { "update": "total > 5" },\n  "states": {'],
      'stricter order: update is allowed when total > 5, and was always',
      'looser order: update is allowed always, and was when total > 5',
    ],
  ])('%s: stricter one way, looser the other', (_, change, forth, back) => {
    const validatorLines = (lines: string[]) => lines.filter((line) => line.startsWith('validators'))
    const changes = changesOf(change)
    expect([validatorLines(changes.forth), validatorLines(changes.back)]).toEqual([
      [`validators ${forth}`],
      [`validators ${back}`],
    ])
  })
})

test('a renamed field is one field, on screens and in the table', () => {
  expect(
    changesOf(
      ['shop/order.entity.json', '"paidAt": {', '"settledAt": { "was": "paidAt",'],
      ['shop/order.entity.json', '"set": { "paidAt"', '"set": { "settledAt"'],
    ).forth,
  ).toEqual(['tables renamed order: the column paidAt becomes settledAt, nothing is lost'])
})

test('reports columns that are added, removed, lose values or become unique', () => {
  const { forth, back } = changesOf(
    ['shop/orderLine.entity.json', '"type": "integer", "min": 1', '"type": "text"'],
    [
      'shop/customer.entity.json',
      '"fields": {',
      '"fields": { "phone": { "type": "text", "unique": true, "label": { "cn": "电话", "en": "Phone" } },',
    ],
  )
  expect(forth.filter((line) => line.startsWith('tables'))).toEqual([
    'tables added customer: the column phone text',
    'tables stricter customer: phone is unique',
    expect.stringMatching(/^tables changed orderLine: the column quantity becomes text, and was .+: no value is lost$/),
  ])
  expect(back.filter((line) => line.startsWith('tables'))).toEqual([
    'tables removed customer: the column phone: it stays in the database with its values, and nothing reads it',
    'tables looser customer: phone is no longer unique',
    expect.stringMatching(/^tables lossy orderLine: the column quantity becomes .+, and was text: values may be lost/),
  ])
})

test('reports endpoints and permissions', () => {
  const { forth } = changesOf(
    ['shop/order.entity.json', '"to": "paid",', '"to": "paid", "permission": "edit",'],
    ['shop/customer.entity.json', '"search"', '"endpoint": "/buyers", "search"'],
  )
  expect(forth.filter((line) => line.includes('pay'))).toEqual([
    'columns changed /order: the button 收款 · Pay takes shop:order:edit, and took shop:order:pay',
    'endpoints changed order: POST /shop/order/pay takes shop:order:edit, and took shop:order:pay',
    'permissions removed order: shop:order:pay (订单 · Order: 收款 · Pay)',
  ])
  expect(forth).toContain('endpoints added customer: GET /buyers/list, takes shop:customer:view')
  expect(forth).toContain('endpoints removed customer: GET /shop/customer/list')
})

test('reports areas, dictionaries, and what a role may do and see', () => {
  const role = `{ "label": { "cn": "角色", "en": "Role" }, "display": "name", "fields": {
    "name": { "type": "text", "required": true, "unique": true, "label": { "cn": "名称", "en": "Name" } },
    "code": { "type": "text", "required": true, "unique": true, "label": { "cn": "编码", "en": "Code" } },
    "dataScope": { "type": "text", "label": { "cn": "数据范围", "en": "Data scope" } },
    "functionPermissions": { "type": "permission-tree", "label": { "cn": "权限", "en": "Permissions" } } } }`
  const clerk = (scope: string, may: string) =>
    `{ "code": "clerk", "name": "店员", "dataScope": "${scope}", "functionPermissions": ["${may}"] }`
  const records = (...rows: string[]) => `{ "entity": "role", "key": "code", "rows": [${rows.join(', ')}] }`
  const tree = (rows: string, more: SourceText[] = []) => [
    ...sound,
    { path: 'schemas/setting/role.entity.json', text: role },
    { path: 'schemas/setting/role.records.json', text: rows },
    ...more,
  ]
  const added = [
    {
      path: 'schemas/fleet/colour.dictionary.json',
      text: '{ "label": { "cn": "颜色", "en": "Colour" }, "choices": [{ "value": "red", "label": { "cn": "红", "en": "Red" } }] }',
    },
  ]
  const manager =
    '{ "code": "manager", "name": "店长", "dataScope": "all", "functionPermissions": ["shop:customer:view"] }'
  const after = tree(records(clerk('self', 'shop:order:*'), manager), added).map((source) =>
    source.path.endsWith('app.json')
      ? {
          ...source,
          text: source.text.replace(
            '{ "name": "setting"',
            '{ "name": "fleet", "label": { "cn": "车队", "en": "Fleet" } },\n    { "name": "setting"',
          ),
        }
      : source,
  )
  const changes = diffCatalogs(
    catalogOf(tree(records(clerk('all', 'shop:order:view')))),
    catalogOf(after),
    widgets,
    () => false,
  )
  expect(changes.map(({ group, change, of, text }) => `${group} ${change} ${of}: ${text}`)).toEqual([
    'screens added fleet: the area 车队 · Fleet',
    'dictionaries added colour: red (红 · Red)',
    'permissions added manager: a role that comes with the files, and may shop:customer:view',
    expect.stringMatching(/^permissions looser clerk: may now shop:order:/),
    'permissions changed clerk: dataScope (数据范围 · Data scope): now "self"; no longer "all"',
  ])
})
