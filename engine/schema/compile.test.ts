import { describe, expect, test } from 'vitest'
import { kinds } from '../screens/index.ts'
import { widgets } from '../widgets/index.ts'
import { compile } from './compile.ts'
import type { Catalog } from '../model/model.ts'
import type { SourceText } from './reading/SourceFile.ts'
import { soundSources } from '../../tests/soundTree.ts'

const lists = { widgets, kinds, procedures: [] }
const sound = soundSources()

/** The sound tree with one file changed. */
function changed(path: string, from: string, to: string): SourceText[] {
  const file = sound.find((source) => source.path === `schemas/${path}`)!
  expect(file.text).toContain(from)
  return sound.map((source) => (source === file ? { path: source.path, text: source.text.replace(from, to) } : source))
}
function catalogOf(sources: SourceText[]): Catalog {
  const { catalog, issues } = compile(sources, lists)
  expect(issues).toEqual([])
  return catalog!
}
const catalog = catalogOf(sound)

describe('entities', () => {
  const { order, orderLine, customer, parkingFee } = catalog.entities

  test('get their defaults', () => {
    expect(order.endpoint).toBe('/shop/order')
    expect(order.allow).toEqual({ create: true, update: true, delete: true })
    expect(order.permissions).toEqual({
      view: 'shop:order:view',
      create: 'shop:order:add',
      update: 'shop:order:edit',
      delete: 'shop:order:delete',
      export: 'shop:order:export',
      viewSensitive: 'shop:order:viewSensitive',
    })
    expect(order.fields.number.options).toEqual({ format: 'O{seq:4}' })
    expect(order.fields.customer).toMatchObject({ required: true, readOnly: false, unique: false, sensitive: false })
  })

  test('have the fields that every record has, written by the system', () => {
    expect(Object.keys(customer.fields)).toEqual(['name', 'spent', 'createdBy', 'createdAt', 'updatedBy', 'updatedAt'])
    expect(customer.fields.createdBy).toMatchObject({ type: 'reference', options: { entity: 'user' }, readOnly: true })
  })

  test('of rows know their owner, and share its permissions', () => {
    expect(orderLine.rowOf).toEqual({ entity: 'order', field: 'lines', by: 'order' })
    expect(orderLine.permissions).toEqual(order.permissions)
    expect(catalog.permissions.filter(({ entity }) => entity === 'orderLine')).toEqual([])
  })

  test('have transitions with a permission of the same name', () => {
    expect(order.states).toMatchObject([
      {
        field: 'status',
        initial: 'open',
        transitions: { pay: { permission: 'shop:order:pay', field: 'status', form: [] } },
      },
    ])
  })

  test('distinguish formulas from aggregates', () => {
    expect(order.fields.due.computed).toEqual({ kind: 'formula', formula: 'total - coalesce(discount, 0)' })
    expect(customer.fields.spent.computed).toEqual({
      kind: 'aggregate',
      function: 'sum',
      entity: 'order',
      field: 'total',
      by: 'customer',
    })
  })

  test('come from families too, patched', () => {
    expect(parkingFee).toMatchObject({
      area: 'shop',
      label: { cn: '停车费', en: 'Parking fee' },
      endpoint: '/shop/parkingFee',
    })
    expect(parkingFee.fields.month.required).toBe(true)
    expect(parkingFee.fields.fine).toMatchObject({ type: 'money', label: { cn: '罚款', en: 'Fine' } })
  })
})

describe('tables', () => {
  const { order, customer } = catalog.tables

  test('store formulas, but neither aggregates nor rows', () => {
    expect(order.columns.map(({ name }) => name)).toContain('due')
    expect(order.columns.map(({ name }) => name)).not.toContain('lines')
    expect(customer.columns.map(({ name }) => name)).not.toContain('spent')
  })

  test('store no formula over an aggregate', () => {
    const sources = changed(
      'shop/customer.entity.json',
      '"spent":',
      '"points": { "type": "money", "computed": "spent / 10", "label": { "cn": "积分", "en": "Points" } },\n    "spent":',
    )
    expect(catalogOf(sources).tables.customer.columns.map(({ name }) => name)).not.toContain('points')
  })

  test('have references, and indexes for references, list filters and initial sort orders', () => {
    expect(order.columns.find(({ name }) => name === 'customer')).toEqual({
      name: 'customer',
      type: 'bigint',
      nullable: true,
      references: 'customer',
    })
    expect(order.indexes).toEqual([
      { columns: ['customer'], method: 'btree' },
      { columns: ['clerk'], method: 'btree' },
      { columns: ['number'], method: 'trigram' },
      // The initial sort order of the lists.
      { columns: ['createdAt'], method: 'descending' },
    ])
    expect(catalog.tables.department.unique).toEqual([{ columns: ['parent', 'name'] }])
  })
})

