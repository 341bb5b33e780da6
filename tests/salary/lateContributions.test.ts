/**
 * Contributions that arrive after the wages of their month are approved: the agent's next wages deduct them, and until
 * then they are listed.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { isLong } from '../long.ts'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { runDaily } from '../../engine/server/jobs/daily.ts'
import { clockOn } from '../clock.ts'
import { employee } from '../contract.ts'
import { lockWait } from '../lockWait.ts'
import type { Answer, Client } from '../server.ts'
import { billedCustomer, type BilledCustomer } from '../statement.ts'
import { handlingHouse, type HandlingHouse } from '../welfare/handled.ts'
import { act as actOn, approve, createOutsourcer, edit, linesOf, payroll, payrollFor, wageUsers } from './salary.ts'

let { house, call, create } = {} as HandlingHouse
let clerk: Client
let manager: Client
let outsourcing: number
let first: BilledCustomer
beforeAll(async () => {
  ;({ house, call, create } = await handlingHouse())
  ;[clerk, manager] = await wageUsers(house)
  outsourcing = await createOutsourcer(house)
})
afterAll(() => house?.close())
beforeEach(async () => {
  on('2026-01-10')
  first = await billedCustomer(house, { heads: 0 })
})

const family = 'socialsecurity'
const on = (day: string) => Object.assign(house.runtime, { clock: clockOn(day) })
const done = (answer: Answer) =>
  expect(answer, JSON.stringify([answer.message, answer.errors])).toMatchObject({ code: 1 })

/** A person employed from January and insured from March, who contributes 1,020.00 a month. */
async function joins({ isHandled = true, ...given }: Record<string, Value> = {}): Promise<number> {
  const values: Record<string, Value> = {
    entryDate: '2026-01-05',
    insuranceCity: '110100',
    baseSalary: '12000',
    medicalinsuranceNeeded: false,
    accumulationfundNeeded: false,
    [`${family}Needed`]: true,
    [`${family}StartMonth`]: '2026-03',
    ...given,
  }
  const { customer, agency, contract: service } = first
  const { id } = await employee(house, { customer, agency, service, values })
  if (isHandled !== true) return id
  on('2026-03-10')
  await handles(id)
  await generate('2026-03')
  await generate('2026-04')
  return id
}
async function handles(person: number, scheme = family): Promise<void> {
  const filters = { person: { equals: person } }
  const [addition] = (await house.admin.get(`/welfare/${scheme}Addition/list`, { filters })).result.list
  const personalAccountNo = scheme === 'accumulationfund' && { personalAccountNo: String(900_077_770_000 + person) }
  done(await call(`${scheme}Addition`, 'succeed', addition.id, { handleMonth: '2026-03', ...personalAccountNo }))
}
const generate = async (feeMonth: string, { customer } = first, scheme = family) =>
  done(await house.admin.post(`/welfare/${scheme}ExpenseSummary/generate`, { values: { feeMonth, customer } }))
/** Pays January and February back in March: 2,040.00 of employee contributions. */
async function comesLate(person: number, fromMonth = '2026-01', toMonth = '2026-02'): Promise<void> {
  const { result } = await create(`${family}Supplement`, {
    person,
    supplementType: 'missed',
    base: '12000',
    fromMonth,
    toMonth,
    reason: '漏缴',
  })
  done(await call(`${family}Supplement`, 'succeed', result.id, { handleMonth: '2026-03', lateFee: '0' }))
}
const month = (payrollMonth: string, paidIn: string, values: Record<string, Value> = {}, where = first) =>
  payrollFor(house, where, {
    payrollMonth,
    welfareMonth: payrollMonth,
    planPayDate: `${paidIn}-15`,
    taxMonth: paidIn,
    ...values,
  })
const isPaid = async (...given: Parameters<typeof month>): Promise<number> => {
  const id = await month(...given)
  await approve(house, id, { clerk, manager })
  return id
}
const calculated = async (payroll: number): Promise<RecordData> => {
  done(await actOn(house, payroll, 'calculate', undefined, clerk))
  return (await linesOf(house, payroll))[0]
}
const left = async (person: number, as: Client = house.admin): Promise<unknown[]> =>
  (
    await as.get('/salary/undeducted/list', { filters: { person: { equals: person } }, sort: 'feeMonth', size: 100 })
  ).result.list.map(({ feeMonth, amount }: RecordData) => [feeMonth, amount])

