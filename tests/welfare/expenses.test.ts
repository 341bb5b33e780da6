import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isLong } from '../long.ts'
import { runDaily } from '../../engine/server/jobs/daily.ts'
import type { ImportProblem, RecordData, Value } from '../../engine/model/model.ts'
import { employee, resident } from '../contract.ts'
import { givenFor, importFile, planOf, rows, workbook, worker } from '../importing.ts'
import { createTestServer, type TestServer } from '../server.ts'
import { billedCustomer, generate as bill, statementsOf, type BilledCustomer } from '../statement.ts'
import { policyInForce } from '../welfare.ts'

let house: TestServer
let agencies = 0
/** One for each customer. */
const cities = [
  '110100',
  '120100',
  '310100',
  '330100',
  '420100',
  '440100',
  '440300',
  '500100',
  '510100',
  '610100',
  '320100',
  '320500',
]
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

const family = 'socialsecurity'
const path = (name: string) => `/welfare/${family}${name}`
const detail = async (name: string, id: number): Promise<RecordData> =>
  (await house.admin.get(`${path(name)}/detail`, { id })).result
const call = (name: string, action: string, id: number, values: Record<string, Value> = {}) =>
  house.admin.post(`${path(name)}/${action}`, { id, values })
const list = async (name: string, filters: object): Promise<RecordData[]> =>
  (await house.admin.get(`${path(name)}/list`, { filters, sort: 'id', size: 100 })).result.list

interface Insured extends BilledCustomer {
  city: string
  account: number
  enrolments: number[]
  idNumbers: string[]
}

/** A customer, a city with its own policy, and people enrolled there from a month on. */
async function insured({
  heads = 2,
  startMonth = '2026-02',
  base = '12000',
  values = {},
}: { heads?: number; startMonth?: string; base?: string; values?: Record<string, Value> } = {}): Promise<Insured> {
  const customer = await billedCustomer(house, { heads: 0 })
  const city = cities[agencies++]
  await policyInForce(house, {
    kind: 'social',
    city,
    agency: customer.agency,
    limits: { baseFloor: '6821', baseCeiling: '35283' },
    ...(values as object),
  })
  const people: number[] = []
  const enrolments: number[] = []
  const idNumbers: string[] = []
  for (let index = 0; index < heads; index++) {
    const made = await employee(house, {
      customer: customer.customer,
      agency: customer.agency,
      service: customer.contract,
      name: `员工${'甲乙丙丁'[index]}`,
    })
    const { revision } = (await house.admin.get('/staff/person/detail', { id: made.id })).result
    expect(
      await house.admin.post('/staff/person/update', {
        id: made.id,
        revision,
        values: { insuranceCity: city, entryDate: `${startMonth}-01`, baseSalary: base },
      }),
    ).toMatchObject({ code: 1 })
    const ticket = await house.create(path('Addition'), {
      person: made.id,
      city,
      startMonth,
      declaredBase: base,
      additionType: 'new',
      workForm: 'contract',
    })
    expect(await call('Addition', 'succeed', ticket, { handleMonth: startMonth })).toMatchObject({ code: 1 })
    people.push(made.id)
    idNumbers.push(made.idNumber)
    enrolments.push(((await detail('Addition', ticket)).enrolment as unknown as { id: number }).id)
  }
  const { account } = await detail('Enrolment', enrolments[0])
  return { ...customer, people, city, account: (account as unknown as { id: number }).id, enrolments, idNumbers }
}
const generate = ({ customer }: BilledCustomer, feeMonth = '2026-03') =>
  house.admin.post(`${path('ExpenseSummary')}/generate`, { values: { feeMonth, customer } })
const summaries = ({ customer }: BilledCustomer) => list('ExpenseSummary', { customer: { equals: customer } })
const linesOf = ({ customer }: BilledCustomer) => list('ExpenseLine', { customer: { equals: customer } })
const costs = async ({ customer }: BilledCustomer): Promise<RecordData[]> =>
  (
    await house.admin.get('/settlement/costLine/list', {
      filters: { customer: { equals: customer } },
      sort: 'id',
      size: 200,
    })
  ).result.list

