import { readXlsx } from 'hucre/xlsx'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isLong } from '../long.ts'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { employee } from '../contract.ts'
import { uscc } from '../customer.ts'
import { createTestServer, type Client, type TestServer } from '../server.ts'
import { billedCustomer } from '../statement.ts'
import {
  act,
  approve,
  deductions,
  edit,
  holding,
  linesOf,
  paid,
  payrollFor,
  payrollLines,
  wageUsers,
} from './salary.ts'

const filings = '/salary/personalTax'
let house: TestServer
let clerk: Client
let manager: Client
beforeAll(async () => {
  house = await createTestServer()
  ;[clerk, manager] = await wageUsers(house)
})
afterAll(() => house?.close())

const filingsOf = async (person: number): Promise<RecordData[]> =>
  (await house.admin.get(`${filings}/list`, { filters: { person: { equals: person } }, sort: 'taxMonth', size: 100 }))
    .result.list
const call = (action: string, body: object, as: Client = clerk) => as.post(`${filings}/${action}`, body)
const generate = (taxMonth = '2026-03') => call('generate', { values: { taxMonth } as Record<string, Value> })

test('a clerk who sees only one of two payrolls of a person does not file half of the income', async () => {
  const permissions = house.runtime.derived.catalog.permissions.map(({ value }) => value)
  await house.create('/setting/role', {
    code: 'ownpayrolls',
    name: '只见本人客户',
    functionPermissions: permissions,
    dataScope: 'self',
  })
  const narrow = await house.user('ownpaying', ['ownpayrolls'])
  const first = await paid(house, {}, { heads: 1 })
  const second = await paid(house, {}, { heads: 1, values: { supportStaff: narrow.id } })
  for (const { payroll } of [first, second]) {
    await edit(house, (await linesOf(house, payroll))[0], { baseSalary: '6000' })
    await approve(house, payroll, { clerk, manager })
  }
  const [person] = first.people
  // A person who moved from one customer to the other during the month.
  await sql`update "payrollLine" set person = ${person} where payroll = ${second.payroll}`.execute(
    house.database.kysely,
  )
  const income = async () => (await filingsOf(person)).map(({ currentIncome }) => currentIncome)
  expect(await call('generate', { values: { taxMonth: '2026-03' } }, narrow)).toMatchObject({
    code: 1,
    result: { succeeded: 1 },
  })
  expect(await income()).toEqual(['12000.00'])
  expect(await generate()).toMatchObject({ code: 1 })
  expect(await income()).toEqual(['12000.00'])
})

test('a filing of each person paid is regenerated until filed; it then locks the deductions until withdrawn', async () => {
  const {
    payroll,
    people: [person],
  } = await paid(house, {}, { heads: 1 })
  await house.create(deductions, { person, taxMonth: '2026-03', cumElderlySupport: '3000' })
  await edit(house, (await linesOf(house, payroll))[0], { baseSalary: '20000' })
  await approve(house, payroll, { clerk, manager })
  expect(await generate()).toMatchObject({ code: 1 })
  const deadlineMessages = async () =>
    (await clerk.get('/messages')).result.list.filter((message: RecordData) => message.type === '个税申报期限')
  expect(await deadlineMessages()).toMatchObject([
    { title: '个税申报期限：示范派遣有限公司 2026-03', content: '请于2026-04-15前完成2026-03税款所属期的申报' },
  ])
  expect(await filingsOf(person)).toMatchObject([
    {
      filingKind: 'normal',
      currentIncome: '20000.00',
      cumBasic: '15000.00',
      cumSpecial: '3000.00',
      cumTaxable: '2000.00',
      currentTax: '60.00',
      status: 'pending',
      payrolls: [{ id: payroll }],
      withholdingAgent: '示范派遣有限公司',
    },
  ])
  const [{ id, revision }] = await filingsOf(person)
  expect((await generate()).result, 'nothing has changed').toMatchObject({ succeeded: 0 })
  expect(await filingsOf(person)).toMatchObject([{ id, revision }])
  expect(await deadlineMessages()).toHaveLength(1)
  const narrow = await holding(house, 'filing', ['salary:personaltax:view', 'salary:personaltax:exportFiling'])
  expect(await call('exportFiling', { ids: [id] }, narrow)).toMatchObject({ code: 403 })
  expect(await call('exportFiling', { ids: [id] })).toMatchObject({ code: 1 })
  expect(await filingsOf(person)).toMatchObject([
    {
      status: 'exported',
      filingFile: [expect.objectContaining({ name: '个税申报表2026-03正常工资薪金示范派遣有限公司.xlsx' })],
    },
  ])
  await generate()
  expect((await filingsOf(person)).map((each) => each.id)).toEqual([id])
  expect(await call('markFiled', { id })).toMatchObject({ code: 1 })
  const deduction = async () =>
    (await house.admin.get(`${deductions}/list`, { filters: { person: { equals: person } } })).result.list[0].status
  expect(await deduction()).toBe('locked')
  expect(await call('withdraw', { id }, manager)).toMatchObject({ code: 1 })
  expect([(await filingsOf(person))[0].filingKind, await deduction()]).toEqual(['correction', 'valid'])
  await generate()
  expect(await filingsOf(person)).toMatchObject([{ filingKind: 'correction', status: 'pending' }])
})

