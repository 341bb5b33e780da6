/** The operation log names and describes a record only to readers who may see it. */
import { readXlsx } from 'hucre/xlsx'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData, Value } from '../../model/model.ts'
import { customerValues } from '../../../tests/customer.ts'
import { createTestServer, type Client, type TestServer } from '../../../tests/server.ts'
import { createContext, readSession } from '../identity/session.ts'
import { readGroups } from './reading/grouped.ts'

const path = '/setting/operationLog'
let house: TestServer
/** Sees the log, and the customers of their own. */
let reader: Client & { id: number }
let [own, other, lost, deleted]: number[] = []

const update = async (id: number, values: Record<string, Value>) => {
  const { revision } = (await house.admin.get('/customer/detail', { id })).result
  expect(await house.admin.post('/customer/update', { id, revision, values })).toMatchObject({ code: 1 })
}
const customer = async (name: string, supportStaff?: number) => {
  const contacts = [{ name: `${name}联系人`, kind: ['hr'], mobile: '15411112222', primary: true }]
  const values = await customerValues(house, { name, contacts, ...(supportStaff && { supportStaff }) })
  const id = await house.create('/customer', values)
  const [contact] = (await house.admin.get('/customer/detail', { id })).result.contacts
  await update(id, { address: `${name}路1号`, contacts: [{ id: contact.id, position: `${name}经理` }] })
  return id
}

beforeAll(async () => {
  house = await createTestServer()
  const functionPermissions = [
    'setting:log:view',
    'setting:log:export',
    'customer:customer:view',
    'customer:customer:export',
  ]
  await house.create('/setting/role', {
    code: 'branchAuditor',
    name: '分公司审计',
    dataScope: 'self',
    functionPermissions,
  })
  reader = await house.user('branchauditor', ['branchAuditor'])
  own = await customer('本人之客', reader.id)
  other = await customer('他人之客')
  lost = await customer('移交之客', reader.id)
  await update(lost, { supportStaff: await house.findId('/setting/user', 'admin') })
  deleted = await customer('删除之客')
  const gone = await customer('本删之客', reader.id)
  for (const id of [deleted, gone])
    expect(await house.admin.post('/customer/delete', { id })).toMatchObject({ code: 1 })
  // Entries without changes: what a look at sensitive values and a refusal leave.
  for (const id of [own, other]) await house.admin.get('/customer/detail', { id })
})
afterAll(() => house?.close())

const hidden = /他人之客|移交之客|删除之客/
const ofCustomers = { entity: { in: ['customer', 'customerContact', 'customerApproval'] } }
const list = async (query: object = {}, as: Client = reader) =>
  (await as.get(`${path}/list`, { filters: ofCustomers, size: 100, ...query })).result as {
    list: RecordData[]
    total: number
    counts: number[]
  }

test.each([
  {},
  { fields: ['recordLabel'] },
  { fields: ['entity', 'changes'] },
  { sort: 'recordLabel' },
  { sort: '-recordLabel' },
])('a list names and describes no record beyond the scope: %j', async (query) => {
  const seen = await list(query)
  expect(JSON.stringify(seen.list)).not.toMatch(hidden)
  expect(JSON.stringify(seen.list)).toContain('本人之客')
  const all = await list(query, house.admin)
  expect(seen.total).toBe(all.total)
  expect(JSON.stringify(all.list)).toMatch(hidden)
})

test('an entry about a deleted record is read by whoever saw the record', async () => {
  expect(JSON.stringify((await list()).list)).toContain('本删之客路1号')
})

test('the order of entries by name says nothing about those without one', async () => {
  const { list: sorted } = await list({ sort: 'recordLabel', filters: { entity: { in: ['customer'] } } })
  const nameless = sorted.filter(({ recordLabel }) => recordLabel === null).map(({ id }) => id!)
  expect(nameless.length).toBeGreaterThan(5)
  expect(nameless).toEqual(nameless.toSorted((a, b) => a - b))
  const { first } = (await reader.get(`${path}/list`, { sort: '-recordLabel', countTo: 10, page: 2, size: 50 })).result
  expect(JSON.stringify(first ?? [])).not.toMatch(hidden)
})

test('neither the details of an entry nor an export tells more', async () => {
  const { list: all } = await list({}, house.admin)
  for (const { id, recordId } of all.filter((entry) => entry.recordId === other)) {
    const { result } = await reader.get(`${path}/detail`, { id })
    expect(result).toMatchObject({ recordId, recordLabel: null, changes: null })
  }
  const fields = ['entity', 'recordLabel', 'changes']
  const { raw } = (await reader.get(`${path}/export`, { fields, filters: ofCustomers })) as unknown as { raw: Buffer }
  const rows = JSON.stringify((await readXlsx(raw)).sheets[0].rows)
  expect(rows).not.toMatch(hidden)
  expect(rows).toContain('本人之客')
})

