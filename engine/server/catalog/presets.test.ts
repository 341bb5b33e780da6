import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from 'kysely'
import { createTestServer, type TestServer, withOwnCatalog } from '../../../tests/server.ts'
import { grants } from '../../model/model.ts'
import { applyPresets } from './presets.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer(withOwnCatalog)
})
afterAll(() => house?.close())

it('creates the records of the schema files with their parents, searchable by pinyin', async () => {
  const { result } = await house.admin.get('/setting/region/options', { search: 'gsq 苏州' })
  expect(result.list).toEqual([])
  const { list } = (await house.admin.get('/setting/region/options', { search: 'gusu' })).result
  expect(list).toMatchObject([
    { code: '320508', name: '姑苏区', path: ['江苏省', '苏州市', '姑苏区'], parent: expect.any(Number) },
  ])
})

it('adds missing records, and leaves those that administrators changed or deleted', async () => {
  const role = (await house.admin.get('/setting/role/list', { search: 'cashier' })).result.list[0]
  await house.admin.post('/setting/role/update', { id: role.id, revision: role.revision, values: { name: '出纳员' } })
  await house.admin.post('/setting/role/delete', { id: await house.findId('/setting/role', 'invoiceClerk') })
  await sql`delete from role where code = 'auditor'`.execute(house.database.kysely)
  expect(await applyPresets(house.runtime)).toBe(1)
  expect(await applyPresets(house.runtime)).toBe(0)
  const { list } = (await house.admin.get('/setting/role/list', { size: 100 })).result
  const codes = list.map(({ code, name }: { code: string; name: string }) => `${code} ${name}`)
  expect(codes).toContain('cashier 出纳员')
  expect(codes).toContain('auditor 审计')
  expect(codes.join()).not.toContain('invoiceClerk')
})

it('grants a role the rights that are new in the files, as a work of the system', async () => {
  const role = (await house.admin.get('/setting/role/list', { search: 'auditor' })).result.list[0]
  const roles = house.runtime.derived.catalog.presets.find(({ entity }) => entity === 'role')!
  const auditor = roles.rows.find(({ code }) => code === 'auditor')!
  const before = auditor.functionPermissions as string[]
  auditor.functionPermissions = [...before, 'setting:notice:edit']
  await applyPresets(house.runtime)
  auditor.functionPermissions = before
  const now = (await house.admin.get('/setting/role/detail', { id: role.id })).result
  expect(now).toMatchObject({ revision: role.revision + 1 })
  expect(now.functionPermissions).toContain('setting:notice:edit')
  const [{ action, work }] = (await house.admin.get('/setting/role/history', { id: role.id })).result.list
  expect([action, work]).toEqual(['update', expect.any(Number)])
  expect((await house.admin.get(`/works/${work}`)).result).toMatchObject({ cause: 'system', by: null })
})

it('reports a reference that points at no record', async () => {
  house.runtime.derived.catalog.presets.push({
    entity: 'region',
    key: 'code',
    rows: [{ code: '999999', name: '某地', parent: '888888' }],
    file: 'schemas/x.records.json',
  })
  await expect(applyPresets(house.runtime)).rejects.toThrow(
    'schemas/x.records.json: "999999" refers to a record that is not there.',
  )
})

it('gives the preset roles exactly what the table of roles says', () => {
  const { catalog } = house.runtime.derived
  const rows = catalog.presets.find(({ entity }) => entity === 'role')!.rows as {
    code: string
    functionPermissions: string[]
  }[]
  const holders = (permission: string) =>
    rows
      .filter(({ functionPermissions }) => functionPermissions.some((pattern) => grants(pattern, permission)))
      .map(({ code }) => code)
  expect(holders('customer:customer:viewSensitive')).toEqual(['admin', 'customerManager', 'support'])
  expect(holders('customer:customer:approve')).toEqual(['admin', 'customerManager'])
  expect(holders('customer:customer:add')).toEqual(['admin', 'customerManager', 'support', 'sales'])
  expect(holders('setting:agency:view')).toEqual(['admin'])
  expect(holders('setting:notice:edit')).toEqual(['admin', 'publisher'])
  expect(holders('bank:bank:view')).toEqual(['admin', 'settlementClerk', 'cashier', 'financeManager', 'auditor'])
  expect(holders('bank:bank:edit')).toEqual(['admin', 'cashier', 'financeManager'])
  expect(holders('bank:bank:delete')).toEqual(['admin', 'financeManager'])
  expect(holders('bank:account:viewSensitive')).toEqual(['admin', 'cashier', 'financeManager'])
})