test('contributions after the last wages of their month are listed, and deducted by the next wages', async () => {
  const person = await joins()
  on('2026-04-10')
  await isPaid('2026-03', '2026-04')
  expect(await left(person)).toEqual([])
  await comesLate(person)
  expect(await left(person)).toEqual([['2026-03', '2040.00']])

  on('2026-05-10')
  const april = await month('2026-04', '2026-05')
  // 1,020.00 of April and 2,040.00 of March, each with its month.
  const line = await calculated(april)
  expect(line).toMatchObject({ welfarePersonalTotal: '3060.00', statutory: '3060.00', cumStatutory: '4080.00' })
  const { welfare } = (await house.admin.get('/salary/payrollLine/detail', { id: line.id })).result
  expect(
    (welfare as unknown as RecordData[])
      .filter(({ part }) => part === 'pension')
      .map((row) => [row.feeMonth, row.personal]),
  ).toEqual([
    ['2026-04', '960.00'],
    ['2026-03', '1920.00'],
  ])
  expect(await left(person)).toEqual([['2026-03', '2040.00']])
  await approve(house, april, { clerk, manager })
  expect(await left(person)).toEqual([])
  // It is deducted once, even if the approval is undone and given again.
  done(await actOn(house, april, 'unapprove', undefined, manager))
  expect(await left(person)).toEqual([['2026-03', '2040.00']])
  await approve(house, april, { clerk, manager })
  expect(await linesOf(house, april)).toMatchObject([{ welfarePersonalTotal: '3060.00' }])
  on('2026-06-10')
  expect(await calculated(await month('2026-05', '2026-06'))).toMatchObject({ welfarePersonalTotal: '0.00' })
})

test.skipIf(!isLong)('earlier calculations must be recalculated, and excess deductions are refunded', async () => {
  const person = await joins()
  on('2026-04-10')
  await isPaid('2026-03', '2026-04')
  on('2026-05-10')
  const april = await month('2026-04', '2026-05')
  expect(await calculated(april)).toMatchObject({ welfarePersonalTotal: '1020.00' })
  await comesLate(person)
  expect((await actOn(house, april, 'submit', undefined, clerk)).message).toContain('1020.00应为3060.00')
  await approve(house, april, { clerk, manager })
  // The back-payment was a mistake: once it is undone, the next wages refund what they deducted for March.
  const filters = { person: { equals: person } }
  const [ticket] = (await house.admin.get(`/welfare/${family}Supplement/list`, { filters })).result.list
  done(await call(`${family}Supplement`, 'revoke', ticket.id))
  expect(await left(person)).toEqual([['2026-03', '-2040.00']])
  on('2026-06-10')
  const may = await isPaid('2026-05', '2026-06')
  expect(await linesOf(house, may)).toMatchObject([{ welfarePersonalTotal: '-2040.00', statutory: '-2040.00' }])
  expect(await left(person)).toEqual([])
})

test.skipIf(!isLong)('wages of the same month deduct first, and only one of two open payrolls deducts', async () => {
  const person = await joins()
  on('2026-04-10')
  await isPaid('2026-03', '2026-04')
  await comesLate(person)
  const [second, april] = [await month('2026-03', '2026-04'), await month('2026-04', '2026-04')]
  // The second payroll of March is open, so it deducts the rest of March.
  expect(await calculated(april)).toMatchObject({ welfarePersonalTotal: '1020.00' })
  expect(await calculated(second)).toMatchObject({ welfarePersonalTotal: '2040.00' })
  expect(await calculated(april)).toMatchObject({ welfarePersonalTotal: '1020.00' })
  await actOn(house, second, 'void', undefined, clerk)
  expect(await calculated(april)).toMatchObject({ welfarePersonalTotal: '3060.00' })
  const other = await month('2026-04', '2026-04')
  expect(await calculated(other)).toMatchObject({ welfarePersonalTotal: '0.00' })
})

const summaryOf = async (feeMonth: string): Promise<number> => {
  const filters = { feeMonth: { between: [feeMonth, feeMonth] }, customer: { equals: first.customer } }
  return (await house.admin.get(`/welfare/${family}ExpenseSummary/list`, { filters })).result.list[0].id
}

/** Confirmed social security that arrived after the wages of March, which deducted only the fund, or nothing. */
async function lateSecurity({ hasFund = false } = {}): Promise<number> {
  const fund = { accumulationfundNeeded: true, accumulationfundStartMonth: '2026-03' }
  const person = await joins({ isHandled: false, ...(hasFund && fund) })
  on('2026-03-10')
  if (hasFund) {
    await handles(person, 'accumulationfund')
    await generate('2026-03', first, 'accumulationfund')
  }
  on('2026-04-10')
  const march = await isPaid('2026-03', '2026-04')
  expect(await linesOf(house, march)).toMatchObject([{ welfarePersonalTotal: hasFund ? '840.00' : '0.00' }])
  await handles(person)
  await generate('2026-03')
  const summary = await summaryOf('2026-03')
  done(await call(`${family}ExpenseSummary`, 'confirm', summary))
  return summary
}