describe('a month of expenses', () => {
  test('has a line for each enrolled person, and adds up', async () => {
    const own = await insured()
    expect(await generate(own)).toMatchObject({
      code: 1,
      result: {
        succeeded: 2,
        summary: { cn: '已生成2026-03的费用2条', en: '2 expenses of 2026-03 generated' },
      },
    })
    expect(await linesOf(own)).toMatchObject(
      own.people.map((id) => ({
        person: { id },
        personName: expect.stringMatching(/^员工/),
        feeMonth: '2026-03',
        belongMonth: '2026-03',
        expenseType: 'normal',
        declaredBase: '12000.00',
        pensionBase: '12000.00',
        pensionCompany: '1920.00',
        pensionPersonal: '960.00',
        unemploymentCompany: '60.00',
        workInjuryCompany: '48.00',
        maternityCompany: '0.00',
        companyTotal: '2028.00',
        personalTotal: '1020.00',
        total: '3048.00',
        lineStatus: 'open',
        reconcileStatus: 'unchecked',
        diff: null,
      })),
    )
    expect(await summaries(own)).toMatchObject([
      {
        summaryNo: expect.stringMatching(/^SSF20260315\d{4}$/),
        feeMonth: '2026-03',
        city: own.city,
        account: { id: own.account },
        status: 'open',
        headcount: 2,
        supplementHeadcount: 0,
        normalCompany: '4056.00',
        normalPersonal: '2040.00',
        pensionCompany: '3840.00',
        total: '6096.00',
        diffCount: 0,
        uncheckedCount: 2,
        differenceTotal: '0.00',
        lateFee: '0.00',
      },
    ])
    expect(await generate(own)).toMatchObject({ code: 1 })
    expect(await linesOf(own)).toHaveLength(2)
    expect(await generate(own, '2026-05')).toMatchObject({ code: 422, errors: [{ field: 'feeMonth' }] })
  })

  test('follows joiners and leavers while it is open', async () => {
    const own = await insured()
    await generate(own)
    const ticket = await house.create(path('Reduction'), {
      person: own.people[0],
      reductionReason: 'resign',
      lastMonth: '2026-02',
    })
    expect(await call('Reduction', 'succeed', ticket, { handleMonth: '2026-03' })).toMatchObject({ code: 1 })
    expect((await linesOf(own)).map(({ person }) => (person as unknown as { id: number }).id)).toEqual([own.people[1]])
    expect(await call('Reduction', 'revoke', ticket)).toMatchObject({ code: 1 })
    expect(await linesOf(own)).toHaveLength(2)
    expect((await summaries(own)).map(({ headcount }) => headcount)).toEqual([2])
  })

  test('records in history all lines and costs made and deleted, as parts of their acts', async () => {
    const own = await insured({ heads: 1 })
    await generate(own)
    const [{ id: line }] = await linesOf(own)
    const costIds = (await costs(own)).map(({ id }) => id)
    const ticket = await house.create(path('Reduction'), {
      person: own.people[0],
      reductionReason: 'resign',
      lastMonth: '2026-02',
    })
    expect(await call('Reduction', 'succeed', ticket, { handleMonth: '2026-03' })).toMatchObject({ code: 1 })
    const { rows } = await house.database.pool.query<{ entity: string; action: string; cause: string }>(
      `select entity, action, cause from system_history join system_work on system_work.id = work
      where entity = $1 and record_id = $2 or entity = 'costLine' and record_id = any($3) order by system_history.id`,
      [`${family}ExpenseLine`, line, costIds],
    )
    const actionsOn = (name: string) => rows.filter(({ entity }) => entity.endsWith(name)).map(({ action }) => action)
    expect(actionsOn('ExpenseLine'), 'made, pointed at its cost, taken away').toEqual(['append', 'update', 'delete'])
    expect(actionsOn('costLine')).toEqual([...costIds.map(() => 'append'), ...costIds.map(() => 'delete')])
    expect([...new Set(rows.map(({ cause }) => cause))]).toEqual(['action:generate', 'transition:succeed'])
  })

  test('stays once locked: months paid beyond the last one are refunded in the month of handling', async () => {
    const own = await insured({ heads: 1 })
    await generate(own, '2026-02')
    const [{ id: february }] = await summaries(own)
    expect(await call('ExpenseSummary', 'confirm', february!)).toMatchObject({ code: 1 })
    expect((await linesOf(own)).map(({ lineStatus }) => lineStatus)).toEqual(['locked'])
    expect(await generate(own, '2026-02')).toMatchObject({ code: 409 })
    await generate(own, '2026-03')
    const [{ id: locked }] = (await summaries(own)).filter(({ feeMonth }) => feeMonth === '2026-03')
    expect(await call('ExpenseSummary', 'confirm', locked!)).toMatchObject({ code: 1 })
    const ticket = await house.create(path('Reduction'), {
      person: own.people[0],
      reductionReason: 'resign',
      lastMonth: '2026-02',
    })
    expect(await call('Reduction', 'succeed', ticket, { handleMonth: '2026-04' })).toMatchObject({ code: 1 })
    const refunded = (await linesOf(own)).filter(({ expenseType }) => expenseType === 'refund')
    expect(refunded).toMatchObject([
      {
        feeMonth: '2026-04',
        belongMonth: '2026-03',
        pensionCompany: '-1920.00',
        companyTotal: '-2028.00',
        total: '-3048.00',
        sourceNo: (await detail('Reduction', ticket)).ticketNo,
      },
    ])
    expect(
      (await summaries(own)).map(({ feeMonth, total, differenceTotal }) => [feeMonth, total, differenceTotal]),
    ).toEqual([
      ['2026-02', '3048.00', '0.00'],
      ['2026-03', '3048.00', '0.00'],
      ['2026-04', '-3048.00', '-3048.00'],
    ])
    expect(await call('Reduction', 'revoke', ticket)).toMatchObject({ code: 1 })
    expect((await linesOf(own)).map(({ expenseType }) => expenseType)).toEqual(['normal', 'normal'])
  })
})

