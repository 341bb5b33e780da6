import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { batch, importFile, planOf, workbook, worker } from '../importing.ts'
import { createTestServer, type TestServer } from '../server.ts'
import { billedCustomer, statementsOf, generate, type BilledCustomer } from '../statement.ts'

const benefits = '/welfare/otherBenefit'
let house: TestServer
let customer: BilledCustomer
beforeAll(async () => {
  house = await createTestServer()
  customer = await billedCustomer(house)
})
afterAll(() => house?.close())

const values = (rest: Record<string, Value> = {}): Record<string, Value> => ({
  feeMonth: '2026-03',
  customer: customer.customer,
  serviceContract: customer.contract,
  person: customer.people[0],
  benefitType: 'heating',
  itemName: '采暖补贴',
  quantity: 1,
  unitPrice: '580',
  companyAmount: '500',
  ...rest,
})
const add = (rest: Record<string, Value> = {}) => house.create(benefits, values(rest))
const read = async (id: number): Promise<RecordData> => (await house.admin.get(`${benefits}/detail`, { id })).result
const costs = async (): Promise<RecordData[]> => {
  const { rows } = await house.database.kysely
    .selectFrom('costLine' as never)
    .selectAll()
    .where('deletedAt' as never, 'is', null as never)
    .where('sourceType' as never, '=', 'otherBenefits' as never)
    .execute()
    .then((found) => ({ rows: found as RecordData[] }))
  return rows.sort((a, b) => String(a.party).localeCompare(String(b.party)))
}

test('a benefit is a cost while it is confirmed', async () => {
  const id = await add()
  expect(await read(id)).toMatchObject({
    benefitNo: expect.stringMatching(/^FL20260315\d{4}$/),
    amount: '580.00',
    personalAmount: '80.00',
    feeItem: 'welfareGoods',
    status: 'draft',
  })
  expect(await house.admin.post(`${benefits}/confirm`, { id })).toMatchObject({ code: 1 })
  expect(await read(id)).toMatchObject({ status: 'confirmed' })
  expect((await costs()).map(({ party, amount, feeItem, costMonth }) => [party, amount, feeItem, costMonth])).toEqual([
    ['company', '500.00', 'welfareGoods', '2026-03'],
    ['personal', '80.00', 'welfareGoods', '2026-03'],
  ])
  expect(await house.admin.post(`${benefits}/unconfirm`, { id })).toMatchObject({ code: 1 })
  expect(await costs()).toEqual([])
  expect(await read(id)).toMatchObject({ status: 'draft', cost: null })
})

test.each<[string, Record<string, Value>, string]>([
  ['a quantity of two for one person', { quantity: 2 }, 'quantity'],
  ['a company amount above the cost', { companyAmount: '580.01' }, 'companyAmount'],
  ['a period that ends before it begins', { periodFrom: '2026-04-01', periodTo: '2026-03-01' }, 'periodTo'],
])('%s is refused', async (_, rest, field) => {
  const { code, errors } = await house.admin.post(`${benefits}/create`, { values: values(rest) })
  expect([code, errors?.map((error) => error.field)]).toEqual([422, [field]])
})

test('the month before is copied once', async () => {
  await add({ feeMonth: '2026-05', itemName: '体检', benefitType: 'checkup' })
  expect(await house.admin.post(`${benefits}/copyMonth`, { values: { feeMonth: '2026-06' } })).toMatchObject({
    code: 1,
    result: { succeeded: 1 },
  })
  expect(await house.admin.post(`${benefits}/copyMonth`, { values: { feeMonth: '2026-06' } })).toMatchObject({
    code: 1,
    result: { succeeded: 0 },
  })
  const { result } = await house.admin.get(`${benefits}/list`, {
    filters: { feeMonth: { between: ['2026-06', '2026-06'] } },
  })
  expect(result.list).toMatchObject([{ itemName: '体检', status: 'draft', companyAmount: '500.00', amount: '580.00' }])
})

