import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isLong } from '../long.ts'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { importFile, planOf, rows, workbook, worker } from '../importing.ts'
import { picture, upload } from '../customer.ts'
import { createTestServer, waiting, type Answer, type Client, type TestServer } from '../server.ts'
import { type BilledCustomer, generate, statementsOf } from '../statement.ts'
import { approvedPayroll as approved, cardNumber, createPayDesk, sentBatch, type PayDesk } from './payDesk.ts'
import { act, approve, edit, holding, linesOf, paid, payroll, payrollFor, payrollLines } from './salary.ts'

const [batches, payments] = ['/salary/payBatch', '/salary/payLine']
let house: TestServer
let clerk: Client
let manager: Client
let cashier: Client
let bank: number
let desk: PayDesk
beforeAll(async () => {
  house = await createTestServer()
  desk = await createPayDesk(house)
  ;({ clerk, manager, cashier, bank } = desk)
})
afterAll(() => house?.close())

const approvedPayroll = (...given: [terms?: Record<string, Value>, withCards?: boolean]) => approved(desk, ...given)
const make = (values: Record<string, Value>, as: Client = clerk) =>
  as.post(`${batches}/create`, { values: { payMethod: 'bankFile', planPayDate: '2026-03-16', ...values } })
/** @returns its id */
async function made(values: Record<string, Value>): Promise<number> {
  const answer = await make(values)
  expect(answer, JSON.stringify([answer.message, answer.errors])).toMatchObject({ code: 1 })
  return answer.result.id
}
const call = (id: number, action: string, as: Client = clerk, values: Record<string, Value> = {}) =>
  as.post(`${batches}/${action}`, { id, values })
const read = async (id: number): Promise<RecordData> => (await house.admin.get(`${batches}/detail`, { id })).result
const linesIn = async (id: number): Promise<RecordData[]> =>
  (await house.admin.get(`${payments}/list`, { filters: { payBatch: { equals: id } }, sort: 'lineNo', size: 100 }))
    .result.list

async function sent() {
  const customer = await approvedPayroll()
  return { ...customer, id: await sentBatch(desk, [customer]) }
}

test.skipIf(!isLong)(
  'the menu counts what waits for each user: approvals, payments and rejected payrolls',
  async () => {
    const counted = (route: string) => Promise.all([clerk, manager, cashier].map((as) => waiting(as, route)))
    const [wages, pays] = ['/salary/payroll', '/salary/paybatch']
    const before = [await counted(wages), await counted(pays)]
    const more = async (route: string) => {
      const now = await counted(route)
      return now.map((count, index) => count - before[route === wages ? 0 : 1][index])
    }
    const { payroll: id, account: payerAccount } = await approvedPayroll()
    const rejected = await paid(house)
    for (const action of ['calculate', 'submit'])
      expect(await act(house, rejected.payroll, action, undefined, clerk)).toMatchObject({ code: 1 })
    expect(await more(wages)).toEqual([0, 1, 0])
    expect(await act(house, rejected.payroll, 'reject', { rejectReason: '金额不符' }, manager)).toMatchObject({
      code: 1,
    })
    expect(await more(wages)).toEqual([1, 0, 0])

    const batch = await made({ payrolls: [id], payerAccount })
    expect(await call(batch, 'submit')).toMatchObject({ code: 1 })
    expect(await more(pays)).toEqual([0, 1, 0])
    expect(await call(batch, 'approve', manager)).toMatchObject({ code: 1 })
    expect(await more(pays)).toEqual([0, 0, 1])
  },
)