test('the lines of a month are generated automatically on the day in the settings', async () => {
  const own = await insured({ heads: 1 })
  const [parameter] = (await house.admin.get('/setting/parameter/list')).result.list
  expect(
    await house.admin.post('/setting/parameter/update', {
      id: parameter.id,
      revision: parameter.revision,
      values: { welfareGenerateDay: 15 },
    }),
  ).toMatchObject({ code: 1 })
  await runDaily(house.runtime)
  await house.database.pool.query("update system_daily_rule set day = '2026-03-14'")
  await runDaily(house.runtime)
  expect(await linesOf(own)).toMatchObject([{ feeMonth: '2026-03', total: '3048.00', lineStatus: 'open' }])
})

describe('settlement', () => {
  test('bills the lines, follows them while its statement is open, and keeps what is confirmed', async () => {
    const own = await insured({ heads: 1 })
    await generate(own)
    expect(
      (await costs(own)).map(({ feeItem, party, amount, sourceType, base }) => [
        feeItem,
        party,
        amount,
        sourceType,
        base,
      ]),
    ).toEqual([
      ['pension', 'company', '1920.00', 'socialExpense', '12000.00'],
      ['pension', 'personal', '960.00', 'socialExpense', '12000.00'],
      ['unemployment', 'company', '60.00', 'socialExpense', '12000.00'],
      ['unemployment', 'personal', '60.00', 'socialExpense', '12000.00'],
      ['injury', 'company', '48.00', 'socialExpense', '12000.00'],
    ])
    expect(await bill(house.admin, [own.customer])).toMatchObject({ code: 1 })
    expect(await statementsOf(house, own.customer)).toMatchObject([{ socialAmount: '3048.00' }])
    const [line] = await linesOf(own)
    const values = {
      pensionCompany: '2000.00',
      pensionPersonal: '960.00',
      unemploymentCompany: '60.00',
      unemploymentPersonal: '60.00',
      workInjuryCompany: '48.00',
      maternityCompany: '0.00',
    }
    expect(await call('ExpenseLine', 'adjust', line.id!, values)).toMatchObject({
      code: 422,
      errors: [{ field: 'adjustReason' }],
    })
    expect(await call('ExpenseLine', 'adjust', line.id!, { ...values, adjustReason: '按局里核定' })).toMatchObject({
      code: 1,
    })
    expect((await linesOf(own))[0]).toMatchObject({
      companyTotal: '2108.00',
      total: '3128.00',
      reconcileStatus: 'kept',
      adjustReason: '按局里核定',
    })
    const [statement] = await statementsOf(house, own.customer)
    expect(statement).toMatchObject({ socialAmount: '3128.00' })
    await generate(own)
    expect((await linesOf(own))[0], 'what was typed stays').toMatchObject({ companyTotal: '2108.00' })

    const [{ id: summary }] = await summaries(own)
    expect(await call('ExpenseSummary', 'confirm', summary!)).toMatchObject({ code: 1 })
    expect(await call('ExpenseSummary', 'unconfirm', summary!)).toMatchObject({ code: 1 })
    await house.database.pool.query("update statement set stage = 'confirmed' where id = $1", [statement.id])
    expect(
      await call('ExpenseLine', 'adjust', line.id!, { ...values, pensionCompany: '1900.00', adjustReason: '更正' }),
    ).toMatchObject({ code: 1 })
    expect(
      (await costs(own))
        .filter(({ feeItem, party }) => feeItem === 'pension' && party === 'company')
        .map(({ amount, billMonth }) => [amount, billMonth]),
    ).toEqual([
      ['2000.00', null],
      ['-100.00', '2026-04'],
    ])
    expect(await call('ExpenseSummary', 'confirm', summary!)).toMatchObject({ code: 1 })
    expect((await linesOf(own))[0]).toMatchObject({ lineStatus: 'billed' })
    expect(await summaries(own)).toMatchObject([{ statement: { id: statement.id } }])
    expect(await call('ExpenseSummary', 'unconfirm', summary!), 'what is billed').toMatchObject({ code: 409 })
    expect(await call('ExpenseSummary', 'pay', summary!, { paidDate: '2026-03-20' })).toMatchObject({ code: 422 })
    expect(await call('ExpenseSummary', 'pay', summary!, { paidDate: '2026-03-15' })).toMatchObject({ code: 1 })
  })
})