test.skipIf(!isLong)('a month can be reopened when wages have deducted only other families', async () => {
  const summary = await lateSecurity({ hasFund: true })
  done(await call(`${family}ExpenseSummary`, 'unconfirm', summary))
})

test.skipIf(!isLong)('a month cannot be reopened once later wages have deducted it', async () => {
  const summary = await lateSecurity()
  await generate('2026-04')
  on('2026-05-10')
  const april = await isPaid('2026-04', '2026-05')
  expect(await linesOf(house, april)).toMatchObject([{ welfarePersonalTotal: '2040.00' }])
  const { batchNo } = await payroll(house, april)
  const refused = await call(`${family}ExpenseSummary`, 'unconfirm', summary)
  expect(refused).toMatchObject({ code: 409, message: `费用已计入已审核的薪资批次${String(batchNo)}` })
  done(await actOn(house, april, 'unapprove', undefined, manager))
  done(await call(`${family}ExpenseSummary`, 'unconfirm', summary))
})

test.skipIf(!isLong)('amounts owed before the list existed are added once', async () => {
  const person = await joins()
  on('2026-04-10')
  const march = await isPaid('2026-03', '2026-04')
  await comesLate(person)
  expect(await left(person)).toEqual([['2026-03', '2040.00']])
  const { pool } = house.database
  await pool.query('delete from undeducted')
  await pool.query("delete from system_daily_rule where rule = 'fillUndeducted'")
  // Like any rule new to a database, it first runs on the following day.
  for (const day of ['2026-04-11', '2026-04-12']) {
    on(day)
    await runDaily(house.runtime)
  }
  expect(await left(person)).toEqual([['2026-03', '2040.00']])
  const { list } = (await house.admin.get('/salary/undeducted/list', { filters: { person: { equals: person } } }))
    .result
  expect(list).toMatchObject([{ payroll: { id: march }, since: '2026-04-12' }])
  await pool.query('delete from undeducted')
  on('2026-04-13')
  await runDaily(house.runtime)
  expect(await left(person)).toEqual([])
})

test.skipIf(!isLong)(
  'contributions of a month without wages are not deducted from wages of another month',
  async () => {
    await joins()
    on('2026-05-10')
    expect(await calculated(await month('2026-04', '2026-05'))).toMatchObject({ welfarePersonalTotal: '1020.00' })
  },
)

test('what a leaver still owes of contributions is settled by hand, and no later wages deduct it again', async () => {
  const person = await joins()
  on('2026-04-10')
  await isPaid('2026-03', '2026-04')
  await comesLate(person)
  const filters = { person: { equals: person } }
  const rows = async (): Promise<RecordData[]> =>
    (await house.admin.get('/salary/undeducted/list', { filters })).result.list
  const settled = { settledOn: '2026-04-10', settledRemark: '离职交接时现金收回，收据0410' }
  const settle = async () => manager.post('/salary/undeducted/settle', { id: (await rows())[0].id, values: settled })
  expect(await settle(), 'the next wages deduct it').toMatchObject({ code: 409 })
  const step = async (action: string, values?: Record<string, Value>) =>
    done(await house.admin.post(`/staff/person/${action}`, { id: person, ...(values && { values }) }))
  await step('leave', { leaveDate: '2026-03-31', leaveReason: 'mutual', [`${family}LastMonth`]: '2026-03' })
  const [reduction] = (await house.admin.get(`/welfare/${family}Reduction/list`, { filters })).result.list
  done(await call(`${family}Reduction`, 'succeed', reduction.id, { handleMonth: '2026-04' }))
  await step('close')
  done(await settle())
  const isSettled = [{ ...settled, state: 'settled', amount: '2040.00' }]
  expect(await rows()).toMatchObject(isSettled)
  on('2026-05-10')
  const last = await month('2026-04', '2026-05')
  if ((await linesOf(house, last)).length === 0)
    done(await house.admin.post('/salary/payrollLine/create', { values: { payroll: last, person } }))
  await approve(house, last, { clerk, manager })
  expect(await linesOf(house, last)).toMatchObject([{ welfarePersonalTotal: '0.00' }])
  expect(await rows(), 'nor is it listed again').toMatchObject(isSettled)
  done(await actOn(house, last, 'unapprove', undefined, manager))
  done(await manager.post('/salary/undeducted/undoSettle', { id: (await rows())[0].id }))
  expect(await left(person)).toEqual([['2026-03', '2040.00']])
  for (const action of ['calculate', 'submit']) done(await actOn(house, last, action, undefined, clerk))
  const settles = await house.database.pool.connect()
  let approves: Promise<Answer>
  try {
    await settles.query('begin')
    await settles.query(
      `update undeducted set revision = revision + 1, "settledOn" = '2026-05-10', "settledRemark" = '现金收回'
        where person = $1`,
      [person],
    )
    approves = actOn(house, last, 'approve', undefined, manager)
    await lockWait(house)
  } finally {
    await settles.query('commit')
    settles.release()
  }
  expect(await approves, 'what is settled at that moment').toMatchObject({
    code: 409,
    message: expect.stringContaining('2040.00应为0.00'),
  })
  expect(await rows()).toMatchObject([{ settledRemark: '现金收回', amount: '2040.00' }])
  done(await manager.post('/salary/undeducted/undoSettle', { id: (await rows())[0].id }))
  done(await actOn(house, last, 'approve', undefined, manager))
  expect(await linesOf(house, last)).toMatchObject([{ welfarePersonalTotal: '2040.00' }])
  expect(await left(person)).toEqual([])
})

