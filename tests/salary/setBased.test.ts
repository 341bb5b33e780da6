/** A month of wages takes the same number of queries for many people as for few. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ProcedureWork } from '../../engine/server/procedure.ts'
import { inWork } from '../../engine/server/records/Work.ts'
import { personalCard } from '../../src/demo/identifiers.ts'
import { Random } from '../../src/demo/random.ts'
import { employee } from '../contract.ts'
import { importFile, planOf, workbook, worker } from '../importing.ts'
import { createTestServer, type Answer, type Client, type TestServer } from '../server.ts'
import { billedCustomer } from '../statement.ts'
import { moreOften, queriesOf } from '../statementsOf.ts'
import { act, paid, payroll, payrollFor } from './salary.ts'
import { isLong } from '../long.ts'

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
  'change card',
  'pay again',
]
const random = new Random(1)
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
  let account: number | undefined
  const month = async (size: number): Promise<Counts> => {
    const customer = await billedCustomer(house, { heads: 0, terms: { advanceAllowed: true, advanceLimit: '1000000' } })
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
  // The first run fills caches, so it is not counted.
  await month(2)
  few = await month(4)
  many = await month(20)
}, 600_000)
afterAll(() => house?.close())

async function wages(customer: Awaited<ReturnType<typeof billedCustomer>>, payerAccount: number, size: number) {
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
  let made = 0
  counts.payroll = await queriesOf(async () => {
    made = await payrollFor(house, customer)
  })
  await step('calculate', () => act(house, made, 'calculate', undefined, clerk))
  await step('submit', () => act(house, made, 'submit', undefined, clerk))
  await step('approve', () => act(house, made, 'approve', undefined, manager))
  await step('filings', () => clerk.post('/salary/personalTax/generate', { values: { taxMonth: '2026-03' } }))
  const values = { payrolls: [made], payerAccount, payMethod: 'bankFile', planPayDate: '2026-03-16' }
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
  const rows = sent.slice(0, size / 2).map(({ lineNo, accountName, accountNo, amount }: Record<string, unknown>) => ({
    payBatch: String(batchNo),
    lineNo: String(lineNo),
    accountName: String(accountName),
    accountNo: String(accountNo),
    amount: String(amount),
    ...(Number(lineNo) % 2 === 0 ? { result: '成功' } : { result: '失败', failReason: '账号有误' }),
  }))
  const path = '/salary/payLineImport'
  const file = await importFile(house, await workbook(planOf(house, 'payLineImport'), rows), { path })
  counts['results: check'] = await queriesOf(() => worker(house, 1000).drain())
  expect(await house.admin.post(`${path}/write`, { id: file })).toMatchObject({ code: 1 })
  counts['results: write'] = await queriesOf(() => worker(house, 1000).drain())
  const { result } = await house.admin.get(`${path}/detail`, { id: file })
  expect(result).toMatchObject({ status: 'completed', successCount: size / 2 })

  const left = sent.slice(size / 2).map((line: { id: number }) => line.id)
  await spread(left, id)
  await step('mark results', () =>
    cashier.post('/salary/payLine/markResult', {
      ids: left,
      values: { result: 'returned', failReason: '账户已销户' },
    }),
  )
  await house.database.pool.query('update "payLine" set "payBatch" = $1 where id = any($2)', [id, left])
  const ids = await repeated(left[0], size)
  const card = { accountName: '员工甲', accountNo: personalCard(random), bank: sent[0].bank.id }
  await step('change card', () => clerk.post('/salary/payLine/changeCard', { ids, values: card }))
  await step('pay again', () => clerk.post('/salary/payLine/reissue', { ids: left }))
  return counts
}

const atDoor = (act: (door: ProcedureWork) => Promise<void>) =>
  inWork(house.context(), { cause: 'system' }, ({ context, db }) => act(new ProcedureWork(context, db)))

/** Moves the payments of one batch into a batch each. */
const spread = (lines: readonly number[], batch: number) =>
  atDoor(async (door) => {
    const { id: _id, revision: _revision, ...whole } = (await door.one('payBatch', batch))!
    const batches = await door.insert(
      'payBatch',
      lines.map(() => ({ ...whole, batchNo: null })),
    )
    await door.setReferences(
      'payLine',
      'payBatch',
      lines.map((id, index) => ({ id, at: batches[index].id })),
    )
  })

/** Adds this number of copies of a payment, to the same person. */
async function repeated(line: number, size: number): Promise<number[]> {
  const ids: number[] = []
  await atDoor(async (door) => {
    const { id: _id, revision: _revision, ...whole } = (await door.one('payLine', line))!
    const copies = await door.insert(
      'payLine',
      Array.from({ length: size }, () => whole),
    )
    ids.push(...copies.map(({ id }) => id))
  })
  return ids
}

describe.skipIf(!isLong)('many payrolls', () => {
  const counts: Counts[] = []
  beforeAll(async () => {
    // The first run fills caches, so it is not counted.
    for (const size of [2, 2, 20]) counts.push(await payrolls(size))
  }, 600_000)

  async function payrolls(size: number): Promise<Counts> {
    const rows: Record<string, string>[] = []
    const ids: number[] = []
    for (let index = 0; index < size; index++) {
      const { payroll: id, people } = await paid(house, {}, { heads: 1 })
      const { batchNo } = await payroll(house, id)
      const { result: person } = await house.admin.get('/staff/person/detail', { id: people[0] })
      rows.push({ payroll: String(batchNo), personName: person.name, person: person.idNumber, baseSalary: '7000.00' })
      ids.push(id)
    }
    await house.database.pool.query('update "payrollLine" set "deletedAt" = now() where payroll = any($1)', [ids])
    const path = '/salary/payrollLineImport'
    const file = await importFile(house, await workbook(planOf(house, 'payrollLineImport'), rows), { path })
    const checked = await queriesOf(() => worker(house, 1000).drain())
    expect(await house.admin.post(`${path}/write`, { id: file })).toMatchObject({ code: 1 })
    const written = await queriesOf(() => worker(house, 1000).drain())
    expect((await house.admin.get(`${path}/detail`, { id: file })).result).toMatchObject({ successCount: size })
    await house.database.pool.query(`update payroll set status = 'approved' where id = any($1)`, [ids])
    const values = { payslipBy: 'inPerson', payslipAt: house.context().now, payslipRemark: '当面交付' }
    const handedOver = await queriesOf(async () => {
      const answer = await house.admin.post('/salary/payroll/handOverPayslips', { ids, values })
      expect(answer, JSON.stringify(answer)).toMatchObject({ code: 1, result: { succeeded: size } })
    })
    return { 'wages: check': checked, 'wages: write': written, 'payslips handed over': handedOver }
  }

  test.each(['wages: check', 'wages: write', 'payslips handed over'])('%s', (step) => {
    expect(counts[1][step].size).toBeGreaterThan(3)
    expect(moreOften(counts[1][step], counts[2][step])).toEqual([])
  })
})

test.skipIf(!isLong).each(steps)('%s', (step) => {
  expect(few[step].size).toBeGreaterThan(3)
  expect(moreOften(few[step], many[step])).toEqual([])
})