test('zero filings cover people without income, one by one or all; basic deduction continues', async () => {
  const {
    people: [first, second],
  } = await billedCustomer(house)
  await house.create(filings, { person: first, taxMonth: '2026-02', zeroReason: 'unpaidLeave' })
  expect(await filingsOf(first)).toMatchObject([
    {
      filingKind: 'zero',
      currentIncome: '0.00',
      cumBasic: '10000.00',
      cumTaxable: '0.00',
      currentTax: '0.00',
      zeroReason: 'unpaidLeave',
      taxSubject: 'provider',
    },
  ])
  expect(
    await call('create', { values: { person: first, taxMonth: '2026-02', zeroReason: 'noIncome' } }),
  ).toMatchObject({ code: 422 })
  expect(
    await call('create', { values: { person: first, taxMonth: '2024-02', zeroReason: 'noIncome' } }),
  ).toMatchObject({ code: 422 })
  expect(await call('zeroAuto', { values: { taxMonth: '2026-02', zeroReason: 'noIncome' } })).toMatchObject({ code: 1 })
  expect(
    [await filingsOf(first), await filingsOf(second)].map((list) => list.map(({ zeroReason }) => zeroReason)),
  ).toEqual([['unpaidLeave'], ['noIncome']])
})

/** The rows of a filing's file by heading, as the tax client would read them. */
async function tableOf(filing: RecordData): Promise<{ name: string; rows: Record<string, unknown>[] }> {
  const [{ url, name }] = filing.filingFile as { url: string; name: string }[]
  const { raw } = (await house.admin.get(url.replace(/^\/api/, ''))) as unknown as { raw: Uint8Array }
  const [header, ...rows] = (await readXlsx(raw)).sheets[0].rows
  return { name, rows: rows.map((row) => Object.fromEntries(row.map((value, at) => [String(header[at]), value]))) }
}

