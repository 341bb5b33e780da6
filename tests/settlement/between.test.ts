/** The links between statements, receipts, invoices, payrolls and closed months: nothing is lost or counted twice. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isLong } from '../long.ts'
import type { RecordData, Value } from '../../engine/model/model.ts'
import {
  application,
  confirmed,
  confirmStatement,
  invoiceFile,
  invoices,
  issue,
  nextNumber,
  readInvoice,
} from '../invoice.ts'
import { picture, upload } from '../customer.ts'
import { act, edit, linesOf, payrollFor } from '../salary/salary.ts'
import { createTestServer, type Client, type TestServer } from '../server.ts'
import {
  billedCustomer,
  deliver,
  generate,
  items,
  journal,
  lines,
  read,
  sample,
  statements,
  statementsOf,
} from '../statement.ts'

let house: TestServer
let clerk: Client
let manager: Client
let bank: number
beforeAll(async () => {
  house = await createTestServer()
  ;[clerk, manager] = [await house.user('paying', ['payrollClerk']), await house.user('deciding', ['financeManager'])]
  bank = await house.create('/bank/bank', {
    bankName: '北辰示范银行',
    branchName: '北辰示范银行演示支行',
    cnapsCode: '991100000012',
    kind: 'jointStock',
    city: '320500',
  })
})
afterAll(() => house?.close())

let number = 0
async function received(agency: number, customer: number, amount: string): Promise<number> {
  const companyAccount = await house.create('/bank/companyAccount', {
    agency,
    accountName: '示范派遣有限公司',
    accountNo: `990088${1_000_000_000 + ++number}`,
    bank,
    accountKind: 'general',
    purpose: ['receipt'],
  })
  return house.create('/settlement/receipt', {
    receivedDate: '2026-03-10',
    amount,
    method: 'bankTransfer',
    companyAccount,
    customer,
    payerName: '陌生付款人',
    bankSerialNo: `B${++number}`,
  })
}
const receipt = async (id: number): Promise<RecordData> =>
  (await house.admin.get('/settlement/receipt/detail', { id })).result
const matching = (id: number, statement: number, amount: string, writeOffAmount?: string) =>
  house.admin.post('/settlement/receipt/match', {
    id,
    values: { matches: [{ statement, amount, ...(writeOffAmount && { writeOffAmount }) }] },
  })
const balanceOf = async (id: number) => {
  const { balance, receivable } = (await house.admin.get('/customer/detail', { id })).result
  return [balance, receivable]
}
const applied = async (ids: number[]): Promise<number> => {
  const answer = await house.admin.post(`${invoices}/create`, { values: await application(house.admin, ids) })
  expect(answer).toMatchObject({ code: 1 })
  return answer.result.id
}

test('after a refund and a red invoice, matched payments stay, and the rest can be paid and invoiced', async () => {
  const { id, customer, agency } = await confirmed(house)
  const paid = await received(agency, customer, '10000.00')
  expect(await matching(paid, id, '9000.00')).toMatchObject({ code: 1 })
  const blue = await applied([id])
  expect(await issue(house, blue)).toMatchObject({ code: 1 })
  const { companyAccount } = await receipt(paid)
  const refund = (amount: string) =>
    house.admin.post('/settlement/receipt/refund', {
      id: paid,
      values: {
        amount,
        receivedDate: '2026-03-15',
        companyAccount: (companyAccount as { id: number }).id,
        remark: '多付退回',
      },
    })
  expect((await refund('1000.01')).errors).toMatchObject([{ field: 'amount' }])
  expect(await refund('400.00')).toMatchObject({ code: 1 })
  const red = {
    reason: 'wrongAmount',
    invoiceNo: nextNumber(),
    issueDate: '2026-03-15',
    files: await invoiceFile(house, house.admin),
  }
  expect(
    await house.admin.post(`${invoices}/redFlush`, { id: blue, values: red as Record<string, Value> }),
  ).toMatchObject({ code: 1 })
  expect(await read(house, id)).toMatchObject({
    status: 'confirmed',
    receivedAmount: '9000.00',
    outstandingAmount: '10596.44',
    invoicedAmount: '0.00',
    applyingAmount: '0.00',
  })
  expect(await receipt(paid)).toMatchObject({ unmatchedAmount: '600.00', refundedAmount: '400.00' })
  expect(await balanceOf(customer)).toEqual(['600.00', '10596.44'])
  const twice = await house.admin.post(`${invoices}/redFlush`, {
    id: blue,
    values: { ...red, invoiceNo: nextNumber() } as Record<string, Value>,
  })
  expect(twice.code).toBe(409)
  expect(await issue(house, await applied([id]))).toMatchObject({ code: 1 })
  expect(await read(house, id)).toMatchObject({ invoicedAmount: '19596.44', status: 'invoiced' })
})

test.skipIf(!isLong)(
  'a partly paid or invoiced statement cannot be reopened or voided until both are undone',
  async () => {
    const { id, customer, agency } = await confirmed(house)
    const back = (action: string, values: Record<string, Value> = {}) =>
      house.admin.post(`${statements}/${action}`, { id, values })
    const paid = await received(agency, customer, '5000.00')
    await matching(paid, id, '5000.00')
    for (const [action, values] of [
      ['unconfirm', {}],
      ['void', { voidReason: '费用有误，重新出账' }],
      ['regenerate', {}],
    ] as const)
      expect((await back(action, values)).code, action).toBe(409)
    const [match] = (
      await house.admin.get('/settlement/receiptMatch/list', { filters: { receipt: { equals: paid } }, size: 10 })
    ).result.list
    expect(
      await house.admin.post('/settlement/receiptMatch/unmatch', {
        id: match.id,
        values: { cancelReason: '认领有误，撤销核销' },
      }),
    ).toMatchObject({ code: 1 })
    const waiting = await applied([id])
    expect((await back('unconfirm')).code, 'an application is open').toBe(409)
    expect(await house.admin.post(`${invoices}/withdraw`, { id: waiting }), 'withdrawn').toMatchObject({
      code: 1,
    })
    expect(await back('unconfirm')).toMatchObject({ code: 1 })
    expect(await read(house, id)).toMatchObject({ status: 'generated', receivedAmount: '0.00' })
    expect(await balanceOf(customer)).toEqual(['5000.00', '0.00'])
  },
)

test.skipIf(!isLong)('two users who confirm a statement at once confirm it once', async () => {
  const customer = await billedCustomer(house)
  await deliver(house, customer, sample(customer.people))
  await generate(house.admin, [customer.customer])
  const [{ id }] = await statementsOf(house, customer.customer)
  const confirm = async (as: Client) => {
    const { result } = await upload(house, as, 'stamped.png', picture)
    return as.post(`${statements}/confirm`, { id, values: { confirmEvidence: [{ ...result, status: 'success' }] } })
  }
  const codes = (await Promise.all([confirm(house.admin), confirm(manager)])).map(({ code }) => code)
  expect(codes.toSorted((a, b) => a - b)).toEqual([1, 409])
  expect((await journal(house, id!)).filter(({ action }) => action === 'confirm')).toHaveLength(1)
  expect(await read(house, id!)).toMatchObject({ status: 'confirmed', totalAmount: '19596.44' })
})

test('rounded parts add up to the whole: lines, items, fee and tax', async () => {
  const customer = await billedCustomer(house, {
    heads: 3,
    terms: {
      feeRules: [
        {
          serviceType: 'dispatch',
          feeMode: 'fixed',
          fixedAmount: '1000.01',
          chargeRule: 'fullMonth',
          effectiveFrom: '2026-01',
        },
      ] as Value,
    },
  })
  await deliver(
    house,
    customer,
    customer.people.map((person) => ({ person, feeItem: 'pension', amount: '333.33', costMonth: '2026-03' })),
  )
  await generate(house.admin, [customer.customer])
  const [{ id }] = await statementsOf(house, customer.customer)
  const whole = await read(house, id!)
  const cents = (records: readonly RecordData[], name: string) =>
    records.reduce((sum, each) => sum + Math.round(Number(each[name] ?? 0) * 100), 0)
  const own = await lines(house, id!)
  for (const name of ['serviceFeeAmount', 'taxAmount', 'totalAmount'])
    expect(cents(own, name), name).toBe(Math.round(Number(whole[name]) * 100))
  const parts = (await items(house, id!)).filter(({ memo }) => memo !== true)
  expect(cents(parts, 'amount')).toBe(cents([whole], 'totalAmount') - cents([whole], 'taxAmount'))
  // The remaining cent is written off with the payment, and nothing is left on either side.
  const { agency } = customer
  await confirmStatement(house, id!)
  const paid = await received(agency, customer.customer, (Number(whole.totalAmount) - 0.01).toFixed(2))
  expect(await matching(paid, id!, (Number(whole.totalAmount) - 0.01).toFixed(2), '0.01')).toMatchObject({ code: 1 })
  expect(await read(house, id!)).toMatchObject({ status: 'settled', outstandingAmount: '0.00', writeOffAmount: '0.01' })
  expect(await balanceOf(customer.customer)).toEqual(['0.00', '0.00'])
})

test.skipIf(!isLong)(
  "of two submitted annual bonuses, the second approval is refused with the person's name",
  async () => {
    const customer = await billedCustomer(house, { heads: 1 })
    const ids: number[] = []
    for (const bonus of ['36000', '20000']) {
      const id = await payrollFor(house, customer, { incomeType: 'annualBonus' })
      await edit(house, (await linesOf(house, id))[0], { bonus })
      expect(await act(house, id, 'calculate', undefined, clerk)).toMatchObject({ code: 1 })
      expect(await act(house, id, 'submit', undefined, clerk)).toMatchObject({ code: 1 })
      ids.push(id)
    }
    expect(await act(house, ids[0], 'approve', undefined, manager)).toMatchObject({ code: 1 })
    expect(await act(house, ids[1], 'approve', undefined, manager)).toMatchObject({
      code: 409,
      message: expect.stringContaining('员工甲'),
    })
  },
)

test('a benefit of a closed month is refused, and one of the open month is on its statement', async () => {
  const customer = await billedCustomer(house, { heads: 1 })
  const benefit = (feeMonth: string) =>
    house.admin.post('/welfare/otherBenefit/create', {
      values: {
        feeMonth,
        customer: customer.customer,
        benefitType: 'welfareGoods',
        itemName: '端午礼盒',
        supplier: '演示商贸',
        quantity: 1,
        unitPrice: '100',
      },
    })
  const close = async (month: string | null) => {
    await house.database.pool.query('update parameter set "closedMonth" = $1', [month])
    await house.database.pool.query('update system_overlay set version = version + 1')
  }
  const early = await benefit('2026-02')
  expect(early).toMatchObject({ code: 1 })
  await close('2026-02')
  expect((await benefit('2026-02')).code, 'a new one').not.toBe(1)
  expect(
    (await house.admin.post('/welfare/otherBenefit/confirm', { id: early.result.id, values: {} })).code,
    'one that was open',
  ).not.toBe(1)
  const now = await benefit('2026-03')
  expect(now).toMatchObject({ code: 1 })
  expect(await house.admin.post('/welfare/otherBenefit/confirm', { id: now.result.id, values: {} })).toMatchObject({
    code: 1,
  })
  await generate(house.admin, [customer.customer])
  const [statement] = await statementsOf(house, customer.customer)
  expect(statement).toMatchObject({ otherBenefitAmount: '100.00' })
  await close(null)
})

test.skipIf(!isLong)('payments of a disabled customer can still be matched, refunded and invoiced', async () => {
  const { id, customer, agency } = await confirmed(house)
  const paid = await received(agency, customer, '19596.44')
  expect(await matching(paid, id, '19000.00')).toMatchObject({ code: 1 })
  await house.database.pool.query(`update customer set "accountStatus" = 'disabled' where id = $1`, [customer])
  expect(await matching(paid, id, '596.44')).toMatchObject({ code: 1 })
  const invoice = await applied([id])
  expect(await issue(house, invoice)).toMatchObject({ code: 1 })
  expect(await readInvoice(house, invoice)).toMatchObject({ status: 'issued', amount: '19596.44' })
  expect(await read(house, id)).toMatchObject({ status: 'settled', outstandingAmount: '0.00' })
  expect(await balanceOf(customer)).toEqual(['0.00', '0.00'])
})