describe('screens', () => {
  test('have routes, and the permission for their purpose', () => {
    expect(catalog.routes).toEqual({
      '/order': 'order.list',
      '/order/edit': 'order.form',
      '/order/detail': 'order.detail',
    })
    const form = catalog.screens['order.form']
    expect(form.permission).toBe('shop:order:add')
    expect(form.variants?.plans.edit).toMatchObject({
      title: { cn: '编辑订单', en: 'Edit order' },
      permission: 'shop:order:edit',
      parameters: [
        { name: 'type', required: true },
        { name: 'id', required: true },
      ],
    })
    expect(form.variants?.plans.add.parameters).toEqual([{ name: 'type', required: true }])
  })

  test('have menu badges with expanded filters', () => {
    expect(catalog.screens['order.list'].menu).toEqual({
      order: 10,
      badge: [{ filter: { status: { equals: 'open' } }, permission: 'shop:order:edit' }],
    })
  })

  test('count in a menu badge only records that they show', () => {
    const { screens } = catalogOf(
      changed('shop/order.list.json', '{', '{ "where": { "total": { "empty": false }, "status": { "empty": false } },'),
    )
    expect(screens['order.list'].menu!.badge).toEqual([
      {
        filter: { total: { empty: false }, status: { and: [{ empty: false }, { equals: 'open' }] } },
        permission: 'shop:order:edit',
      },
    ])
  })
})

test('every permission has a label and belongs to an entity', () => {
  expect(catalog.permissions.find(({ value }) => value === 'shop:order:pay')).toEqual({
    value: 'shop:order:pay',
    label: { cn: '收款', en: 'Pay' },
    group: { cn: '订单', en: 'Order' },
    area: 'shop',
    entity: 'order',
  })
  expect(catalog.permissions.map(({ value }) => value)).not.toContain('shop:order:viewSensitive')
})

test('presets have canonical values, and references by key', () => {
  expect(catalog.presets).toEqual([
    {
      entity: 'department',
      key: 'name',
      rows: [{ name: 'Sales' }, { name: 'Counter', parent: 'Sales' }],
      file: 'schemas/setting/department.records.json',
    },
  ])
})

describe('the hash', () => {
  test('changes with the catalog', () => {
    expect(catalogOf(changed('shop/order.list.json', '-createdAt', 'createdAt')).hash).not.toBe(catalog.hash)
  })

  test('does not change with the spelling of a file', () => {
    expect(catalogOf(changed('shop/order.list.json', '"customer",', '{ "field": "customer" },')).hash).toBe(
      catalog.hash,
    )
    expect(catalogOf([...sound].reverse()).hash).toBe(catalog.hash)
  })
})