test('what no wages of its agent can deduct any more is settled by hand', async () => {
  const person = await joins()
  on('2026-04-10')
  await isPaid('2026-03', '2026-04')
  await comesLate(person)
  const filters = { person: { equals: person } }
  const [{ id }] = (await house.admin.get('/salary/undeducted/list', { filters })).result.list
  const settle = async () =>
    manager.post('/salary/undeducted/settle', { id, values: { settledOn: '2026-04-10', settledRemark: '现金收回' } })
  const atAgency = async (agency: number) =>
    house.database.pool.query('update person set agency = $2 where id = $1', [person, agency])
  expect(await settle(), 'the next wages deduct it').toMatchObject({ code: 409 })
  await atAgency(outsourcing)
  done(await settle())
  done(await manager.post('/salary/undeducted/undoSettle', { id }))
  await atAgency(first.agency)
  // The wages of March 2027 deduct twelve months back, and may be paid in April.
  on('2027-04-30')
  expect(await settle()).toMatchObject({ code: 409 })
  on('2027-05-01')
  done(await settle())
})

test.skipIf(!isLong)(
  "another agent does not deduct the former's arrears, which stay listed with the payroll's clerk",
  async () => {
    const person = await joins()
    on('2026-04-10')
    await isPaid('2026-03', '2026-04')
    const second = {
      ...(await billedCustomer(house, { heads: 0, values: { agency: outsourcing }, terms: { agency: outsourcing } })),
      agency: outsourcing,
    }
    const step = async (action: string, values?: Record<string, Value>) =>
      done(await house.admin.post(`/staff/person/${action}`, { id: person, ...(values && { values }) }))
    await step('leave', { leaveDate: '2026-03-31', leaveReason: 'mutual', [`${family}LastMonth`]: '2026-03' })
    const filters = { person: { equals: person } }
    const [reduction] = (await house.admin.get(`/welfare/${family}Reduction/list`, { filters })).result.list
    done(await call(`${family}Reduction`, 'succeed', reduction.id, { handleMonth: '2026-04' }))
    await step('close')
    await comesLate(person)
    await step('rehire', {
      customer: second.customer,
      agency: outsourcing,
      serviceContract: second.contract,
      entryDate: '2026-04-10',
      baseSalary: '12000',
    })
    on('2026-05-10')
    const april = await month('2026-04', '2026-05', {}, second)
    expect(await calculated(april)).toMatchObject({ welfarePersonalTotal: '0.00' })
    expect(await left(person)).toEqual([['2026-03', '2040.00']])
    const [row] = (await clerk.get('/salary/undeducted/list', { filters })).result.list
    expect(row).toMatchObject({
      customer: { id: first.customer },
      owner: { name: '用户paying' },
      waitingDays: 30,
    })
    // The former agent still pays wages, and deducts there.
    const last = await month('2026-04', '2026-05')
    if ((await linesOf(house, last)).length === 0)
      done(await house.admin.post('/salary/payrollLine/create', { values: { payroll: last, person } }))
    const [line] = await linesOf(house, last)
    done(await edit(house, line, { baseSalary: '5000' }))
    await approve(house, last, { clerk, manager })
    expect(await linesOf(house, last)).toMatchObject([{ welfarePersonalTotal: '2040.00' }])
    expect(await left(person)).toEqual([])
  },
)
