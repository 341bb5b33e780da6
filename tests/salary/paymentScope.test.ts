/** A payment batch may pay the people of several customers, each with staff of its own. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData } from '../../engine/model/model.ts'
import { importFile, planOf, rows, workbook, worker } from '../importing.ts'
import { createTestServer, type Client, type TestServer } from '../server.ts'
import { approvedPayroll, cardNumber, createPayDesk, sentBatch, type PayDesk, type ToPay } from './payDesk.ts'
import { isLong } from '../long.ts'

const [batches, payments, journal] = ['/salary/payBatch', '/salary/payLine', '/salary/salaryJournal']
let house: TestServer
let desk: PayDesk
/** Two customers, the user of each, and a batch that pays both. */
let customers: [ToPay, ToPay]
let owners: [Client & { id: number }, Client & { id: number }]
let both: Client & { id: number }
let id: number
beforeAll(async () => {
  house = await createTestServer()
  desk = await createPayDesk(house)
  customers = [await approvedPayroll(desk), await approvedPayroll(desk)]
  await house.create('/setting/role', {
    code: 'ownPay',
    name: '本人客户代发',
    dataScope: 'self',
    functionPermissions: ['salary:paybatch:*', 'salary:payResultImport:*', 'bank:card:viewSensitive'],
    messageAuthorization: ['paymentFailed'],
  })
  owners = [await house.user('ownera', ['ownPay']), await house.user('ownerb', ['ownPay'])]
  both = await house.user('ownerboth', ['ownPay'])
  for (const [index, { customer }] of customers.entries())
    await house.database.pool.query('update customer set "supportStaff" = $1, salesman = $2 where id = $3', [
      owners[index].id,
      both.id,
      customer,
    ])
  id = await sentBatch(desk, customers)
})
afterAll(() => house?.close())

const linesSeenBy = async (as: Client): Promise<RecordData[]> =>
  (await as.get(`${payments}/list`, { filters: { payBatch: { equals: id } }, sort: 'lineNo', size: 100 })).result.list
const customersOf = (lines: RecordData[]) => new Set(lines.map(({ customer }) => (customer as RecordData).id))
const outside = { status: 403, message: '无权查看该数据' }

test("the staff of each customer see its people's payments, and nobody else's", async () => {
  for (const [index, as] of owners.entries()) {
    const lines = await linesSeenBy(as)
    expect(lines).toHaveLength(customers[index].people.length)
    expect(customersOf(lines)).toEqual(new Set([customers[index].customer]))
  }
  expect(customersOf(await linesSeenBy(both))).toEqual(new Set(customers.map(({ customer }) => customer)))
})

test.skipIf(!isLong)('the detail of a payroll lists its payments to the staff of its customer', async () => {
  const { body } = house.runtime.derived.catalog.screens[house.runtime.derived.catalog.routes['/salary/payrolldetail']]
  const tabs = (body as { tabs: { related?: { screen: string; by: string }[] }[] }).tabs.flatMap(
    ({ related = [] }) => related,
  )
  const [{ by }] = tabs.filter(({ screen }) => house.runtime.derived.catalog.screens[screen].entity === 'payLine')
  for (const [index, as] of owners.entries()) {
    const { payroll } = (await linesSeenBy(as))[0] as unknown as { payroll: { id: number } }
    const lines = await as.get(`${payments}/list`, { filters: { [by]: { equals: payroll.id } }, size: 100 })
    expect(lines.result.list).toHaveLength(customers[index].people.length)
    const other = await owners[1 - index].get(`${payments}/list`, { filters: { [by]: { equals: payroll.id } } })
    expect(other.result.total).toBe(0)
  }
})

test('a batch of several customers is seen and handled by those whose scope covers all of them', async () => {
  for (const as of owners) {
    expect(await as.get(`${batches}/detail`, { id })).toMatchObject(outside)
    expect((await as.get(`${batches}/list`)).result.total).toBe(0)
    expect(await as.get(`${batches}/history`, { id })).toMatchObject(outside)
    expect(await as.post(`${batches}/close`, { id, values: {} })).toMatchObject(outside)
    expect((await as.get(`${journal}/list`, { filters: { payBatch: { equals: id } } })).result.total).toBe(0)
  }
  const whole = (await desk.clerk.get(`${batches}/detail`, { id })).result
  expect((await both.get(`${batches}/detail`, { id })).result).toMatchObject({
    totalAmount: whole.totalAmount,
    bankFile: whole.bankFile,
  })
  const listed = await both.get(`${journal}/list`, { filters: { payBatch: { equals: id } }, sort: 'id', size: 100 })
  expect(listed.result.list.map(({ action }: RecordData) => action)).toEqual(['create', 'submit', 'approve', 'send'])
})

test.skipIf(!isLong)('a batch of one customer is seen by its staff', async () => {
  const customer = await approvedPayroll(desk)
  await house.database.pool.query('update customer set "supportStaff" = $1 where id = $2', [
    owners[0].id,
    customer.customer,
  ])
  const own = await sentBatch(desk, [customer])
  expect((await owners[0].get(`${batches}/detail`, { id: own })).code).toBe(1)
  expect(await owners[1].get(`${batches}/detail`, { id: own })).toMatchObject(outside)
})

test("a failed payment is marked by, and reported to, its own customer's staff alone", async () => {
  const [own] = await linesSeenBy(owners[1])
  const values = { result: 'failed', failReason: '户名不符' }
  expect(await owners[0].post(`${payments}/markResult`, { id: own.id, values })).toMatchObject(outside)
  expect(await owners[1].post(`${payments}/markResult`, { id: own.id, values })).toMatchObject({ code: 1 })
  const messageCount = async (as: Client): Promise<number> => (await as.get('/messages')).result.list.length
  expect(await Promise.all([...owners, both].map(messageCount))).toEqual([0, 1, 1])
  const entries = { filters: { payBatch: { equals: id }, subject: { in: ['payLine'] } } }
  expect((await owners[0].get(`${journal}/list`, entries)).result.total).toBe(0)
  expect((await owners[1].get(`${journal}/list`, entries)).result.total).toBe(1)
})

test("a bank's result file reveals nothing about account numbers to users who see them masked", async () => {
  await house.create('/setting/role', {
    code: 'masked',
    name: '回盘',
    dataScope: 'all',
    functionPermissions: ['salary:paybatch:view', 'salary:payResultImport:*'],
  })
  const clerk = await house.user('maskedclerk', ['masked'])
  const { batchNo } = (await desk.clerk.get(`${batches}/detail`, { id })).result
  const line = (await linesSeenBy(desk.clerk)).find(({ status }) => status === 'sent')!
  const judged = async (as: Client, accountNo: string) => {
    const cells = {
      payBatch: batchNo as string,
      lineNo: Number(line.lineNo),
      accountName: String(line.accountName),
      amount: String(line.amount),
    }
    const file = await workbook(planOf(house, 'payLineImport'), [{ ...cells, accountNo, result: '成功' }])
    const path = '/salary/payLineImport'
    const batch = await importFile(house, file, { path, as })
    await worker(house).drain()
    const [row] = await rows(house, batch, as, '/salary/payLineImportRow')
    expect(await as.post(`${path}/cancel`, { id: batch })).toMatchObject({ code: 1 })
    return { status: row.rowStatus, errors: row.errors }
  }
  const right = await judged(clerk, String(line.accountNo))
  expect(right).toMatchObject({ status: 'failed', errors: [{ code: 'masked' }] })
  expect(await judged(clerk, cardNumber())).toEqual(right)
  expect(await judged(desk.clerk, String(line.accountNo))).toMatchObject({ status: 'toUpdate' })
})
