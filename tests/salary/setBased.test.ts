/** A month of wages of many people asks the database as often as that of a few. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { personalCard } from '../../src/demo/identifiers.ts'
import { Random } from '../../src/demo/random.ts'
import { employee } from '../contract.ts'
import { importFile, planOf, workbook, worker } from '../importing.ts'
import { createTestServer, type Answer, type Client, type TestServer } from '../server.ts'
import { billed } from '../statement.ts'
import { moreOften, queriesOf } from '../statementsOf.ts'
import { act, payrollFor } from './salary.ts'

const steps = [
  'zero filings',
  'payroll',
  'calculate',
  'submit',
  'approve',
  'filings',
  'batch',
  'batch submit',
  'batch approve',
  'batch send',
  'results: check',
  'results: write',
  'mark results',
  'pay again',
]
type Counts = Record<string, Map<string, number>>
let house: TestServer
let few: Counts
let many: Counts
let clerk: Client
let manager: Client
let cashier: Client
beforeAll(async () => {
  house = await createTestServer()
  ;[clerk, manager, cashier] = [
    await house.user('paying', ['payrollClerk']),
    await house.user('deciding', ['financeManager']),
    await house.user('cashing', ['cashier']),
  ]
  const bank = await house.create('/bank/bank', {
    bankName: '北辰示范银行',
    branchName: '北辰示范银行演示支行',
    cnapsCode: '991100000012',
    kind: 'jointStock',
    city: '320500',
    wageSupported: true,
  })
  const random = new Random(1)
  let account: number | undefined
  const month = async (size: number): Promise<Counts> => {
    const customer = await billed(house, { heads: 0, terms: { advanceAllowed: true, advanceLimit: '1000000' } })
    const { agency, contract } = customer
    account ??= await house.create('/bank/companyAccount', {
      agency,
      accountName: '示范派遣有限公司',
      accountNo: '9900880000000029',
      bank,
      accountKind: 'general',
      purpose: ['wage'],
      payFormat: 'csv',
    })
    for (let index = 0; index < size; index++) {
      const { id } = await employee(house, { customer: customer.customer, agency, service: contract, name: '员工甲' })
      await house.create('/bank/personBankCard', {
        person: id,
        accountName: '员工甲',
        accountNo: personalCard(random),
        bank,
        effectiveFrom: '2026-01',
      })
    }
    return wages(customer, account, size)
  }
  // Queries whose result is cached are not counted.
  await month(2)
  few = await month(4)
  many = await month(20)
}, 600_000)
afterAll(() => house?.close())

async function wages(customer: Awaited<ReturnType<typeof billed>>, payerAccount: number, size: number) {
  const counts: Counts = {}
  const step = async (name: string, answer: () => Promise<Answer>) => {
    let given: Answer | undefined
    counts[name] = await queriesOf(async () => {
      given = await answer()
    })
    expect(given, `${name} ${JSON.stringify(given)}`).toMatchObject({ code: 1 })
    return given!.result
  }
  const filing = { taxMonth: '2026-02', zeroReason: 'noIncome' }
  await step('zero filings', () => clerk.post('/salary/personalTax/zeroAuto', { values: filing }))
  let payroll = 0
  counts.payroll = await queriesOf(async () => {
    payroll = await payrollFor(house, customer)
  })
  await step('calculate', () => act(house, payroll, 'calculate', undefined, clerk))
  await step('submit', () => act(house, payroll, 'submit', undefined, clerk))
  await step('approve', () => act(house, payroll, 'approve', undefined, manager))
  await step('filings', () => clerk.post('/salary/personalTax/generate', { values: { taxMonth: '2026-03' } }))
  const values = { payrolls: [payroll], payerAccount, payMethod: 'bankFile', planPayDate: '2026-03-16' }
  const { id } = await step('batch', () => clerk.post('/salary/payBatch/create', { values }))
  const batch = (action: string, as: Client) =>
    step(`batch ${action}`, () => as.post(`/salary/payBatch/${action}`, { id }))
  await batch('submit', clerk)
  await batch('approve', manager)
  await batch('send', cashier)

  const lines = async () =>
    (
      await house.admin.get('/salary/payLine/list', {
        filters: { payBatch: { equals: id } },
        sort: 'lineNo',
        size: 100,
      })
    ).result.list
  const { batchNo } = (await house.admin.get('/salary/payBatch/detail', { id })).result
  const sent = await lines()
  expect(sent.length).toBe(size)
  const said = sent.slice(0, size / 2).map(({ lineNo, accountName, accountNo, amount }: Record<string, unknown>) => ({
    payBatch: String(batchNo),
    lineNo: String(lineNo),
    accountName: String(accountName),
    accountNo: String(accountNo),
    amount: String(amount),
    ...(Number(lineNo) % 2 === 0 ? { result: '成功' } : { result: '失败', failReason: '账号有误' }),
  }))
  const path = '/salary/payLineImport'
  const file = await importFile(house, await workbook(planOf(house, 'payLineImport'), said), { path })
  counts['results: check'] = await queriesOf(() => worker(house, 1000).drain())
  expect(await house.admin.post(`${path}/write`, { id: file })).toMatchObject({ code: 1 })
  counts['results: write'] = await queriesOf(() => worker(house, 1000).drain())
  const { result } = await house.admin.get(`${path}/detail`, { id: file })
  expect(result).toMatchObject({ status: 'completed', successCount: size / 2 })

  const left = sent.slice(size / 2).map((line: { id: number }) => line.id)
  await step('mark results', () =>
    cashier.post('/salary/payLine/markResult', {
      ids: left,
      values: { result: 'returned', failReason: '账户已销户' },
    }),
  )
  await step('pay again', () => clerk.post('/salary/payLine/reissue', { ids: left }))
  return counts
}

test.each(steps)('%s', (step) => {
  expect(few[step].size).toBeGreaterThan(3)
  expect(moreOften(few[step], many[step])).toEqual([])
})