describe('a payment batch', () => {
  test('pays everybody due once, is approved by another user, and is sent as a file', async () => {
    const customer = await approvedPayroll()
    const values = { payrolls: [customer.payroll], payerAccount: customer.account }
    const id = await made(values)
    expect(await read(id)).toMatchObject({
      batchNo: expect.stringMatching(/^DF20260315\d{4}$/),
      customers: customer.name,
      totalCount: 2,
      totalAmount: '12000.00',
      status: 'draft',
      agency: { id: customer.agency },
    })
    expect(
      (await linesIn(id)).map(({ lineNo, accountName, amount, summary, status }) => [
        lineNo,
        accountName,
        amount,
        summary,
        status,
      ]),
    ).toEqual([
      [1, '员工甲', '6000.00', '02月工资', 'pending'],
      [2, '员工乙', '6000.00', '02月工资', 'pending'],
    ])
    expect(await make(values)).toMatchObject({ code: 409, message: expect.stringContaining('没有待发放') })
    expect(await call(id, 'submit')).toMatchObject({ code: 1 })
    expect(await call(id, 'approve')).toMatchObject({ code: 403 })
    expect(await call(id, 'approve', manager)).toMatchObject({ code: 1 })
    const narrow = await holding(house, 'sending', ['salary:paybatch:view', 'salary:paybatch:send'])
    expect(await call(id, 'send', narrow)).toMatchObject({ code: 403 })
    expect(await call(id, 'send', cashier)).toMatchObject({ code: 1 })
    expect(await read(id)).toMatchObject({
      status: 'sent',
      bankFile: [expect.objectContaining({ name: expect.stringMatching(/^DF.*\.csv$/) })],
    })
    expect(await payroll(house, customer.payroll)).toMatchObject({ status: 'paying' })
    expect(await act(house, customer.payroll, 'unapprove', undefined, manager)).toMatchObject({ code: 409 })
  })

  /** A row of the bank's result file. */
  const resultOf = (batchNo: Value | undefined, line: RecordData, result: string, failReason = '') => ({
    payBatch: String(batchNo),
    lineNo: Number(line.lineNo),
    accountName: String(line.accountName),
    accountNo: String(line.accountNo),
    amount: '6000.00',
    result,
    failReason,
  })
  const load = async (cells: Record<string, string | number>[]) => {
    const path = '/salary/payLineImport'
    const file = await importFile(house, await workbook(planOf(house, 'payLineImport'), cells), { path })
    await worker(house).drain()
    await house.admin.post(`${path}/write`, { id: file })
    await worker(house).drain()
    return (await rows(house, file, house.admin, '/salary/payLineImportRow')).map(({ rowStatus }) => rowStatus)
  }

  test("the bank's file marks lines paid, or failed with a reason; failed ones go to another card", async () => {
    const { id, payroll: wages } = await sent()
    const [first, second] = await linesIn(id)
    const { batchNo } = await read(id)
    const row = (line: RecordData, result: string, failReason = '') => resultOf(batchNo, line, result, failReason)
    expect(await load([{ ...row(first, '成功'), amount: '1.00' }, row(second, '失败')])).toEqual(['failed', 'failed'])
    expect(await load([row(first, '成功'), row(second, '失败', '户名与账号不符')])).toEqual(['updated', 'updated'])
    expect(await read(id)).toMatchObject({ status: 'partial', successCount: 1, successAmount: '6000.00', failCount: 1 })
    expect((await linesOf(house, wages)).map(({ payStatus }) => payStatus)).toEqual(['success', 'failed'])
    const card = (
      await house.admin.get('/bank/personBankCard/list', {
        filters: { person: { equals: (second.person as { id: number }).id } },
      })
    ).result.list[0]
    expect(card).toMatchObject({ verifyStatus: 'failed', verifyRemark: '户名与账号不符', lastPaidAt: null })
    const cardOf = async (line: RecordData) =>
      (
        await house.admin.get('/bank/personBankCard/list', {
          filters: { person: { equals: (line.person as { id: number }).id }, isDefault: { equals: true } },
        })
      ).result.list[0]
    expect((await cardOf(first)).lastPaidAt).toBe((await linesIn(id))[0].paidAt)

    expect(
      await house.admin.post(`${payments}/changeCard`, {
        id: second.id,
        values: { accountName: '员工乙', accountNo: cardNumber(), bank },
      }),
    ).toMatchObject({ code: 1 })
    expect(await house.admin.post(`${payments}/reissue`, { ids: [second.id] })).toMatchObject({ code: 1 })
    expect(await read(id)).toMatchObject({ status: 'finished' })
    const again = (await house.admin.get(`${batches}/list`, { sort: '-createdAt', size: 1 })).result.list[0]
    expect(again).toMatchObject({ status: 'draft', totalCount: 1, totalAmount: '6000.00' })
    for (const [action, as] of [
      ['submit', clerk],
      ['approve', manager],
      ['send', cashier],
    ] as const)
      expect(await call(again.id, action, as)).toMatchObject({ code: 1 })
    const [retried] = await linesIn(again.id)
    expect(
      await house.admin.post(`${payments}/markResult`, { ids: [retried.id], values: { result: 'returned' } }),
    ).toMatchObject({ code: 422 })
    expect(
      await house.admin.post(`${payments}/markResult`, { ids: [retried.id], values: { result: 'success' } }),
    ).toMatchObject({ code: 1 })
    expect(await read(again.id)).toMatchObject({ status: 'finished' })
    expect(await payroll(house, wages)).toMatchObject({ status: 'paid', paidAt: expect.any(String) })
  })

  test('a payment that the bank returns later opens the wages and the batch again', async () => {
    const { id, payroll: wages } = await sent()
    const [first, second] = await linesIn(id)
    const cards = async () =>
      (
        await house.admin.get('/bank/personBankCard/list', {
          filters: { person: { in: [first, second].map(({ person }) => (person as { id: number }).id) } },
          sort: 'id',
        })
      ).result.list.map(({ lastPaidAt }: RecordData) => lastPaidAt)
    const returned = (line: RecordData, values: object) =>
      cashier.post(`${payments}/recordReturn`, { ids: [line.id], values })
    expect(await returned(first, { failReason: '账户已销户' })).toMatchObject({ code: 409 })
    expect(
      await cashier.post(`${payments}/markResult`, { ids: [first.id, second.id], values: { result: 'success' } }),
    ).toMatchObject({ code: 1 })
    expect([(await read(id)).status, (await payroll(house, wages)).status]).toEqual(['finished', 'paid'])
    expect(await cards()).toEqual([expect.any(String), expect.any(String)])

    expect(await returned(first, {})).toMatchObject({ code: 422 })
    expect(await returned(first, { failReason: '账户已销户' })).toMatchObject({ code: 1 })
    expect(await read(id)).toMatchObject({ status: 'partial', successCount: 1, failCount: 1 })
    expect(await payroll(house, wages)).toMatchObject({ status: 'paying', paidAt: null })
    expect((await linesOf(house, wages)).map(({ payStatus }) => payStatus)).toEqual(['returned', 'success'])
    expect((await linesIn(id))[0]).toMatchObject({ status: 'returned', failReason: '账户已销户', paidAt: null })
    expect(await cards()).toEqual([null, expect.any(String)])

    const card = { accountName: '员工甲', accountNo: cardNumber(), bank }
    expect(await house.admin.post(`${payments}/changeCard`, { id: first.id, values: card })).toMatchObject({ code: 1 })
    expect(await house.admin.post(`${payments}/reissue`, { ids: [first.id] })).toMatchObject({ code: 1 })
    expect(await read(id)).toMatchObject({ status: 'finished' })
    const again = (await house.admin.get(`${batches}/list`, { sort: '-createdAt', size: 1 })).result.list[0]
    for (const [action, as] of [
      ['submit', clerk],
      ['approve', manager],
      ['send', cashier],
    ] as const)
      expect(await call(again.id, action, as)).toMatchObject({ code: 1 })
    const ids = (await linesIn(again.id)).map((line) => line.id)
    expect(await cashier.post(`${payments}/markResult`, { ids, values: { result: 'success' } })).toMatchObject({
      code: 1,
    })
    expect(await payroll(house, wages)).toMatchObject({ status: 'paid', paidAt: expect.any(String) })
  })

  test.skipIf(!isLong)('a file with several failures sends each cashier one message', async () => {
    const { id } = await sent()
    const { batchNo } = await read(id)
    const lines = await linesIn(id)
    expect(await load(lines.map((line) => resultOf(batchNo, line, '失败', '户名与账号不符')))).toEqual([
      'updated',
      'updated',
    ])
    const { list } = (await cashier.get('/messages')).result
    const failures = list.filter(({ title }: RecordData) => String(title).startsWith('代发失败'))
    expect(failures[0]).toMatchObject({ title: '代发失败：2条', content: expect.stringMatching(/^来自导入文件/) })
    expect(failures.filter(({ content }: RecordData) => String(content).includes(String(batchNo)))).toEqual([])
  })

  test('whose payee is changed is approved again', async () => {
    for (const approves of [false, true]) {
      const customer = await approvedPayroll()
      const id = await made({ payrolls: [customer.payroll], payerAccount: customer.account })
      expect(await call(id, 'submit')).toMatchObject({ code: 1 })
      if (approves) expect(await call(id, 'approve', manager)).toMatchObject({ code: 1 })
      const [first] = await linesIn(id)
      const values = { accountName: '他人', accountNo: cardNumber(), bank }
      expect(await clerk.post(`${payments}/changeCard`, { id: first.id, values })).toMatchObject({ code: 1 })
      expect(await read(id)).toMatchObject({ status: 'draft', approver: null, approvedAt: null })
      expect(await call(id, 'send', cashier)).toMatchObject({ code: 409 })
      const filters = { payBatch: { equals: id }, subject: { in: ['payBatch'] } }
      const journal = (await house.admin.get('/salary/salaryJournal/list', { filters, sort: 'id', size: 20 })).result
        .list
      expect(journal.at(-1)).toMatchObject({
        action: 'changeCard',
        statusBefore: approves ? 'approved' : 'submitted',
        statusAfter: 'draft',
      })
      for (const [action, as] of [
        ['submit', clerk],
        ['approve', manager],
        ['send', cashier],
      ] as const)
        expect(await call(id, action, as)).toMatchObject({ code: 1 })
    }
  })

  test('is not approved by who changed a payee', async () => {
    const customer = await approvedPayroll()
    const id = await made({ payrolls: [customer.payroll], payerAccount: customer.account })
    const both = await house.user('changing', ['payrollClerk', 'financeManager'])
    const lines = await linesIn(id)
    const values = { accountName: '他人', accountNo: cardNumber(), bank }
    expect(await both.post(`${payments}/changeCard`, { id: lines[0].id, values })).toMatchObject({ code: 1 })
    const other = { ...values, accountNo: cardNumber() }
    expect(await clerk.post(`${payments}/changeCard`, { id: lines[1].id, values: other })).toMatchObject({ code: 1 })
    expect(await call(id, 'submit')).toMatchObject({ code: 1 })
    expect(await call(id, 'approve', both)).toMatchObject({
      code: 409,
      message: '不能审核本人创建或更换过收款卡的代发批次',
    })
    expect(await call(id, 'approve', manager)).toMatchObject({ code: 1 })
  })

  test('is not approved by who chose a payee that nobody has verified, also before the batch', async () => {
    const cardsOf = '/bank/personBankCard'
    const both = await holding(house, 'cards', ['bank:card:*', 'salary:paybatch:view', 'salary:paybatch:approve'])
    const customer = await approvedPayroll()
    const filters = { person: { equals: customer.people[0] } }
    const [card] = (await house.admin.get(`${cardsOf}/list`, { filters })).result.list
    const { revision } = (await house.admin.get(`${cardsOf}/detail`, { id: card.id })).result
    const values = { accountNo: cardNumber() }
    expect(await both.post(`${cardsOf}/update`, { id: card.id, revision, values })).toMatchObject({ code: 1 })
    const batch = { payrolls: [customer.payroll], payerAccount: customer.account }
    const id = await made(batch)
    expect((await linesIn(id))[0]).toMatchObject(values)
    expect(await call(id, 'submit')).toMatchObject({ code: 1 })
    expect(await call(id, 'approve', both)).toMatchObject({
      code: 409,
      message: '不能审核本人创建或更换过收款卡的代发批次',
    })
    expect(await call(id, 'cancel')).toMatchObject({ code: 1 })
    expect(await house.admin.post(`${cardsOf}/verify`, { id: card.id })).toMatchObject({ code: 1 })
    const verified = await made(batch)
    expect(await call(verified, 'submit')).toMatchObject({ code: 1 })
    expect(await call(verified, 'approve', both), 'somebody else has seen the card').toMatchObject({ code: 1 })
  })

  test('is not sent to a card that failed after the approval', async () => {
    const customer = await approvedPayroll()
    const id = await made({ payrolls: [customer.payroll], payerAccount: customer.account })
    expect(await call(id, 'submit')).toMatchObject({ code: 1 })
    expect(await call(id, 'approve', manager)).toMatchObject({ code: 1 })
    const filters = { person: { equals: customer.people[1] } }
    const [card] = (await house.admin.get('/bank/personBankCard/list', { filters })).result.list
    const failed = { id: card.id, values: { verifyRemark: '账户已销户' } }
    expect(await house.admin.post('/bank/personBankCard/fail', failed)).toMatchObject({ code: 1 })
    expect(await call(id, 'send', cashier)).toMatchObject({
      code: 409,
      message: '第2笔缺少可用的工资卡：请更换工资卡',
    })
    expect(await read(id)).toMatchObject({ status: 'approved', bankFile: null })
  })

  test('is blocked without cards, or if a prepaying customer has not settled its statement', async () => {
    const bare = await approvedPayroll(undefined, false)
    const id = await made({ payrolls: [bare.payroll], payerAccount: bare.account })
    expect(await call(id, 'submit')).toMatchObject({ code: 409, message: expect.stringContaining('缺少可用的工资卡') })
    const prepaid = await approvedPayroll({ advanceAllowed: false })
    const second = await made({ payrolls: [prepaid.payroll], payerAccount: prepaid.account })
    expect(await call(second, 'submit')).toMatchObject({
      code: 409,
      message: expect.stringContaining('尚未结清对账单'),
    })
    expect(await call(second, 'cancel')).toMatchObject({ code: 1 })
    expect((await linesOf(house, prepaid.payroll)).map(({ payStatus }) => payStatus)).toEqual(['removed', 'removed'])
    expect(await make({ payrolls: [prepaid.payroll], payerAccount: prepaid.account })).toMatchObject({ code: 1 })
  })
})

