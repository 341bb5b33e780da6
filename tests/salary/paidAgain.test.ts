/** Wages whose payment failed, and which are to be paid again. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData } from '../../engine/model/model.ts'
import { createTestServer, type TestServer } from '../server.ts'
import { approvedPayroll, cardNumber, createPayDesk, sentBatch, type PayDesk } from './payDesk.ts'
import { linesOf, payroll as readPayroll } from './salary.ts'
import { isLong } from '../long.ts'

const [batches, payments] = ['/salary/payBatch', '/salary/payLine']
let house: TestServer
let desk: PayDesk
beforeAll(async () => {
  house = await createTestServer()
  desk = await createPayDesk(house)
})
afterAll(() => house?.close())

const paymentsIn = async (batch: number): Promise<RecordData[]> =>
  (await house.admin.get(`${payments}/list`, { filters: { payBatch: { equals: batch } }, sort: 'lineNo', size: 100 }))
    .result.list
const statesIn = async (batch: number) => (await paymentsIn(batch)).map(({ status }) => status)
const read = async (batch: number): Promise<RecordData> =>
  (await house.admin.get(`${batches}/detail`, { id: batch })).result
const again = (ids: unknown[]) => house.admin.post(`${payments}/reissue`, { ids })

/** A sent batch of two payments: the second failed, and the first too unless it is paid. */
async function failed({ isFirstPaid = true } = {}) {
  const customer = await approvedPayroll(desk)
  const id = await sentBatch(desk, [customer])
  const [first, second] = await paymentsIn(id)
  for (const [line, isPaid] of [[first, isFirstPaid] as const, [second, false] as const])
    expect(
      await house.admin.post(`${payments}/markResult`, {
        ids: [line.id],
        values: isPaid ? { result: 'success' } : { result: 'failed', failReason: '账号有误' },
      }),
    ).toMatchObject({ code: 1 })
  const further = () =>
    desk.clerk.post(`${batches}/create`, {
      values: {
        payrolls: [customer.payroll],
        payerAccount: customer.account,
        payMethod: 'bankFile',
        planPayDate: '2026-03-16',
      },
    })
  return { ...customer, id, first, second, further }
}

test('a wage whose payment failed is not paid twice if another batch of the payroll takes it up', async () => {
  const { id, second, further } = await failed()
  const { code, result } = await further()
  expect(code).toBe(1)
  expect(await statesIn(result.id)).toEqual(['pending'])
  expect(await statesIn(id)).toEqual(['success', 'reissued'])
  expect(await read(id)).toMatchObject({ status: 'finished' })
  expect(await again([second.id])).toMatchObject({ code: 409 })
})

test('who changed the payee of a failed payment does not approve the batch that takes it up either', async () => {
  const both = await house.user('changing', ['payrollClerk', 'financeManager'])
  for (const byReissue of [true, false]) {
    const { id, second, further } = await failed()
    const values = { accountName: '他人', accountNo: cardNumber(), bank: desk.bank }
    expect(await both.post(`${payments}/changeCard`, { id: second.id, values })).toMatchObject({ code: 1 })
    expect(
      byReissue ? await desk.clerk.post(`${payments}/reissue`, { ids: [second.id] }) : await further(),
    ).toMatchObject({ code: 1 })
    const next = ((await house.admin.get(`${batches}/list`, { sort: '-id', size: 1 })).result.list as RecordData[])[0]
      .id!
    expect(next).not.toBe(id)
    expect(await desk.clerk.post(`${batches}/submit`, { id: next, values: {} })).toMatchObject({ code: 1 })
    expect(await both.post(`${batches}/approve`, { id: next, values: {} })).toMatchObject({
      code: 409,
      message: '不能审核本人创建或更换过收款卡的代发批次',
    })
    expect(await desk.manager.post(`${batches}/approve`, { id: next, values: {} })).toMatchObject({ code: 1 })
  }
})

test.skipIf(!isLong)('the batch that takes it up pays to the present card', async () => {
  const { second, further } = await failed()
  expect(
    await house.admin.post('/bank/personBankCard/create', {
      values: {
        person: (second.person as { id: number }).id,
        accountName: String(second.accountName),
        accountNo: cardNumber(),
        bank: desk.bank,
        isDefault: true,
        effectiveFrom: '2026-01',
      },
    }),
  ).toMatchObject({ code: 1 })
  const { result } = await further()
  const [pending] = await paymentsIn(result.id)
  const [{ id: card }] = (
    await house.admin.get('/bank/personBankCard/list', {
      filters: { person: { equals: (second.person as { id: number }).id }, isDefault: { equals: true } },
    })
  ).result.list
  const { accountNo: number } = (await house.admin.get('/bank/personBankCard/detail', { id: card })).result
  expect(pending.accountNo).toBe(number)
})

test.skipIf(!isLong)(
  'a failed payment of a wage that is held stays where it is, and is paid again after the release',
  async () => {
    const { id, payroll, first, second } = await failed({ isFirstPaid: false })
    const [held] = (await linesOf(house, payroll)).filter(
      (line) => line.id === (second.payrollLine as { id: number }).id,
    )
    expect(await house.admin.post('/salary/payrollLine/hold', { id: held.id })).toMatchObject({ code: 1 })
    expect(await again([first.id, second.id])).toMatchObject({ code: 1 })
    expect(await statesIn(id)).toEqual(['reissued', 'failed'])
    expect(await read(id)).toMatchObject({ status: 'partial' })
    expect(await house.admin.post('/salary/payrollLine/release', { id: held.id })).toMatchObject({ code: 1 })
    expect(await again([second.id])).toMatchObject({ code: 1 })
    expect(await statesIn(id)).toEqual(['reissued', 'reissued'])
    expect(await readPayroll(house, payroll)).toMatchObject({ status: 'paying' })
  },
)

test('a payroll of which nothing was paid is only approved again once its batch is closed', async () => {
  const { id, payroll } = await failed({ isFirstPaid: false })
  expect(await readPayroll(house, payroll)).toMatchObject({ status: 'paying' })
  expect(await house.admin.post(`${batches}/close`, { id })).toMatchObject({ code: 1 })
  expect(await readPayroll(house, payroll)).toMatchObject({ status: 'approved' })
  expect(await desk.manager.post('/salary/payroll/unapprove', { id: payroll })).toMatchObject({ code: 1 })
  // It goes on for a person who was paid.
  const other = await failed()
  expect(await house.admin.post(`${batches}/close`, { id: other.id })).toMatchObject({ code: 1 })
  expect(await readPayroll(house, other.payroll)).toMatchObject({ status: 'paying' })
})
