import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData } from '../../../model/model.ts'
import { createTestServer, administratorPassword, type Client, type TestServer } from '../../../../tests/server.ts'
import { translateBroughtText } from './translateBroughtText.ts'

let house: TestServer
let english: Client
beforeAll(async () => {
  house = await createTestServer()
  english = await house.signIn('admin', administratorPassword, 'en')
})
afterAll(() => house?.close())

test('a product text is read in each language, with the values in it', () => {
  const brought = [
    { cn: '{}工资', en: '{} wages' },
    { cn: '已结案', en: 'Closed' },
    { cn: '认定书{}（{}）', en: 'Decision {} ({})' },
  ]
  const read = (text: string) => [
    translateBroughtText('en', { brought }, text),
    translateBroughtText('cn', { brought }, text),
  ]
  expect(read('2026-03工资')).toEqual(['2026-03 wages', '2026-03工资'])
  expect(read('2026-03 wages')).toEqual(['2026-03 wages', '2026-03工资'])
  expect(read('工资')).toEqual(['工资', '工资'])
  expect(read('认定书7（市）')).toEqual(['Decision 7 (市)', '认定书7（市）'])
  expect(read('Closed (really)')).toEqual(['Closed (really)', 'Closed (really)'])
  expect([translateBroughtText('en', { brought }, null), translateBroughtText('en', {}, '已结案')]).toEqual([
    null,
    '已结案',
  ])
})

test('a product text is read in either language, and stored unchanged when sent back in either', async () => {
  const cashier = async (as: Client): Promise<RecordData> =>
    (await as.get('/setting/role/list', { search: 'cashier' })).result.list[0]
  expect([(await cashier(english)).name, (await cashier(house.admin)).name]).toEqual(['Cashier', '出纳'])
  const { id, revision } = await cashier(english)
  expect((await english.get('/setting/role/options', { id })).result.list).toMatchObject([{ name: 'Cashier' }])
  const user = await house.user('broughtone', ['cashier'])
  const roles = async (as: Client) => (await as.get('/setting/user/detail', { id: user.id })).result.roles
  expect([await roles(english), await roles(house.admin)]).toMatchObject([[{ name: 'Cashier' }], [{ name: '出纳' }]])
  const values = { name: 'Cashier', remark: 'Pays' }
  expect(await english.post('/setting/role/update', { id, revision, values })).toMatchObject({ code: 1 })
  expect(await cashier(house.admin)).toMatchObject({ name: '出纳', remark: 'Pays' })
  const own = { id, revision: (await cashier(english)).revision, values: { name: 'Till' } }
  expect(await english.post('/setting/role/update', own)).toMatchObject({ code: 1 })
  expect(await cashier(house.admin)).toMatchObject({ name: 'Till' })
})

test('search finds a product text by what the user reads, and by what is stored', async () => {
  const names = async (as: Client, path: string, query: object): Promise<unknown[]> =>
    (await as.get(path, { size: 100, ...query })).result.list.map((record: RecordData) => record.name)
  const roles = '/setting/role/list'
  expect(await names(english, roles, { search: 'salesm' })).toEqual(['Salesman'])
  expect(await names(english, roles, { search: 'CLERK payr' })).toEqual(['Payroll clerk'])
  expect(await names(english, roles, { search: '薪资专员' })).toEqual(['Payroll clerk'])
  expect(await names(house.admin, roles, { search: '薪资专员' })).toEqual(['薪资专员'])
  expect(await names(english, '/setting/role/options', { search: 'salesm' })).toEqual(['Salesman'])
  const clerk = 'Payroll clerk'
  for (const filter of [{ contains: 'ayroll cl' }, { contains: '薪资' }, { equals: clerk }, { in: [clerk] }])
    expect(await names(english, roles, { filters: { name: filter } }), JSON.stringify(filter)).toEqual([clerk])
  expect(await names(english, roles, { filters: { name: { contains: 'nobody' } } })).toEqual([])
  const sorted = await names(english, roles, { sort: 'name' })
  expect(sorted).toEqual(sorted.map(String).sort((a, b) => (a < b ? -1 : 1)))
})

test("search finds a product text with a user's text in it in the same way", async () => {
  const templates = '/contract/contractTemplate'
  const name = async (as: Client, query: object) =>
    (await as.get(`${templates}/list`, { size: 100, ...query })).result.list.map((record: RecordData) => record.name)
  const { id } = (await house.admin.get(`${templates}/list`, { size: 1 })).result.list[0]
  const { content, category } = (await house.admin.get(`${templates}/detail`, { id })).result
  await house.create(templates, { name: '海上 (a.b) 副本', category, content })
  expect(await name(english, { search: 'copy' })).toEqual(['海上 (a.b) (copy)'])
  expect(await name(english, { search: '海上 copy' })).toEqual(['海上 (a.b) (copy)'])
  expect(await name(english, { filters: { name: { contains: '(a.b) (copy' } } })).toEqual(['海上 (a.b) (copy)'])
  expect(await name(english, { search: '副本x' })).toEqual([])
})