test.skipIf(!isLong)('late wages of a settled month wait until they are settled themselves', async () => {
  const customer = await approvedPayroll({ advanceAllowed: false })
  const { account: payerAccount } = customer
  await settle(customer, '2026-03')
  const late = await payrollFor(house, customer, { name: '二月补发' })
  for (const line of await linesOf(house, late)) await edit(house, line, { baseSalary: '500' })
  await approve(house, late, { clerk, manager })
  expect(await call(await made({ payrolls: [customer.payroll], payerAccount }), 'submit')).toMatchObject({ code: 1 })
  const second = await made({ payrolls: [late], payerAccount })
  expect(await call(second, 'submit')).toMatchObject({
    code: 409,
    message: expect.stringContaining('尚未结清对账单'),
  })
  await settle(customer, '2026-04')
  expect(await call(second, 'submit')).toMatchObject({ code: 1 })
})

test.skipIf(!isLong)(
  'wages of a prepaying customer are not sent if its payment was undone after the batch was submitted',
  async () => {
    const customer = await approvedPayroll({ advanceAllowed: false })
    const receipt = await settle(customer, '2026-03')
    const id = await made({ payrolls: [customer.payroll], payerAccount: customer.account })
    expect(await call(id, 'submit')).toMatchObject({ code: 1 })
    const filters = { receipt: { equals: receipt } }
    const [match] = (await house.admin.get('/settlement/receiptMatch/list', { filters })).result.list
    const unmatched = { id: match.id, values: { cancelReason: '核销有误，撤销' } }
    expect(await house.admin.post('/settlement/receiptMatch/unmatch', unmatched)).toMatchObject({ code: 1 })
    const voided = { id: receipt, values: { voidReason: '到账登记有误' } }
    expect(await house.admin.post('/settlement/receipt/void', voided)).toMatchObject({ code: 1 })
    expect(await call(id, 'approve', manager)).toMatchObject({ code: 1 })
    expect(await call(id, 'send', cashier)).toMatchObject({
      code: 409,
      message: expect.stringContaining('尚未结清对账单'),
    })
    expect(await read(id)).toMatchObject({ status: 'approved', bankFile: null })
    expect(await payroll(house, customer.payroll)).toMatchObject({ status: 'approved' })
    await receive(customer)
    expect(await call(id, 'send', cashier)).toMatchObject({ code: 1 })
  },
)

