import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lists } from '../../src/lists.ts'
import { customerValues } from '../../tests/customer.ts'
import { isRepeated } from '../../tests/repeated.ts'
import { createTestServer, type TestServer } from '../../tests/server.ts'
import { compile } from '../schema/compile.ts'
import type { Catalog, Widget } from '../model/model.ts'
import { clockOn } from '../../tests/clock.ts'
import { diffData } from './dataDiff.ts'
import { readSchemas } from './catalog/sources.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

type Change = [path: string, from: string | RegExp, to: string]
const sources = readSchemas('schemas')
function catalogOf(...changes: Change[]): Catalog {
  const { catalog, issues } = compile(
    changes.reduce(
      (all, [path, from, to]) =>
        all.map((source) => {
          if (source.path !== `schemas/${path}`) return source
          expect(source.text).toMatch(from)
          return { path: source.path, text: source.text.replace(from, to) }
        }),
      sources,
    ),
    lists,
  )
  expect(issues).toEqual([])
  return catalog!
}
const product = catalogOf()
const diffOf = (after: Catalog, before = product) =>
  diffData({
    database: server.database,
    before,
    after,
    widgets: lists.widgets as Record<string, Widget>,
    clock: clockOn('2026-03-15'),
    dataDir: server.dataDir,
  })

test('reports records that could no longer be saved, except those that could not be before', async () => {
  const [first, second] = [await customerValues(server), await customerValues(server)]
  const short = await server.create('/customer', { ...first, name: '甲乙' })
  await server.create('/customer', { ...second, name: '甲乙丙丁戊己庚' })
  expect(await diffOf(product)).toEqual([])
  const longer = catalogOf([
    'customer/customer.entity.json',
    '"name": { "type": "text", "minLength": 2',
    '"name": { "type": "text", "minLength": 5',
  ])
  expect(await diffOf(longer)).toEqual([
    { kind: 'invalid', of: 'customer', count: 1, text: expect.stringContaining('name: ') },
  ])
  // A value that is already invalid is not reported.
  await sql`update customer set name = 'x' where id = ${short}`.execute(server.database.kysely)
  expect((await diffOf(longer)).map(({ count }) => count)).toEqual([1])
  await sql`update customer set name = '甲乙' where id = ${short}`.execute(server.database.kysely)
})

test.skipIf(isRepeated())('judges a renamed field under its new name', async () => {
  const before = product
  const after = structuredClone(before)
  const { fields } = after.entities.customer
  fields.shortName = {
    ...fields.name,
    name: 'shortName',
    was: 'name',
    options: { ...fields.name.options, minLength: 5 },
  }
  delete fields.name
  const [invalid] = await diffOf(after, before)
  expect(invalid).toEqual({ kind: 'invalid', of: 'customer', count: 1, text: expect.stringContaining('shortName: ') })
})

test('judges rows with their records, including masked fields', async () => {
  const contacts = ['甲', '乙'].map((which, index) => ({
    name: `联系人${which}`,
    kind: ['general'],
    mobile: `1380013800${index}`,
    primary: index === 0,
  }))
  await server.create('/customer', { ...(await customerValues(server)), name: '有联系人', contacts })
  const after = structuredClone(catalogOf())
  const { name, mobile } = after.entities.customerContact.fields
  name.options = { ...name.options, minLength: 5 }
  expect(await diffOf(after)).toEqual([
    { kind: 'invalid', of: 'customer', count: 1, text: expect.stringMatching(/contacts\.name: .* \(1\)$/) },
  ])
  name.options = { ...name.options, minLength: 2 }
  mobile.requiredWhen = 'primary'
  after.entities.customerContact.rules = [
    { check: "mobile != '13800138001'", at: 'mobile', message: { cn: '不可用', en: 'Not this one' } },
  ]
  expect(await diffOf(after)).toEqual([
    {
      kind: 'invalid',
      of: 'customer',
      count: 1,
      text: expect.stringContaining('contacts.mobile: 不可用 · Not this one'),
    },
  ])
  const { consigneeMobile } = after.entities.customer.fields
  after.entities.customerContact.rules = []
  Object.assign(consigneeMobile, {
    type: 'text',
    options: { ...after.entities.customer.fields.name.options, minLength: 50, maxLength: 60 },
  })
  expect(await diffOf(after)).toMatchObject([
    { of: 'customer', count: 3, text: expect.stringContaining('consigneeMobile: ') },
  ])
})

test('reports the views, roles and imports that name something removed', async () => {
  const { kysely } = server.database
  await sql`insert into system_preference (user_id, key, value) values
    (1, 'list:customer.list', '{"columns":[{"field":"uscc"},{"field":"name"},{"field":"long gone"}]}'), (2, 'list:customer.list', '{"columns":[{"field":"uscc"}]}'),
    (3, 'list:customer.list', '{"density":"compact"}'), (3, 'links:home.board', '{"routes":["/salary/paybatch","/customer","/long-gone"]}')`.execute(
    kysely,
  )
  await sql`insert into system_import (entity, batch_id, phase) values ('customerImport', 1, 'done'), ('customerImport', 2, 'reading')`.execute(
    kysely,
  )
  const before = catalogOf()
  const after = structuredClone(before)
  const [{ body }] = [after.screens['customer.list']]
  body.columns = body.columns.filter(({ field }: { field: string }) => field !== 'uscc')
  const plan = after.screens['customer.imports'].body.import
  plan.columns = plan.columns.filter(({ field }: { field: string }) => field !== 'uscc')
  after.permissions = after.permissions.filter(({ value }) => value !== 'customer:customer:assign')
  delete after.screens['payBatch.list']
  expect(await diffOf(after, before)).toEqual([
    { kind: 'view', of: 'customer.list', count: 2, text: 'views that users have arranged: the column uscc goes' },
    {
      kind: 'view',
      of: 'home.board',
      count: 1,
      text: 'views that users have arranged: the page /salary/paybatch goes',
    },
    { kind: 'role', of: '客服专员', count: 1, text: 'the role grants what goes: customer:customer:assign' },
    {
      kind: 'import',
      of: 'customerImport',
      count: 2,
      text: 'import batches name columns that go: uscc; still waiting: 1',
    },
  ])
})

test('reports how many values a change of a table would lose, and changes nothing', async () => {
  const after = structuredClone(catalogOf())
  const column = after.tables.customer.columns.find(({ name }) => name === 'name')!
  column.type = 'varchar(3)'
  expect(await diffOf(after)).toMatchObject([
    { kind: 'lossy', of: 'customer', count: 2, text: expect.stringContaining('without loss') },
  ])
  expect((await server.admin.get('/customer/list')).result.total).toBe(3)
})

test('refuses a database that has other files in force', async () => {
  const other = structuredClone(catalogOf())
  other.tables.customer.columns.push({ name: 'nobodyHasIt', type: 'text', nullable: true })
  await expect(diffOf(other, other)).rejects.toThrow('it lacks customer.nobodyHasIt')
})