test('files for the tax client: one per agent, with a column per contribution and the relief', async () => {
  const first = await paid(house, {}, { heads: 1 })
  const second = await paid(house, { taxSubject: 'customer' }, { heads: 0 })
  const relieved = { taxSubject: 'customer', taxRelief: 'disabled', reliefRate: '50' }
  const { customer, agency, contract } = second
  const other = await employee(house, { customer, agency, service: contract, name: '残疾人', values: relieved })
  expect(
    await house.admin.post(`${payrollLines}/create`, { values: { payroll: second.payroll, person: other.id } }),
  ).toMatchObject({ code: 1 })
  const pension = { taxMonth: '2026-03', cumPersonalPension: '3000', source: 'manual' }
  await house.create(deductions, { person: first.people[0], ...pension })
  for (const { payroll } of [first, second]) {
    await edit(house, (await linesOf(house, payroll))[0], { baseSalary: '25000' })
    await approve(house, payroll, { clerk, manager })
  }
  const [line] = await linesOf(house, first.payroll)
  await sql`insert into "payrollWelfare" (line, family, part, item, personal, company, statutory)
    values (${line.id}, 'socialsecurity', 'pension', 'pension', 800, 1600, 800),
    (${line.id}, 'accumulationfund', 'fund', 'housingFund', 900, 900, 700)`.execute(house.database.kysely)
  await generate()
  const ids = [...(await filingsOf(first.people[0])), ...(await filingsOf(other.id))].map(({ id }) => id)
  expect(await call('exportFiling', { ids })).toMatchObject({ code: 1 })
  const ours = await tableOf((await filingsOf(first.people[0]))[0])
  expect([ours.name, ours.rows.length]).toEqual(['个税申报表2026-03正常工资薪金示范派遣有限公司.xlsx', 1])
  expect(ours.rows[0]).toMatchObject({
    养老保险: '800.00',
    住房公积金: '700.00',
    失业保险: '0.00',
    // It has its own column, so that nobody deducts it twice.
    累计个人养老金: '3000.00',
    其他扣除: '0.00',
    减免税额: '0.00',
  })
  expect(await filingsOf(first.people[0])).toMatchObject([{ otherDeduction: '0.00', cumOther: '3000.00' }])
  const theirs = await tableOf((await filingsOf(other.id))[0])
  expect(theirs.rows).toMatchObject([{ 姓名: '残疾人', 减免税额: '150.00' }])
  expect(theirs.name).not.toBe(ours.name)
})

test('a filed payroll cannot be unapproved; later income is filed by a correction', async () => {
  const {
    payroll,
    people: [person],
    ...where
  } = await paid(house, {}, { heads: 1 })
  await edit(house, (await linesOf(house, payroll))[0], { baseSalary: '20000' })
  await approve(house, payroll, { clerk, manager })
  await generate()
  const [{ id }] = await filingsOf(person)
  expect(await call('markFiled', { id })).toMatchObject({ code: 1 })
  expect(await act(house, payroll, 'unapprove', undefined, manager)).toMatchObject({
    code: 409,
    message: '员工甲的个税已申报，不能反审核：请先撤回申报',
  })
  await generate()
  expect(await filingsOf(person)).toHaveLength(1)
  const later = await payrollFor(house, { ...where, people: [person] }, { name: '二月补发' })
  await edit(house, (await linesOf(house, later))[0], { baseSalary: '5000' })
  await approve(house, later, { clerk, manager })
  expect(await generate()).toMatchObject({ code: 1 })
  const further = async () => (await filingsOf(person)).filter((each) => each.id !== id)
  expect(await further()).toMatchObject([
    { filingKind: 'correction', currentIncome: '25000.00', status: 'pending', corrects: { id } },
  ])
  expect((await filingsOf(person)).find((each) => each.id === id)).toMatchObject({
    status: 'filed',
    currentIncome: '20000.00',
  })
  await generate()
  expect(await further()).toHaveLength(1)
})