const done = (answer: Answer) =>
  expect(answer, JSON.stringify([answer.message, answer.errors])).toMatchObject({ code: 1 })

/** Confirms the statement of a month and receives all of its amount. @returns the receipt */
async function settle(billed: Pick<BilledCustomer, 'customer' | 'agency'>, billMonth: string): Promise<number> {
  const { customer } = billed
  done(await generate(house.admin, [customer], billMonth))
  const { id: statement } = (await statementsOf(house, customer)).at(-1)!
  const { result } = await upload(house, house.admin, 'stamped.png', picture)
  const values = { confirmEvidence: [{ ...result, status: 'success' }] }
  done(await house.admin.post('/settlement/statement/confirm', { id: statement, values }))
  return receive(billed)
}

let serial = 0
/** Receives all that is outstanding of the customer's last statement. @returns the receipt */
async function receive({ customer, agency }: Pick<BilledCustomer, 'customer' | 'agency'>): Promise<number> {
  const { id: statement, outstandingAmount } = (await statementsOf(house, customer)).at(-1)!
  const amount = String(outstandingAmount)
  const companyAccount = await house.create('/bank/companyAccount', {
    agency,
    accountName: '示范派遣有限公司',
    accountNo: `990088${1_000_000_000 + ++serial}`,
    bank,
    accountKind: 'general',
    purpose: ['receipt'],
  })
  const receipt = await house.create('/settlement/receipt', {
    customer,
    amount,
    companyAccount,
    receivedDate: '2026-03-15',
    payerName: '示范付款方',
    method: 'bankTransfer',
    bankSerialNo: `B${++serial}`,
  })
  done(
    await house.admin.post('/settlement/receipt/match', { id: receipt, values: { matches: [{ statement, amount }] } }),
  )
  return receipt
}