describe('mistakes', () => {
  const codesOf = (sources: SourceText[]) => compile(sources, lists).issues.map(({ code }) => code)

  test('yield no catalog, and are reported once each, in order', () => {
    const { catalog: none, issues } = compile(
      changed('shop/order.list.json', '["number", "customer", "status"]', '["nmber", "custmer", "status"]'),
      lists,
    )
    expect(none).toBeUndefined()
    expect(issues.map(({ line, column, suggestion }) => [line, column, suggestion])).toEqual([
      [5, 15, 'number'],
      [5, 24, 'customer'],
    ])
  })

  test('of an unreadable file are not reported again for files that name it', () => {
    expect(codesOf(changed('shop/order.entity.json', '"display": "number",', '"display": "number"'))).toEqual([
      'syntax',
    ])
    expect(codesOf(changed('shop/orderStatus.dictionary.json', '"choices": [', '"choices": {'))).not.toContain(
      'unknown-state',
    )
  })

  test('of screens are reported by their kinds while other screens are wrong', () => {
    const sources = changed('shop/order.list.json', '"-createdAt"', '"-created"').map((source) =>
      source.path.endsWith('customer.list.json')
        ? { ...source, text: source.text.replace('"columns": ["name"', '"columns": [{ "field": "name", "sum": true }') }
        : source,
    )
    expect(codesOf(sources)).toEqual(['not-summable', 'unknown-field'])
  })

  test('in the keys of endpoints are unknown keys', () => {
    const { issues } = compile(
      changed('shop/order.list.json', '"sort"', '"endpoints": { "lst": "/shop/order/list" }, "sort"'),
      lists,
    )
    expect(issues.map(({ code, suggestion }) => [code, suggestion])).toEqual([['unknown-key', 'list']])
  })

  test('do not include unknown values where administrators may add some', () => {
    const grown = (mayGrow: boolean) =>
      changed('shop/orderStatus.dictionary.json', '"choices"', `"mayGrow": ${mayGrow}, "choices"`).map((source) =>
        source.path.endsWith('order.list.json')
          ? { ...source, text: source.text.replace('"status": "open"', '"status": "lost"') }
          : source,
      )
    expect(codesOf(grown(false))).toEqual(['unknown-choice'])
    expect(codesOf(grown(true))).toEqual([])
  })

  test('are reported for what variants make of a screen, not for what they replace', () => {
    const form = (variants: string) =>
      changed('shop/order.form.json', '["customer", "clerk",', '["clerk",')
        .map((source) =>
          source.path.endsWith('order.form.json')
            ? { ...source, text: source.text.replace('"add": { "mode": "create" },', variants) }
            : source,
        )
        .map((source) =>
          source.path.endsWith('order.list.json') ? { ...source, text: source.text.replace('"create", ', '') } : source,
        )
    expect(codesOf(form('"add": { "mode": "create" },'))).toEqual(['missing-field'])
    expect(codesOf(form(''))).toEqual([])
  })

  test('of a screen that others depend on do not make the compiler throw', () => {
    const sources = changed(
      'shop/order.detail.json',
      '"tabs": [',
      '"tabs": [{ "name": "orders", "label": { "cn": "订单", "en": "Orders" }, "related": { "screen": "order.list", "by": "customer" } }, ',
    ).map((source) =>
      source.path.endsWith('order.list.json')
        ? { ...source, text: source.text.replace('"entity": "order"', '"entity": "ordr"') }
        : source,
    )
    expect(codesOf(sources)).toContain('unknown-entity')
  })

  test('in a pattern are reported once, even if the files have values for it', () => {
    expect(
      codesOf(changed('setting/department.entity.json', '"type": "text",', '"type": "text", "pattern": "[a",')),
    ).toEqual(['invalid-pattern'])
  })

  test('in links to tabs and in the names of changed fields are reported', () => {
    const tabs = '"tabs": [{ "name": "open", "label": { "cn": "未付", "en": "Open" } }]'
    const linked = (tab: string) =>
      changed('shop/order.list.json', '"sort"', `${tabs}, "sort"`).map((source) =>
        source.path.endsWith('order.list.json')
          ? {
              ...source,
              text: source.text.replace('"customer",\n', `{ "field": "customer", "link": "/order?tab=${tab}" },\n`),
            }
          : source,
      )
    expect(codesOf(linked('open'))).toEqual([])
    expect(codesOf(linked('opn'))).toEqual(['not-allowed-value'])
    const whenChanged = (field: string) => changed('shop/order.entity.json', '"total > 100"', `"'${field}' in changed"`)
    expect(codesOf(whenChanged('total'))).toEqual([])
    expect(codesOf(whenChanged('totl'))).toEqual(['unknown-field'])
  })

  test('include names that JavaScript predefines', () => {
    expect(codesOf(changed('shop/order.entity.json', '"entity": "customer"', '"entity": "constructor"'))).toContain(
      'unknown-entity',
    )
    expect(codesOf(changed('shop/order.list.json', '"customer",\n', '"toString",\n'))).toContain('unknown-field')
  })

  test('of any kind never make the compiler throw', () => {
    const pieces = ['null', '7', '"x"', '[]', '{}', '[null]', '{"":null}']
    for (const { path } of sound)
      for (const text of pieces) {
        const sources = sound.map((source) => (source.path === path ? { path, text } : source))
        expect(compile(sources, lists).catalog, `${path}: ${text}`).toBeUndefined()
      }
  })
})

/** Replaces every third value in every file, one at a time, by an unexpected one, as a slip of the hand would. */
test('a wrong value anywhere is an issue or harmless, and never a crash', () => {
  for (const { path, text } of sound) {
    for (const replaced of everyReplacement(JSON.parse(text))) {
      const sources = sound.map((source) => (source.path === path ? { path, text: JSON.stringify(replaced) } : source))
      expect(() => compile(sources, lists), `${path}: ${JSON.stringify(replaced)}`).not.toThrow()
    }
  }
}, 120_000)

const wrongs = [null, 7, 'no such thing', [{}], { a: 1 }]
let turn = 0

function* everyReplacement(data: unknown): Generator<unknown> {
  if (typeof data !== 'object' || data === null) return
  const copy = (key: string, value: unknown) =>
    Array.isArray(data) ? data.map((item, index) => (String(index) === key ? value : item)) : { ...data, [key]: value }
  for (const [key, value] of Object.entries(data)) {
    if (turn++ % 3 === 0) yield copy(key, wrongs[turn % wrongs.length])
    for (const inner of everyReplacement(value)) yield copy(key, inner)
  }
}
