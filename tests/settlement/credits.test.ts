import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FileValue, RecordData, Value } from '../../engine/model/model.ts'
import { contracts, serviceValues, sign } from '../contract.ts'
import { picture, upload } from '../customer.ts'
import { createTestServer, type TestServer } from '../server.ts'
import {
  adjustments,
  billedCustomer,
  deliver,
  generate,
  items,
  read,
  statements,
  statementsOf,
  type BilledCustomer,
} from '../statement.ts'
import { isLong } from '../long.ts'

let house: TestServer
let receiving: (agency: number) => Promise<number>
beforeAll(async () => {
  house = await createTestServer()
  const bank = await house.create('/bank/bank', {
    bankName: '北辰示范银行',
    branchName: '北辰示范银行演示支行',
    cnapsCode: '990100000018',
    kind: 'stateOwned',
    city: '310100',
  })
  receiving = async (agency) =>
    house.create('/bank/companyAccount', {
      agency,
      bank,
      accountName: '自营机构',
      accountNo: '9900880000000012',
      accountKind: 'basic',
      purpose: ['receipt'],
    })
})
afterAll(() => house?.close())

const feeOnly = (terms: Record<string, Value> = {}): Record<string, Value> => ({
  taxMethod: 'diffGeneral',
  taxRate: '6',
  surchargeRate: '0',
  taxBorne: 'exclusive',
  diffInvoiceMode: 'split',
  feeRules: [
    {
      serviceType: 'dispatch',
      feeMode: 'perHead',
      unitPrice: '2000.00',
      chargeRule: 'fullMonth',
      effectiveFrom: '2026-01',
    },
  ],
  ...terms,
})

async function confirm(id: number): Promise<void> {
  const { result } = await upload(house, house.admin, 'stamped.png', picture)
  const answer = await house.admin.post(`${statements}/confirm`, {
    id,
    values: { confirmEvidence: [{ ...result, status: 'success' }] as FileValue[] as Value },
  })
  expect(answer.code).toBe(1)
}
const adjust = (statement: number, feeItem: string, amount: string) =>
  house.admin.post(`${adjustments}/create`, {
    values: { statement, feeItem, amount, costMonth: '2026-03', reason: '多收退还' },
  })
const carried = async (id: number): Promise<RecordData[]> =>
  (await items(house, id)).filter(({ sourceType }) => sourceType === 'carryOver')

/** A customer whose statement of March is negative by these adjustments, and confirmed. */
async function inCredit(
  amounts: Record<string, string>,
  { terms = feeOnly(), wage = '100.00' }: { terms?: Record<string, Value>; wage?: string } = {},
): Promise<BilledCustomer & { id: number }> {
  const customer = await billedCustomer(house, { heads: 1, terms })
  await deliver(house, customer, [{ person: customer.people[0], feeItem: 'grossWage', amount: wage }])
  await generate(house.admin, [customer.customer])
  const [{ id }] = await statementsOf(house, customer.customer)
  for (const [feeItem, amount] of Object.entries(amounts)) expect((await adjust(id!, feeItem, amount)).code).toBe(1)
  await confirm(id!)
  return { ...customer, id: id! }
}
async function april(customer: BilledCustomer): Promise<RecordData> {
  await deliver(house, customer, [
    { person: customer.people[0], feeItem: 'grossWage', amount: '5000.00', costMonth: '2026-03' },
  ])
  await generate(house.admin, [customer.customer], '2026-04', { wageMonth: '2026-03' })
  return (await statementsOf(house, customer.customer)).at(-1)!
}

