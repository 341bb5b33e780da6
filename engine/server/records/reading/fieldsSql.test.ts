import { afterAll, beforeAll, expect, it } from 'vitest'
import { clockOn } from '../../../../tests/clock.ts'
import { customerValues } from '../../../../tests/customer.ts'
import { createTestServer, type Client, type TestServer } from '../../../../tests/server.ts'
import type { Catalog, Field } from '../../../model/model.ts'
import { fieldsSql } from './fieldsSql.ts'

/** What a classification counts: its customers from a day on, those that a setting admits, and the user's own. */
const formulas = {
  afterApril: "today() >= '2026-05-01' ? 1.0 : 0.0",
  admitted: 'settings.parameter.wageMonthOffset < 0 ? 1.0 : 0.0',
  own: 'createdBy == user.id ? 1.0 : 0.0',
}
const names = ['customerCount', ...Object.keys(formulas)]

function withCounts(catalog: Catalog): Catalog {
  const { customerClassification, customer } = catalog.entities
  const { customerCount } = customerClassification.fields
  for (const [name, formula] of Object.entries(formulas)) {
    customer.fields[name] = { ...customerCount, name, computed: { kind: 'formula', formula } }
    const computed = { ...customerCount.computed, where: { [name]: { equals: 1 } } } as Field['computed']
    customerClassification.fields[name] = { ...customerCount, name, computed }
  }
  return catalog
}

let house: TestServer
let classification = 0
beforeAll(async () => {
  house = await createTestServer({ change: withCounts })
  classification = await house.create('/customer/customerClassification', { name: '分类' })
  await house.create('/customer', await customerValues(house, { classification }))
})
afterAll(() => house?.close())

async function counted(as: Client = house.admin): Promise<unknown[]> {
  const { result } = await as.get('/customer/customerClassification/detail', { id: classification })
  return names.map((name) => result[name])
}

it('follows the clock, the settings, the user and what the user may see', async () => {
  expect(await counted()).toEqual([1, 0, 1, 1])
  expect(await counted()).toEqual([1, 0, 1, 1])

  const today = house.runtime.clock
  Object.assign(house.runtime, { clock: clockOn('2026-05-02') })
  expect(await counted()).toEqual([1, 1, 1, 1])
  Object.assign(house.runtime, { clock: today })
  expect(await counted()).toEqual([1, 0, 1, 1])

  const { result: parameter } = await house.admin.get('/setting/parameter/detail')
  const { id, revision } = parameter
  const saved = await house.admin.post('/setting/parameter/update', { id, revision, values: { wageMonthOffset: 0 } })
  expect(saved).toMatchObject({ code: 1 })
  expect(await counted()).toEqual([1, 0, 0, 1])

  const readers = ['all', 'self'].map(async (dataScope) => {
    const functionPermissions = ['customer:classification:manage', 'customer:customer:view']
    await house.create('/setting/role', { code: `counts${dataScope}`, name: dataScope, dataScope, functionPermissions })
    return house.user(`sees_${dataScope}`, [`counts${dataScope}`])
  })
  const [all, few] = await Promise.all(readers)
  expect(await counted(all)).toEqual([1, 0, 0, 0])
  expect(await counted(few)).toEqual([0, 0, 0, 0])
  expect(await counted()).toEqual([1, 0, 0, 1])
})

it('writes the same fields once, and other fields, readers and catalogs again', () => {
  const context = house.context()
  const { customerClassification: entity } = context.derived.catalog.entities
  const { fields } = entity
  const of = (
    { scoped = false, names = ['name', 'customerCount'] }: { scoped?: boolean; names?: string[] } = {},
    within = context,
  ) => fieldsSql(within, { entity, scoped, fields: names.map((name) => fields[name]) })
  expect(of()).toBe(of())
  expect(of({}, house.context())).toBe(of())
  expect(of({ scoped: true })).not.toBe(of())
  expect(of({ names: ['customerCount'] })).not.toBe(of())
  const { derived } = context
  const refreshed = { ...derived, catalog: { ...derived.catalog, dictionaries: {} } }
  expect(of({}, { ...context, derived: refreshed })).toBe(of())
  const reloaded = { ...derived, catalog: { ...derived.catalog, entities: { ...derived.catalog.entities } } }
  expect(of({}, { ...context, derived: reloaded })).not.toBe(of())
  expect(of().joins).toBeDefined()
  expect(of({ names: ['name'] }).joins).toBeUndefined()
})