test('a search by name finds, and counts, only entries of records within the scope', async () => {
  const found = async (filter: object, as: Client = reader) => {
    const { total, counts } = await list({ filters: { recordLabel: filter }, counts: [{ recordLabel: filter }] }, as)
    return [total, ...counts]
  }
  for (const name of ['他人之客', '移交之客', '删除之客']) {
    expect(await found({ contains: name }), name).toEqual([0, 0])
    expect((await found({ contains: name }, house.admin))[0], name).toBeGreaterThan(1)
  }
  expect((await found({ contains: '本人之客' }))[0]).toBeGreaterThan(1)
  const tab = async (filters: object) => (await list({ filters: { recordId: { equals: other }, ...filters } })).total
  expect(await tab({ recordLabel: { empty: false } })).toBe(0)
  expect(await tab({ changes: { empty: false } })).toBe(0)
  expect(await tab({ changes: { empty: true } })).toBeGreaterThan(1)
})

test('groups and their measures have no name beyond the scope', async () => {
  const { mustChangePassword: _, ...user } = await readSession(house.runtime, reader.token)
  const grouped = async (context: Parameters<typeof readGroups>[0]) => {
    const entity = context.derived.catalog.entities.operationLog
    const grouping = { by: [{ field: 'recordLabel' }], measures: [], conditions: [sql<boolean>`true`] }
    return JSON.stringify((await readGroups(context, house.database.kysely, entity, grouping as never)).list)
  }
  const seen = await grouped(createContext(house.runtime, user, 'zh-CN'))
  expect(seen).toContain('本人之客')
  expect(seen).not.toMatch(hidden)
  expect(await grouped(house.context())).toMatch(hidden)
})

test('a row of a record is read by those who see the record', async () => {
  const { rows } = await house.database.pool.query(
    'select c.id, c.customer from "customerContact" as c where c.customer = any($1)',
    [[own, other]],
  )
  for (const { id, customer: whole } of rows) {
    await house.database.pool.query(
      `insert into system_history (entity, area, record_id, label, action, user_id, at, changes)
       values ('customerContact', 'customer', $1, $2, 'update', 1, '2026-03-15 08:00:00', '{}')`,
      [id, Number(whole) === own ? '本人之行' : '他人之行'],
    )
  }
  const names = (await list({ filters: { entity: { in: ['customerContact'] } } })).list.map((each) => each.recordLabel)
  expect(new Set(names)).toEqual(new Set([null, '本人之行']))
  expect(names).toHaveLength(2)
})

test('whoever may not view the records at all reads no name either, changed or not', async () => {
  await house.create('/setting/role', {
    code: 'logOnly',
    name: '只看日志',
    dataScope: 'all',
    functionPermissions: ['setting:log:view'],
  })
  const stranger = await house.user('logonly', ['logOnly'])
  for (const query of [{}, { fields: ['recordLabel'] }])
    expect(JSON.stringify((await list(query, stranger)).list)).not.toMatch(/之客/)
  expect((await list({ filters: { recordLabel: { contains: '之客' } } }, stranger)).total).toBe(0)
})

test('what others searched records for, and why the system could not change one, are not told either', async () => {
  const filters = { name: { contains: '他人之客' } }
  await house.admin.get('/customer/list', { filters, size: 5 })
  await house.admin.get('/customer/export', { filters, fields: ['name'] })
  await reader.get('/customer/export', { filters: { name: { contains: '本人之客' } }, fields: ['name'] })
  for (const [id, name] of [
    [own, '本人之客'],
    [other, '他人之客'],
  ] as const)
    await house.database.pool.query(
      `insert into system_history (entity, area, record_id, label, action, at, changes)
       values ('customer', 'customer', $1, $2, 'update', '2026-03-15 08:00:00', $3)`,
      [id, name, { revision: 0, fields: {}, aside: true, result: 'failed', message: { cn: `${name}未能归档` } }],
    )
  await reader.get('/customer/detail', { id: other })
  const messages = async (as: Client) =>
    (await list({ fields: ['message', 'messages'] }, as)).list.map((entry) => JSON.stringify(entry)).join()
  const told = await messages(house.admin)
  expect(told).toMatch(/×1 [^}]+他人之客/)
  expect(told).toContain('他人之客未能归档')
  const seen = await messages(reader)
  expect(seen).not.toMatch(hidden)
  expect(seen).toContain('本人之客未能归档')
  expect(seen, 'what they searched for themselves is theirs').toMatch(/×1 [^}]+本人之客/)
  expect(seen, 'a refusal names nothing').toContain('无权查看该数据')
  expect((await list({ filters: { message: { contains: '他人之客' } } })).total).toBe(0)
})