test.skipIf(!isLong)('the advance limit counts over all batches', async () => {
  const customer = await approvedPayroll()
  const { payroll: id } = customer
  const [first, second] = await linesOf(house, id)
  const limit = Math.max(Number(first.netPay), Number(second.netPay)) + 1
  await house.database.pool.query('update contract set "advanceLimit" = $1 where id = $2', [limit, customer.contract])
  expect(await house.admin.post(`${payrollLines}/hold`, { id: second.id })).toMatchObject({ code: 1 })
  const values = { payrolls: [id], payerAccount: customer.account }
  const batch = await made(values)
  expect(await call(batch, 'submit')).toMatchObject({ code: 1 })
  expect(await house.admin.post(`${payrollLines}/release`, { id: second.id })).toMatchObject({ code: 1 })
  const other = await made(values)
  expect(await call(other, 'submit')).toMatchObject({ code: 409, message: expect.stringContaining('尚未结清对账单') })
})

test.skipIf(!isLong)('a payroll does not wait for a held line, which is due again once released', async () => {
  const customer = await approvedPayroll()
  const { payroll: id } = customer
  const status = async () => (await payroll(house, id)).status
  const lines = await linesOf(house, id)
  const hold = (action: string) => house.admin.post(`${payrollLines}/${action}`, { id: lines[1].id })
  expect(await hold('hold')).toMatchObject({ code: 1 })
  const batch = await made({ payrolls: [id], payerAccount: customer.account })
  for (const [action, as] of [
    ['submit', clerk],
    ['approve', manager],
    ['send', cashier],
  ] as const)
    expect(await call(batch, action, as)).toMatchObject({ code: 1 })
  expect(await status()).toBe('paying')
  const [payment] = await linesIn(batch)
  expect(await cashier.post(`${payments}/markResult`, { id: payment.id, values: { result: 'success' } })).toMatchObject(
    { code: 1 },
  )
  expect(await status()).toBe('paid')
  expect(await hold('release')).toMatchObject({ code: 1 })
  expect(await status()).toBe('paying')
  expect(await hold('hold')).toMatchObject({ code: 1 })
  expect(await status()).toBe('paid')
})

test('a batch paid by hand is finished once its voucher is uploaded', async () => {
  const customer = await approvedPayroll()
  const batch = await made({ payrolls: [customer.payroll], payerAccount: customer.account, payMethod: 'manual' })
  for (const [action, as] of [
    ['submit', clerk],
    ['approve', manager],
    ['send', cashier],
  ] as const)
    expect(await call(batch, action, as)).toMatchObject({ code: 1 })
  for (const { id } of await linesIn(batch))
    expect(await cashier.post(`${payments}/markResult`, { id, values: { result: 'success' } })).toMatchObject({
      code: 1,
    })
  expect(await read(batch)).toMatchObject({ status: 'partial' })
  expect(await call(batch, 'close', cashier)).toMatchObject({ code: 409, message: '线下付款须先上传回单' })
  const { result } = await upload(house, cashier, 'receipt.png', picture)
  const voucher = [{ ...result, status: 'success' }] as unknown as Value
  expect(await call(batch, 'uploadVoucher', cashier, { voucher })).toMatchObject({ code: 1 })
  expect(await read(batch)).toMatchObject({ status: 'finished' })
})