describe('filings of wages that were taken back', () => {
  /** An approved payroll in which the first person's wages are taxed, and the filings of its month. */
  const filed = async (heads = 1) => {
    const made = await paid(house, {}, { heads })
    await edit(house, (await linesOf(house, made.payroll))[0], { baseSalary: '20000' })
    await approve(house, made.payroll, { clerk, manager })
    const { succeeded } = (await generate()).result
    return { ...made, succeeded }
  }
  const unapprove = async (payroll: number) =>
    expect(await act(house, payroll, 'unapprove', undefined, manager)).toMatchObject({ code: 1 })
  const takeBack = async (payroll: number) => {
    await unapprove(payroll)
    expect(await act(house, payroll, 'void', undefined, clerk)).toMatchObject({ code: 1 })
  }

  test.skipIf(!isLong)('pending and failed ones go, those of months without income stay', async () => {
    const { payroll, people, succeeded } = await filed(2)
    const [first, second] = people
    expect(await filingsOf(first)).toMatchObject([
      { currentIncome: '20000.00', currentTax: '150.00', status: 'pending' },
    ])
    const [{ id }] = await filingsOf(second)
    expect(await call('exportFiling', { ids: [id] })).toMatchObject({ code: 1 })
    expect(await call('markFailed', { id, values: { failReason: '信息有误' } })).toMatchObject({ code: 1 })
    const [other] = (await billedCustomer(house, { heads: 1 })).people
    const zero = await house.create(filings, { person: other, taxMonth: '2026-03', zeroReason: 'unpaidLeave' })
    await takeBack(payroll)
    expect(await generate()).toMatchObject({ code: 1, result: { succeeded } })
    expect([await filingsOf(first), await filingsOf(second)]).toEqual([[], []])
    expect(await generate()).toMatchObject({ code: 1, result: { succeeded: succeeded - 2 } })
    const values = { taxMonth: '2026-03', zeroReason: 'noIncome' }
    expect(await call('zeroAuto', { values })).toMatchObject({ code: 1 })
    await generate()
    for (const person of people)
      expect(await filingsOf(person)).toMatchObject([{ filingKind: 'zero', zeroReason: 'noIncome', status: 'pending' }])
    expect(await filingsOf(other)).toMatchObject([{ id: zero, zeroReason: 'unpaidLeave' }])
  })

  test('an exported one is decided first: it may be at the tax office', async () => {
    const { payroll, people } = await filed(2)
    const [[{ id: failing }], [{ id: filing }]] = [await filingsOf(people[0]), await filingsOf(people[1])]
    expect(await call('exportFiling', { ids: [failing, filing] })).toMatchObject({ code: 1 })
    const refused = {
      code: 409,
      message: '员工甲的个税申报表已导出，不能反审核：未报送的请标记失败；已报送的请标记已申报，再撤回申报',
    }
    expect(await act(house, payroll, 'unapprove', undefined, manager)).toMatchObject(refused)
    expect(await call('markFailed', { id: failing, values: { failReason: '未报送' } })).toMatchObject({ code: 1 })
    expect(await call('markFiled', { id: filing })).toMatchObject({ code: 1 })
    expect(await call('withdraw', { id: filing }, manager)).toMatchObject({ code: 1 })
    await takeBack(payroll)
    expect(await generate()).toMatchObject({ code: 1 })
    expect(await filingsOf(people[0])).toEqual([])
    expect(await filingsOf(people[1])).toMatchObject([
      { filingKind: 'correction', currentIncome: '0.00', status: 'pending' },
    ])
  })

  test.skipIf(!isLong)('one whose wages are not approved any more is not marked as filed', async () => {
    const { payroll, people } = await filed()
    const [{ id }] = await filingsOf(people[0])
    await unapprove(payroll)
    const { batchNo } = (await house.admin.get('/salary/payroll/detail', { id: payroll })).result
    const refused = {
      code: 409,
      message: `员工甲的工资批次${batchNo}已反审核，不能标记为已申报：请重新生成申报数据`,
    }
    expect(await call('markFiled', { id })).toMatchObject(refused)
    // One that was exported before wages could not be taken back under it.
    await sql`update "personalTax" set status = 'exported' where id = ${id}`.execute(house.database.kysely)
    expect(await call('markFiled', { id })).toMatchObject({
      ...refused,
      message: `员工甲的工资批次${batchNo}已反审核，不能标记为已申报：请标记失败，再重新生成申报数据`,
    })
    await approve(house, payroll, { clerk, manager })
    expect(await call('markFiled', { id })).toMatchObject({ code: 1 })
  })

  test('one that was filed and withdrawn becomes a correction to nothing', async () => {
    const {
      payroll,
      people: [person],
    } = await filed()
    const [{ id }] = await filingsOf(person)
    expect(await call('markFiled', { id })).toMatchObject({ code: 1 })
    expect(await call('withdraw', { id }, manager)).toMatchObject({ code: 1 })
    await takeBack(payroll)
    for (let times = 0; times < 2; times++) {
      expect(await generate()).toMatchObject({ code: 1 })
      expect(await filingsOf(person)).toMatchObject([
        {
          filingKind: 'correction',
          status: 'pending',
          currentIncome: '0.00',
          currentTax: '0.00',
          cumIncome: '0.00',
          cumBasic: '15000.00',
          cumTax: '0.00',
          payrolls: null,
        },
      ])
    }
    const [{ id: nil }] = await filingsOf(person)
    expect(await call('markFiled', { id: nil })).toMatchObject({ code: 1 })
    await generate()
    expect(await filingsOf(person)).toMatchObject([{ id: nil, status: 'filed' }])
  })

  test.skipIf(!isLong)('that of a person who is no longer in the payroll goes, the others are recomputed', async () => {
    const {
      payroll,
      people: [first, second],
    } = await filed(2)
    await unapprove(payroll)
    const [line] = await linesOf(house, payroll)
    expect(await house.admin.post(`${payrollLines}/remove`, { id: line.id })).toMatchObject({ code: 1 })
    await approve(house, payroll, { clerk, manager })
    await generate()
    expect(await filingsOf(first)).toEqual([])
    expect(await filingsOf(second)).toMatchObject([{ currentIncome: '6000.00', payrolls: [{ id: payroll }] }])
  })

  test.skipIf(!isLong)('a correction of what was filed goes with the payroll that it was made for', async () => {
    const { people, payroll: _payroll, succeeded: _succeeded, ...where } = await filed()
    const [person] = people
    const [{ id }] = await filingsOf(person)
    expect(await call('markFiled', { id })).toMatchObject({ code: 1 })
    const later = await payrollFor(house, { ...where, people }, { name: '二月补发' })
    await edit(house, (await linesOf(house, later))[0], { baseSalary: '5000' })
    await approve(house, later, { clerk, manager })
    await generate()
    expect(await filingsOf(person)).toHaveLength(2)
    await takeBack(later)
    await generate()
    expect(await filingsOf(person)).toMatchObject([{ id, status: 'filed', currentIncome: '20000.00' }])
  })
})