describe('a table of the bureau', () => {
  // There are not enough cities for all tests.
  beforeAll(async () => {
    await house.close()
    house = await createTestServer()
    agencies = 0
  })
  const batches = `${family}BigTableImport`
  const messagesOf = ({ errors }: RecordData) =>
    ((errors ?? []) as unknown as ImportProblem[]).map(({ message }) => message.cn)
  async function read(cells: Record<string, string>[]): Promise<{ id: number; rows: RecordData[] }> {
    const id = await importFile(house, await workbook(planOf(house, batches), cells), {
      path: `/welfare/${batches}`,
      name: '大表.xlsx',
      ...(await givenFor(house, batches, cells)),
    })
    await worker(house).drain()
    const checked = await rows(house, id, house.admin, `/welfare/${batches}Row`)
    return { id, rows: checked }
  }
  async function write(id: number): Promise<void> {
    expect(await house.admin.post(`/welfare/${batches}/write`, { id })).toMatchObject({ code: 1 })
    await worker(house).drain()
  }
  const row = (own: Insured, index: number, more: Record<string, string> = {}) => ({
    feeMonth: '2026-03',
    account: `9900${own.city}社保`,
    personName: `员工${'甲乙丙丁'[index]}`,
    idNumber: own.idNumbers[index],
    expenseType: '正常缴费',
    belongMonth: '2026-03',
    pensionActualBase: '12000',
    pensionActualCompany: '1920',
    pensionActualPersonal: '960',
    unemploymentActualCompany: '60',
    unemploymentActualPersonal: '60',
    workInjuryActualCompany: '48',
    actualTotal: '3048',
    ...more,
  })

  test('reports each line as equal, different, missing or unknown; differences must be decided', async () => {
    const own = await insured({ heads: 4 })
    await generate(own)
    const stranger = { ...row(own, 0), personName: '外人', idNumber: '990101199003074518' }
    const { id, rows: checked } = await read([
      row(own, 0),
      row(own, 1, { pensionActualCompany: '1920.05', actualTotal: '3048.05' }),
      row(own, 2, { pensionActualCompany: '2000', actualTotal: '3128' }),
      stranger,
      row(own, 1, { actualTotal: '1', belongMonth: '2026-02' }),
    ])
    expect(checked.map((each) => [each.rowStatus, ...messagesOf(each)])).toEqual([
      ['toUpdate'],
      ['toUpdate'],
      ['toUpdate'],
      ['toCreate', expect.stringContaining('系统无此人费用')],
      ['failed', expect.stringContaining('合计与各项之和不一致')],
    ])
    await write(id)
    const states = async () => (await linesOf(own)).map(({ reconcileStatus, diff }) => [reconcileStatus, diff])
    expect(await states()).toEqual([
      ['matched', '0.00'],
      ['different', '0.05'],
      ['different', '80.00'],
      ['missing', '-3048.00'],
    ])
    const everything = await list('ExpenseLine', { account: { equals: own.account } })
    expect(everything.at(-1)).toMatchObject({
      personName: '外人',
      reconcileStatus: 'extra',
      person: null,
      total: '0.00',
      actualTotal: '3048.00',
      customer: null,
    })
    const [summary] = await summaries(own)
    expect(summary).toMatchObject({
      status: 'reconciling',
      bigTableAt: expect.any(String),
      diffCount: 3,
      actualTotal: '9224.05',
      diffTotal: '-2967.95',
    })
    expect(await call('ExpenseSummary', 'confirm', summary.id!)).toMatchObject({
      code: 409,
      message: '还有3条差异未处理',
    })
    expect(await call('ExpenseSummary', 'autoCheck', summary.id!)).toMatchObject({ code: 1, result: { accepted: 1 } })
    expect((await linesOf(own))[1]).toMatchObject({
      reconcileStatus: 'accepted',
      pensionCompany: '1920.05',
      total: '3048.05',
      diff: '0.00',
    })
    expect(await call('ExpenseLine', 'accept', (await linesOf(own))[2].id!)).toMatchObject({ code: 1 })
    expect(
      await call('ExpenseLine', 'keep', (await linesOf(own))[3].id!, { adjustReason: '局里漏报，下月补' }),
    ).toMatchObject({ code: 1 })
    expect(await call('ExpenseSummary', 'confirm', summary.id!)).toMatchObject({ code: 1 })
    expect(
      (await read([row(own, 0, { pensionActualCompany: '1900', actualTotal: '3028' })])).rows.map(messagesOf),
    ).toEqual([[expect.stringContaining('2026-03已锁定，不能导入')]])
  })

  test('charges for somebody unknown are accepted once the system knows them, else voided', async () => {
    const own = await insured({ heads: 1 })
    await generate(own)
    const [known, unknown] = [resident(900), resident(902)]
    const strangers = [known, unknown].map((idNumber) => ({ ...row(own, 0), personName: '外人', idNumber }))
    await write((await read([row(own, 0), ...strangers])).id)
    const extras = (await list('ExpenseLine', { account: { equals: own.account } })).filter(
      ({ reconcileStatus }) => reconcileStatus === 'extra',
    )
    expect(extras).toMatchObject([{ customer: null }, { customer: null }])
    const [{ id: first, summary }, { id: second }] = extras
    const refused = { code: 409, message: expect.stringContaining('请先在系统中录入该人员，或作废该费用') }
    expect(await call('ExpenseLine', 'accept', first!)).toMatchObject(refused)
    const amounts = ['pension', 'unemployment'].flatMap((item) => [`${item}Company`, `${item}Personal`])
    const adjusted = Object.fromEntries(
      [...amounts, 'workInjuryCompany', 'maternityCompany'].map((name) => [name, '100']),
    )
    const values = { ...adjusted, adjustReason: '按通知调整' }
    expect(await call('ExpenseLine', 'adjust', first!, values)).toMatchObject(refused)
    const { id: person } = await employee(house, {
      customer: own.customer,
      agency: own.agency,
      service: own.contract,
      name: '外人',
      values: { idNumber: known },
    })
    expect(await call('ExpenseLine', 'accept', first!)).toMatchObject({ code: 1 })
    expect(await detail('ExpenseLine', first!)).toMatchObject({
      customer: { id: own.customer },
      serviceContract: { id: own.contract },
      person: { id: person },
      total: '3048.00',
    })
    expect((await costs(own)).filter((cost) => (cost.person as { id: number }).id === person).length).toBeGreaterThan(0)
    expect(await call('ExpenseLine', 'void', second!)).toMatchObject({ code: 1 })
    const { id: nobodys } = summary as unknown as { id: number }
    expect(await detail('ExpenseSummary', nobodys)).toMatchObject({ total: '0.00' })
  })

  test('charges for somebody unknown that were accepted are the charge of their month', async () => {
    const own = await insured({ heads: 1 })
    await generate(own)
    const row1 = { ...row(own, 0), personName: '外人', idNumber: resident(920), pensionActualCompany: '1900' }
    await write((await read([{ ...row1, actualTotal: '3028' }])).id)
    const [{ id: line }] = (await list('ExpenseLine', { account: { equals: own.account } })).filter(
      ({ reconcileStatus }) => reconcileStatus === 'extra',
    )
    const { id: person } = await employee(house, {
      customer: own.customer,
      agency: own.agency,
      service: own.contract,
      name: '外人',
      values: { idNumber: row1.idNumber, entryDate: '2026-03-01', baseSalary: '12000', insuranceCity: own.city },
    })
    expect(await call('ExpenseLine', 'accept', line!)).toMatchObject({ code: 1 })
    const [{ id }] = await list('Addition', { person: { equals: person } })
    const addition = id!
    const charged = async () =>
      (await linesOf(own))
        .filter((line) => (line.person as { id: number }).id === person)
        .map(({ feeMonth, total, enrolment }) => [feeMonth, total, enrolment !== null])
    expect(await call('Addition', 'succeed', addition, { handleMonth: '2026-03' })).toMatchObject({ code: 1 })
    expect(await charged()).toEqual([['2026-03', '3028.00', true]])
    await generate(own)
    expect(await charged(), 'the expenses are generated again').toEqual([['2026-03', '3028.00', true]])
    expect(await call('Addition', 'revoke', addition)).toMatchObject({ code: 1 })
    expect(await charged(), 'what the bureau charges stays').toEqual([['2026-03', '3028.00', false]])
    expect(await call('Addition', 'succeed', addition, { handleMonth: '2026-04' })).toMatchObject({ code: 1 })
    expect(await charged(), 'handled a month later').toEqual([['2026-03', '3028.00', true]])
    expect(await list('Supplement', { person: { equals: person } }), 'nothing is paid back').toEqual([])
    await generate(own, '2026-04')
    expect(await charged()).toEqual([
      ['2026-03', '3028.00', true],
      ['2026-04', '3048.00', true],
    ])
  })

  test('of people unknown, as accepted by an earlier version, goes to their customer when the month is locked', async () => {
    const own = await insured({ heads: 1 })
    await generate(own)
    const [known, unknown] = [resident(904), resident(906)]
    const strangers = [known, unknown].map((idNumber) => ({ ...row(own, 0), personName: '外人', idNumber }))
    await write((await read([row(own, 0), ...strangers])).id)
    const extras = (await list('ExpenseLine', { account: { equals: own.account } })).filter(
      ({ reconcileStatus }) => reconcileStatus === 'extra',
    )
    const [{ id: first, summary }, { id: second }] = extras
    const { id: nobodys } = summary as unknown as { id: number }
    await house.database.pool.query(
      `update "socialsecurityExpenseLine" set "reconcileStatus" = 'accepted', "pensionCompany" = "pensionActualCompany",
        total = "pensionActualCompany" where id = any($1)`,
      [[first, second]],
    )
    expect(await call('ExpenseSummary', 'confirm', nobodys)).toMatchObject({
      code: 409,
      message: expect.stringContaining('请先在系统中录入该人员，或作废该费用'),
    })
    const { id: person } = await employee(house, {
      customer: own.customer,
      agency: own.agency,
      service: own.contract,
      name: '外人',
      values: { idNumber: known },
    })
    expect(await call('ExpenseSummary', 'confirm', nobodys)).toMatchObject({ code: 409 })
    expect(await call('ExpenseLine', 'void', second!)).toMatchObject({ code: 1 })
    expect(await call('ExpenseSummary', 'confirm', nobodys)).toMatchObject({ code: 1 })
    expect(await detail('ExpenseLine', first!)).toMatchObject({
      customer: { id: own.customer },
      person: { id: person },
      stage: 'open',
    })
    expect((await costs(own)).filter((cost) => (cost.person as { id: number }).id === person).length).toBeGreaterThan(0)
  })

  test('of people unknown is placed where it charges nobody twice, nor before they came, nor in what is confirmed', async () => {
    const own = await insured({ heads: 1 })
    await generate(own)
    const strangers = ['外人甲', '外人乙'].map((personName, index) => ({
      ...row(own, 0),
      personName,
      idNumber: resident(908 + 2 * index),
    }))
    await write((await read(strangers)).id)
    const [first] = (await list('ExpenseLine', { account: { equals: own.account } })).filter(
      ({ reconcileStatus }) => reconcileStatus === 'extra',
    )
    const { id: nobodys } = first.summary as unknown as { id: number }
    const sql = (text: string, ...values: unknown[]) => house.database.pool.query(text, values)
    await sql(
      `update "socialsecurityExpenseLine" set "reconcileStatus" = 'accepted', "pensionCompany" = "pensionActualCompany",
        total = "pensionActualCompany" where summary = $1`,
      nobodys,
    )
    const hired = ({ idNumber, personName: name }: { idNumber: string; personName: string }, entryDate: string) =>
      employee(house, {
        customer: own.customer,
        agency: own.agency,
        service: own.contract,
        name,
        values: { idNumber, entryDate, baseSalary: '12000' },
      })
    const { id: person } = await hired(strangers[0], '2026-03-01')
    await sql(`update person set "insuranceCity" = $2 where id = $1`, person, own.city)
    const addition = await house.create(path('Addition'), {
      person,
      city: own.city,
      startMonth: '2026-03',
      declaredBase: '12000',
      additionType: 'new',
      workForm: 'contract',
    })
    expect(await call('Addition', 'succeed', addition, { handleMonth: '2026-03' })).toMatchObject({ code: 1 })
    const charged = async () => (await linesOf(own)).filter((line) => (line.person as { id: number }).id === person)
    expect(await charged()).toHaveLength(1)
    const { id: later } = await hired(strangers[1], '2026-04-01')
    const refused = async (message: string) =>
      expect(await call('ExpenseSummary', 'confirm', nobodys)).toMatchObject({ code: 409, message })

    await refused('外人乙在2026-03尚未入职，费用无客户承担：请更正入职日期，或作废该费用')
    await sql(`update person set "entryDate" = '2026-03-31' where id = $1`, later)
    await refused('外人甲2026-03的费用已有另一条明细，不能重复收取：请作废该费用')
    expect(await call('ExpenseLine', 'void', first.id!)).toMatchObject({ code: 1 })

    const [{ id: summary }] = await summaries(own)
    const becomes = (status: string) =>
      sql('update "socialsecurityExpenseSummary" set status = $2 where id = $1', summary, status)
    await becomes('confirmed')
    const { rows: named } = await sql('select name from customer where id = $1', own.customer)
    await refused(`外人乙的费用属于${named[0].name}的2026-03汇总，该汇总已确认：请先取消其确认，或作废该费用`)
    const functionPermissions = ['welfare:*:*', 'customer:customer:view']
    await house.create('/setting/role', { code: 'branch', name: '分公司', functionPermissions, dataScope: 'self' })
    const clerk = await house.user('branchclerk', ['branch'])
    expect(
      await clerk.post(`${path('ExpenseSummary')}/confirm`, { id: nobodys, values: {} }),
      'to a user who does not see the customer',
    ).toMatchObject({ code: 409, message: expect.stringContaining('属于您无权查看的客户的2026-03汇总') })
    await becomes('open')
    expect(await call('ExpenseSummary', 'confirm', nobodys)).toMatchObject({ code: 1 })
    expect(await charged()).toHaveLength(1)
  })

  test.skipIf(!isLong)('replaces the table before it, and resets the comparison when undone', async () => {
    const own = await insured()
    await generate(own)
    await write(
      (
        await read([
          row(own, 0, { pensionActualCompany: '1', actualTotal: '1129' }),
          { ...row(own, 1), personName: '外人', idNumber: '990101199003074518' },
        ])
      ).id,
    )
    expect((await linesOf(own)).map(({ reconcileStatus }) => reconcileStatus)).toEqual(['different', 'missing'])
    const { id, rows: again } = await read([row(own, 1), row(own, 0)])
    expect(again.map(messagesOf)).toEqual([
      [expect.stringContaining('原实缴数据被覆盖')],
      [expect.stringContaining('原实缴数据被覆盖')],
    ])
    await write(id)
    expect(
      (await list('ExpenseLine', { account: { equals: own.account } })).map(({ reconcileStatus, lineStatus }) => [
        reconcileStatus,
        lineStatus,
      ]),
    ).toEqual([
      ['matched', 'open'],
      ['matched', 'open'],
      ['extra', 'void'],
    ])
    expect(await house.admin.post(`/welfare/${batches}/undo`, { id })).toMatchObject({ code: 1 })
    expect((await linesOf(own)).map(({ reconcileStatus }) => reconcileStatus)).toEqual(['unchecked', 'unchecked'])
  })

  test.skipIf(!isLong)('that repeats rows of the table before it compares them again', async () => {
    const own = await insured()
    await generate(own)
    const different = row(own, 1, { pensionActualCompany: '1', actualTotal: '1129' })
    await write((await read([row(own, 0), different])).id)
    expect((await linesOf(own)).map(({ reconcileStatus }) => reconcileStatus)).toEqual(['matched', 'different'])
    const { id } = await read([row(own, 0), row(own, 1)])
    await write(id)
    expect((await linesOf(own)).map(({ reconcileStatus, actualTotal }) => [reconcileStatus, actualTotal])).toEqual([
      ['matched', '3048.00'],
      ['matched', '3048.00'],
    ])
  })
})