test('a billed benefit stays confirmed', async () => {
  const id = await add({ itemName: '年度体检', benefitType: 'checkup' })
  await house.admin.post(`${benefits}/confirm`, { id })
  await generate(house.admin, [customer.customer])
  expect(await statementsOf(house, customer.customer)).toHaveLength(1)
  expect(await house.admin.post(`${benefits}/unconfirm`, { id })).not.toMatchObject({ code: 1 })
  expect(await read(id)).toMatchObject({ status: 'confirmed', statement: { id: expect.any(Number) } })
})

test("a file of benefits for whole customers uses each customer's only contract, and applies once", async () => {
  const [single, several] = [await billedCustomer(house, { heads: 1 }), await billedCustomer(house, { heads: 0 })]
  const row = (name: string, cells: Record<string, string> = {}) => ({
    feeMonth: '2026-03',
    customer: name,
    benefitType: '节日福利',
    itemName: '端午礼盒',
    quantity: '20',
    unitPrice: '100',
    ...cells,
  })
  const path = '/welfare/otherBenefitImport'
  const imported = async (rows: Record<string, string>[]) => {
    const id = await importFile(house, await workbook(planOf(house, 'otherBenefitImport'), rows), {
      path,
      name: '福利.xlsx',
    })
    await worker(house).drain()
    const { list } = (await house.admin.get(`${path}Row/list`, { filters: { batch: { equals: id } }, sort: 'rowNo' }))
      .result
    await house.admin.post(`${path}/write`, { id })
    await worker(house).drain()
    return { list: list as RecordData[], made: await batch(house, id, house.admin, path) }
  }
  const benefitsOf = async (customer: number): Promise<RecordData[]> =>
    (await house.admin.get(`${benefits}/list`, { filters: { customer: { equals: customer } } })).result.list
  expect((await imported([row(single.name)])).made).toMatchObject({ failCount: 0 })
  expect(await benefitsOf(single.customer)).toMatchObject([
    { person: null, serviceContract: { id: single.contract }, amount: '2000.00', companyAmount: '2000.00' },
  ])
  expect((await imported([row(single.name, { unitPrice: '120' })])).made).toMatchObject({ failCount: 0 })
  expect(await benefitsOf(single.customer)).toMatchObject([{ unitPrice: '120.00' }])
  const [{ benefitType }] = await benefitsOf(single.customer)
  const ofAll = { customer: single.customer, serviceContract: single.contract, person: null }
  await add({ ...ofAll, benefitType: benefitType!, itemName: '端午礼盒' })
  expect(JSON.stringify((await imported([row(single.name)])).list)).toContain('匹配到多条记录，请填写证件号码')
  // A closed month accepts none, by hand or by file, and its benefits stay unchanged.
  const draft = await add({ ...ofAll, benefitType: benefitType!, itemName: '旧礼盒' })
  const close = async (month: string | null) => {
    await house.database.pool.query('update parameter set "closedMonth" = $1', [month])
    await house.database.pool.query('update system_overlay set version = version + 1')
  }
  await close('2026-03')
  try {
    const late = { ...ofAll, benefitType: benefitType!, itemName: '新礼盒', quantity: 1, unitPrice: '100' }
    const byHand = await house.admin.post(`${benefits}/create`, { values: { ...late, feeMonth: '2026-03' } })
    expect(byHand.errors).toMatchObject([{ field: 'feeMonth', message: '2026-03已关账' }])
    const inFile = await imported([row(single.name, { itemName: '新礼盒' })])
    expect(JSON.stringify(inFile.list)).toContain('2026-03已关账')
    expect(await house.admin.post(`${benefits}/confirm`, { id: draft })).toMatchObject({ message: '2026-03已关账' })
    expect((await benefitsOf(single.customer)).filter(({ itemName }) => itemName === '新礼盒')).toEqual([])
  } finally {
    await close(null)
  }
  const early = await imported([row(several.name, { feeMonth: '2025-12' })])
  expect(JSON.stringify(early.list)).toContain('没有生效的服务合同')
  expect(await benefitsOf(several.customer)).toEqual([])
})