describe('an amount carried over', () => {
  test('stays what it was: fees that are given back take their tax with them', async () => {
    const customer = await inCredit({ serviceFee: '-3000', grossWage: '-100' })
    expect(await read(house, customer.id)).toMatchObject({
      passThroughAmount: '0.00',
      ownAmount: '-1000.00',
      taxAmount: '0.00',
      totalAmount: '-1000.00',
      outstandingAmount: '0.00',
      uninvoicedAmount: '0.00',
    })
    const next = await april(customer)
    expect(next).toMatchObject({
      passThroughAmount: '5000.00',
      ownAmount: '1000.00',
      taxAmount: '60.00',
      totalAmount: '6060.00',
    })
    expect(await carried(next.id!)).toMatchObject([{ amount: '-1000.00', passThrough: false }])
    expect((await adjust(next.id!, 'grossWage', '1')).code, 'adding up again keeps it').toBe(1)
    expect(await read(house, next.id!)).toMatchObject({ ownAmount: '1000.00', passThroughAmount: '5001.00' })
  })

  test.skipIf(!isLong)('of fees and wages is carried over as both', async () => {
    const next = await april(await inCredit({ serviceFee: '-3000', grossWage: '-500' }))
    expect(await carried(next.id!)).toMatchObject([
      { amount: '-400.00', passThrough: true },
      { amount: '-1000.00', passThrough: false },
    ])
    expect(next).toMatchObject({ passThroughAmount: '4600.00', ownAmount: '1000.00', taxAmount: '60.00' })
  })

  test.skipIf(!isLong)('has no tax left in it if its statement was taxed', async () => {
    const next = await april(await inCredit({ grossWage: '-5100' }))
    expect(await carried(next.id!)).toMatchObject([{ amount: '-2880.00', passThrough: true }])
    expect(next).toMatchObject({ ownAmount: '2000.00', taxAmount: '120.00', totalAmount: '4240.00' })
  })

  test.skipIf(!isLong)('counts once in the profit', async () => {
    const customer = await inCredit({ serviceFee: '-3000', grossWage: '-500' })
    await confirm((await april(customer)).id!)
    const { result } = await house.admin.get('/plans/report', {
      screen: 'report.report',
      tab: 'margin',
      group: 'customer',
      filters: { billMonth: { between: ['2026-03', '2026-04'] }, customer: { equals: customer.customer } },
    })
    expect(result.list).toMatchObject([{ values: { grossProfit: '1000.00' } }])
  })
})

describe('of a contract that has ended', () => {
  const ended = { startDate: '2026-01-01', endDate: '2026-02-28' }

  test('goes into the next statement of another contract of the customer', async () => {
    const customer = await inCredit({ grossWage: '-5100' }, { terms: feeOnly(ended) })
    const { contract } = await another(customer, { startDate: '2026-03-01' })
    const next = await april({ ...customer, contract })
    expect(next).toMatchObject({ contract: { id: contract } })
    expect(await carried(next.id!)).toMatchObject([{ amount: '-5000.00' }])
    expect(await read(house, customer.id)).toMatchObject({ openCredit: '0.00', attention: false })
  })

  test('stays with a contract that goes on', async () => {
    const customer = await inCredit({ grossWage: '-5100' })
    const { contract } = await another(customer, {
      serviceTypes: ['outsourcing'],
      feeRules: [{ serviceType: 'outsourcing', feeMode: 'none', chargeRule: 'fullMonth', effectiveFrom: '2026-01' }],
    })
    expect(await carried((await april({ ...customer, contract })).id!)).toEqual([])
  })

  test('is paid back through the balance if no statement takes it, once', async () => {
    const customer = await inCredit({ grossWage: '-5100' }, { terms: feeOnly(ended) })
    const account = await receiving(customer.agency)
    expect(await read(house, customer.id)).toMatchObject({ openCredit: '-5000.00', attention: true })
    const credit = () =>
      house.admin.post(`${statements}/creditBalance`, { id: customer.id, values: { creditAccount: account } })
    expect((await credit()).code).toBe(1)
    expect((await credit()).code).toBe(409)
    const balance = async () => (await house.admin.get('/customer/detail', { id: customer.customer })).result.balance
    expect(await balance()).toBe('5000.00')
    expect(await read(house, customer.id)).toMatchObject({ openCredit: '0.00', attention: false })
    expect((await house.admin.post(`${statements}/unconfirm`, { id: customer.id })).code).toBe(409)

    const [receipt] = (
      await house.admin.get('/settlement/receipt/list', { filters: { customer: { equals: customer.customer } } })
    ).result.list
    expect(receipt).toMatchObject({ method: 'offset', amount: '5000.00', unmatchedAmount: '5000.00' })
    expect((await house.admin.post('/settlement/receipt/unclaim', { id: receipt.id })).code).toBe(409)
    await house.admin.post('/settlement/receipt/void', { id: receipt.id, values: { voidReason: '客户还会续签' } })
    expect(await read(house, customer.id)).toMatchObject({ openCredit: '-5000.00' })
    expect(await balance()).toBe('0.00')
  })

  async function another(
    { customer, agency }: BilledCustomer,
    terms: Record<string, Value>,
  ): Promise<{ contract: number }> {
    const contract = await house.create(contracts, serviceValues(customer, agency, feeOnly(terms)))
    await sign(house, contract, '2026-03-01')
    return { contract }
  }
})
