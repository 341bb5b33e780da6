import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compile } from '../../schema/compile.ts'
import type { ImportPlan } from '../../model/model.ts'
import { widgets } from '../../widgets/index.ts'
import { kinds } from '../index.ts'

const folder = join(import.meta.dirname, '../../../tests/mistakes')
const textsOf = (name: string) =>
  readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.json'))
    .map((path): [string, string] => [path.replaceAll('\\', '/'), readFileSync(join(folder, name, path), 'utf8')])

const imports = 'schemas/shop/order.imports.json'
const detail = 'schemas/shop/order.importDetail.json'
const procedures = ['importWrite', 'importCancel', 'importUndo', 'importStopUndo', 'importFix']

/** The sound tree with an import of orders, a key a line from line 4 on: `key`, `columns`, then `more`. */
function compiled({
  key = '["remark"]',
  columns = '["remark", "customer", "total"]',
  more = '',
  of: screen = 'order.imports',
  also = {} as Record<string, string>,
}) {
  const files = new Map([
    ...textsOf('sound'),
    ...textsOf('no-sheet').filter(([path]) => path.includes('import') && path.endsWith('.dictionary.json')),
  ])
  const order = JSON.parse(files.get('schemas/shop/order.entity.json')!)
  order.fields.remark = { type: 'text', unique: true, label: { cn: '备注', en: 'Remark' } }
  files.set('schemas/shop/order.entity.json', JSON.stringify(order))
  files.set(
    imports,
    `{
  "route": "/order/import", "into": "order", "parent": "order.list",
  "title": { "cn": "订单导入", "en": "Order import" },
  "key": ${key},
  "columns": ${columns}${more && `,\n  ${more}`}
}`,
  )
  files.set(
    detail,
    `{
  "route": "/order/importDetail", "parent": "order.list",
  "title": { "cn": "订单导入明细", "en": "Order import details" },
  "of": "${screen}"
}`,
  )
  for (const [path, text] of Object.entries(also)) files.set(path, text)
  return compile(
    [...files].map(([path, text]) => ({ path, text })),
    { widgets, kinds, procedures },
  )
}
const issues = (given: Parameters<typeof compiled>[0]) =>
  compiled(given).issues.map(({ code, file, line, message }) => [code, file, line, message])