test.skipIf(!isLong)('a person paid by two withholding agents in a month has a filing at each', async () => {
  const agency = (code: string, name: string, number: number) =>
    house.create('/customer/agency', {
      code,
      name,
      kind: 'own',
      uscc: uscc(number),
      taxpayerKind: 'general',
      cities: ['320500'],
    })
  const other = await agency('J902', '示范外包有限公司', 90_902)
  const first = await paid(house, {}, { heads: 1 })
  const second = await paid(house, {}, { heads: 1 })
  const [person] = first.people
  for (const { payroll } of [first, second]) {
    await edit(house, (await linesOf(house, payroll))[0], { baseSalary: '6000' })
    await approve(house, payroll, { clerk, manager })
  }
  // A person whom another of our entities employs from the middle of the month.
  await sql`update "payrollLine" set person = ${person} where payroll = ${second.payroll}`.execute(
    house.database.kysely,
  )
  await sql`update payroll set agency = ${other} where id = ${second.payroll}`.execute(house.database.kysely)
  expect(await generate()).toMatchObject({ code: 1 })
  expect(
    new Map((await filingsOf(person)).map(({ withholdingAgent, currentIncome }) => [withholdingAgent, currentIncome])),
  ).toEqual(
    new Map([
      ['示范派遣有限公司', '6000.00'],
      ['示范外包有限公司', '6000.00'],
    ]),
  )

  // The present agent has no income to file, but its count of months continues too.
  const now = await agency('J903', '示范人力有限公司', 90_903)
  await sql`update person set agency = ${now} where id = ${person}`.execute(house.database.kysely)
  for (let times = 0; times < 2; times++)
    expect(await call('zeroAuto', { values: { taxMonth: '2026-03', zeroReason: 'noIncome' } })).toMatchObject({
      code: 1,
    })
  expect((await filingsOf(person)).filter(({ filingKind }) => filingKind === 'zero')).toMatchObject([
    { withholdingAgent: '示范人力有限公司', currentIncome: '0.00' },
  ])
})
