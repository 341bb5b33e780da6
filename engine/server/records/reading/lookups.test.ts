import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestServer, type TestServer } from '../../../../tests/server.ts'
import { uscc } from '../../../../tests/customer.ts'

let house: TestServer
let own: number
let other: number
let bank: number
beforeAll(async () => {
  house = await createTestServer()
  const agency = (code: string, name: string, number: number) =>
    house.create('/customer/agency', {
      code,
      name,
      kind: 'own',
      uscc: uscc(number),
      taxpayerKind: 'general',
      cities: ['310100'],
    })
  own = await agency('J001', '自营一部', 91_001)
  other = await agency('J002', '自营二部', 91_002)
  bank = await house.create('/bank/bank', {
    bankName: '北辰示范银行',
    branchName: '北辰示范银行演示支行',
    cnapsCode: '900100000018',
    kind: 'stateOwned',
    city: '310100',
  })
})
afterAll(() => house?.close())

let number = 0
const values = (more: object = {}) => ({
  agency: own,
  accountNo: `99100000000${10000 + ++number}`,
  bank,
  accountKind: 'general',
  purpose: ['receipt'],
  ...more,
})
const add = (more?: object) => house.admin.post('/bank/companyAccount/create', { values: values(more) })
const account = async (id: number) => (await house.admin.get('/bank/companyAccount/detail', { id })).result

describe('a look-up', () => {
  it('has the value of the referenced record, which defaults may use', async () => {
    const { result } = await add()
    expect(await account(result.id)).toMatchObject({ agencyName: '自营一部', accountName: '自营一部' })
    await add({ accountName: '自己写的户名' })
    const {
      result: { list },
    } = await house.admin.get('/bank/companyAccount/list', { sort: 'id', fields: '["agencyName","accountName"]' })
    expect(list.map((row: { agencyName: string; accountName: string }) => [row.agencyName, row.accountName])).toEqual([
      ['自营一部', '自营一部'],
      ['自营一部', '自己写的户名'],
    ])
  })

  it('follows the record that it is taken from, and the reference', async () => {
    const { result } = await add({ agency: other })
    const agency = (await house.admin.get('/customer/agency/detail', { id: other })).result
    await house.admin.post('/customer/agency/update', {
      id: other,
      revision: agency.revision,
      values: { name: '自营二部（新）' },
    })
    expect(await account(result.id)).toMatchObject({ agencyName: '自营二部（新）', accountName: '自营二部' })
    await house.admin.post('/bank/companyAccount/update', {
      id: result.id,
      revision: result.revision,
      values: { agency: own },
    })
    expect(await account(result.id)).toMatchObject({ agencyName: '自营一部', accountName: '自营二部' })
    const history = (await house.admin.get('/bank/companyAccount/history', { id: result.id })).result.list[0]
    expect(history.changes.map(({ field }: { field: string }) => field)).toEqual(['agency'])
  })

  it('can be filtered and sorted by', async () => {
    const { result } = await house.admin.get('/bank/companyAccount/list', {
      filters: { agencyName: { contains: '一部' } },
      sort: '-agencyName',
      fields: '["agencyName"]',
    })
    expect(result.list.length).toBe(3)
    expect(await house.admin.get('/bank/companyAccount/list', { sort: 'agencyName' })).toMatchObject({ code: 1 })
  })

  it('is never accepted from a client', async () => {
    expect(await add({ agencyName: '别的' })).toMatchObject({
      code: 422,
      errors: [{ field: 'agencyName', code: 'read-only' }],
    })
  })

  it('is answered for a field that a form looks up by, and for no other', async () => {
    expect(await house.admin.get('/bank/companyAccount/lookup', { field: 'agency', id: own })).toMatchObject({
      code: 1,
      result: { agencyName: '自营一部' },
    })
    expect(await house.admin.get('/bank/companyAccount/lookup', { field: 'agency', id: 999_999 })).toMatchObject({
      code: 1,
      result: { agencyName: null },
    })
    expect(await house.admin.get('/bank/companyAccount/lookup', { field: 'accountName', id: bank })).toMatchObject({
      code: 422,
    })
    const sales = await house.user('sales1', ['sales'])
    expect(await sales.get('/bank/companyAccount/lookup', { field: 'agency', id: own })).toMatchObject({ code: 403 })
  })
})

describe('a limit within a group', () => {
  it('counts only the records with the same value', async () => {
    expect(await add({ accountKind: 'basic' })).toMatchObject({ code: 1 })
    expect(await add({ accountKind: 'basic', agency: other })).toMatchObject({ code: 1 })
    expect(await add({ accountKind: 'basic' })).toMatchObject({
      code: 422,
      errors: [{ field: 'accountKind', code: 'limit', message: '每个主体只能有一个基本户' }],
    })
  })
})