describe('an import file', () => {
  it('yields the entities of its batches and rows, and the form for uploads', () => {
    const { catalog, issues: found } = compiled({})
    expect(found).toEqual([])
    expect(Object.keys(catalog!.entities)).toEqual(expect.arrayContaining(['orderImport', 'orderImportRow']))
    expect(Object.keys(catalog!.entities.orderImportRow.fields)).toEqual(
      expect.arrayContaining(['cellRemark', 'cellCustomer', 'cellTotal', 'target']),
    )
    expect(catalog!.screens['order.imports'].body).toMatchObject({
      import: {
        into: 'order',
        batches: 'orderImport',
        rows: 'orderImportRow',
        existing: 'skip',
        missing: 'create',
        confirmAlways: true,
        maxRows: 200_000,
      },
    })
  })

  it('requires no cell for values given at the upload', () => {
    const requiredOf = (more: string) => {
      const { catalog, issues: found } = compiled({ more })
      expect(found).toEqual([])
      const { columns } = (catalog!.screens['order.imports'].body as { import: ImportPlan }).import
      return Object.fromEntries(columns.map(({ field, required }) => [field, required]))
    }
    expect(requiredOf('')).toMatchObject({ customer: true, remark: true })
    expect(requiredOf('"given": [{ "field": "customer", "required": true }]')).toMatchObject({
      customer: false,
      remark: true,
    })
    expect(requiredOf('"given": ["customer"]')).toMatchObject({ customer: true })
  })

  it('requires a cell if the field, the key or the column does', () => {
    const { catalog } = compiled({ columns: '["remark", "customer", "total", { "field": "clerk", "required": true }]' })
    const { columns } = (
      catalog!.screens['order.imports'].body as unknown as {
        import: { columns: { field: string; required: boolean }[] }
      }
    ).import
    expect(columns.map(({ field, required }) => [field, required])).toEqual([
      ['remark', true],
      ['customer', true],
      ['total', false],
      ['clerk', true],
    ])
  })

  it('offers the choice to update only if `existing` leaves it open', () => {
    const fields = (more: string) => Object.keys(compiled({ more }).catalog!.entities.orderImport.fields)
    expect(fields('"existing": "choose"')).toContain('updateExisting')
    for (const existing of ['refuse', 'skip', 'update'])
      expect(fields(`"existing": "${existing}"`)).not.toContain('updateExisting')
  })

  it('prompts at the upload for values of the whole file', () => {
    const { catalog } = compiled({
      more: '"given": [{ "field": "customer", "required": true }, { "field": "total", "defaultFrom": "decimal(\'1\')" }]',
    })
    const { givenCustomer, givenTotal } = catalog!.entities.orderImport.fields
    expect(givenCustomer).toMatchObject({
      type: 'reference',
      options: { entity: 'customer' },
      required: true,
      label: { cn: '顾客' },
    })
    expect(givenTotal).toMatchObject({ type: 'money', required: false, defaultFrom: "decimal('1')" })
    expect(givenTotal.default, 'what a record begins with is not what is given').toBeUndefined()
    expect(JSON.stringify(catalog!.screens['orderImport.form'].body)).toContain('givenCustomer')
    expect(catalog!.screens['order.importDetail'].body).toMatchObject({
      batch: { facts: expect.arrayContaining([{ field: 'givenCustomer' }]) },
    })
    expect(issues({ more: '"given": ["custmer"]' })).toEqual([
      ['unknown-field', imports, 6, expect.stringContaining('Did you mean "customer"?')],
    ])
  })

  it('has its columns in the declared places, without those left out', () => {
    const columns = (written: string, more = '') =>
      (
        compiled({ columns: written, more }).catalog!.screens['order.imports'].body as unknown as {
          import: { columns: { field: string }[] }
        }
      ).import.columns.map(({ field }) => field)
    expect(
      columns(
        '["remark", "customer", { "field": "total", "after": "备注" }, { "field": "discount", "after": "remark" }, { "field": "clerk", "after": "discount" }]',
      ),
    ).toEqual(['remark', 'total', 'discount', 'clerk', 'customer'])
    const { catalog } = compiled({ more: '"without": ["total"]' })
    expect(columns('["remark", "customer", "total"]', '"without": ["total"]')).toEqual(['remark', 'customer'])
    expect(Object.keys(catalog!.entities.orderImportRow.fields)).not.toContain('cellTotal')
    expect(catalog!.screens['order.importDetail'].body).toMatchObject({
      columns: expect.not.arrayContaining([expect.objectContaining({ field: 'cellTotal' })]),
    })
  })

  it('reports each mistake once, at its line', () => {
    const once = (given: Parameters<typeof compiled>[0]) => {
      const found = issues(given)
      expect(found.length, JSON.stringify(found)).toBe(1)
      return found[0]
    }
    expect(once({ columns: '["remark", "custmer"]' })).toEqual([
      'unknown-field',
      imports,
      5,
      expect.stringContaining('Did you mean "customer"?'),
    ])
    expect(once({ key: '["total"]', columns: '["remark"]' })).toEqual([
      'unlisted-column',
      imports,
      4,
      expect.stringContaining('no column "total"'),
    ])
    expect(once({ key: '["ttal"]' })).toEqual(['unknown-field', imports, 4, expect.stringContaining('"ttal"')])
    expect(once({ columns: '["remark", "lines"]' })).toEqual([
      'no-sheet',
      imports,
      5,
      expect.stringContaining('order.lines'),
    ])
    expect(once({ columns: '["remark", { "field": "total", "sameAs": "discount" }]' })).toEqual([
      'unlisted-column',
      imports,
      5,
      expect.stringContaining('no column "discount"'),
    ])
    expect(once({ columns: '["remark", { "field": "total", "sameAs": "disc" }]' })).toEqual([
      'unknown-field',
      imports,
      5,
      expect.stringContaining('"disc"'),
    ])
    expect(once({ columns: '["remark", { "field": "total", "after": "备柱" }]' })).toEqual([
      'unlisted-column',
      imports,
      5,
      expect.stringContaining('no column "备柱"'),
    ])
    expect(once({ more: '"without": ["totl"]' })).toEqual([
      'unlisted-column',
      imports,
      6,
      expect.stringContaining('no column "totl"'),
    ])
    expect(once({ more: '"without": ["备注"]' })).toEqual([
      'unlisted-column',
      imports,
      4,
      expect.stringContaining('no column "remark"'),
    ])
    expect(once({ more: '"transition": "payy"' })).toEqual([
      'unknown-transition',
      imports,
      6,
      expect.stringContaining('Did you mean "pay"?'),
    ])
    expect(once({ more: '"updateWhen": "statu == \'open\'"' })).toEqual([
      'unknown-name',
      imports,
      6,
      expect.stringContaining('statu'),
    ])
    expect(once({ more: '"together": { "sum": "remark", "as": "total" }' })).toEqual([
      'not-summable',
      imports,
      6,
      expect.stringContaining('order.remark'),
    ])
    expect(once({ more: '"together": { "sum": "total", "as": "totl" }' })).toEqual([
      'unknown-field',
      imports,
      6,
      expect.stringContaining('"totl"'),
    ])
    expect(once({ more: '"set": { "remrk": "\'x\'" }' })).toEqual([
      'unknown-field',
      imports,
      6,
      expect.stringContaining('"remrk"'),
    ])
    expect(once({ more: '"existing": "overwrite"' })).toEqual(['not-allowed-value', imports, 6, expect.any(String)])
    expect(once({ more: '"foresee": "seeAhead"' })).toEqual([
      'unknown-procedure',
      imports,
      6,
      expect.stringContaining('"seeAhead"'),
    ])
    expect(once({ more: '"maxRows": 200001' })).toEqual(['out-of-range', imports, 6, expect.any(String)])
    expect(once({ columns: '["remark", "remark"]' })).toEqual(['duplicate-item', imports, 5, expect.any(String)])
    expect(once({ columns: '[]' })).toEqual(['too-short', imports, 5, expect.any(String)])
  })

  it('details must name an existing import', () => {
    expect(issues({ of: 'ordr.imports' })).toEqual([
      ['unknown-screen', detail, 4, expect.stringContaining('Did you mean "order.imports"?')],
    ])
    expect(issues({ of: 'order.list' })).toEqual([['wrong-pattern', detail, 4, expect.stringContaining('order.list')]])
  })

  it('must import into an existing entity', () => {
    const also = {
      [imports]:
        '{\n  "route": "/order/import", "into": "ordr", "key": ["remark"],\n  "title": { "cn": "订单导入", "en": "Order import" }, "columns": ["remark"]\n}',
    }
    expect(issues({ also })).toEqual([['unknown-entity', imports, 2, expect.stringContaining('"ordr"')]])
  })
})
