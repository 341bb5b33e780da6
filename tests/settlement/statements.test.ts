import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isLong } from '../long.ts'
import type { FileValue, RecordData, Value } from '../../engine/model/model.ts'
import { picture, upload, uscc } from '../customer.ts'
import { contracts } from '../contract.ts'
import { createTestServer, type Client, type TestServer } from '../server.ts'
import { createCallWorker } from '../../engine/server/jobs/callWorker.ts'
import {
  adjustments,
  billedCustomer,
  deliver,
  delivery,
  generate,
  items,
  journal,
  lines,
  read,
  sample,
  statements,
  statementsOf,
  type BilledCustomer,
} from '../statement.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

async function evidence(as: Client = house.admin): Promise<Value> {
  const { result } = await upload(house, as, 'stamped.png', picture)
  return [{ ...result, status: 'success' }] as FileValue[] as Value
}
/** The customer of the sample with its statement of March. */
async function generated(
  options: Parameters<typeof billedCustomer>[1] = {},
): Promise<BilledCustomer & { id: number; costs: number[] }> {
  const customer = await billedCustomer(house, options)
  const costs = await deliver(house, customer, sample(customer.people))
  expect(await generate(house.admin, [customer.customer])).toMatchObject({
    code: 1,
    result: { succeeded: 1, failed: [] },
  })
  const [statement] = await statementsOf(house, customer.customer)
  return { ...customer, id: statement.id!, costs }
}
const confirm = async (id: number, as: Client = house.admin) =>
  as.post(`${statements}/confirm`, { id, values: { confirmEvidence: await evidence(as) } })
const adjust = (statement: number, values: Record<string, Value>, as: Client = house.admin) =>
  as.post(`${adjustments}/create`, {
    values: { statement, feeItem: 'grossWage', costMonth: '2026-03', reason: '补发上月绩效', ...values },
  })
const costsOf = async (ids: number[]) =>
  (
    await sql<RecordData>`select id, statement from "costLine" where id = any(${ids}::bigint[]) order by id`.execute(
      house.database.kysely,
    )
  ).rows

describe('generation', () => {
  test('is previewed with number, amount and reasons for refusals, and stores nothing', async () => {
    const customer = await billedCustomer(house)
    await deliver(house, customer, sample(customer.people))
    const without = await billedCustomer(house)
    const values = {
      billMonth: '2026-03',
      wageMonth: '2026-03',
      insuranceMonth: '2026-03',
      customers: [customer.customer, without.customer],
    }
    expect(await house.admin.post(`${statements}/generate/foresee`, { values: {} })).toMatchObject({
      status: 422,
      errors: [{ field: 'billMonth' }, { field: 'wageMonth' }, { field: 'insuranceMonth' }],
    })
    const { code, result } = await house.admin.post(`${statements}/generate/foresee`, { values })
    expect(code).toBe(1)
    expect(await statementsOf(house, customer.customer)).toEqual([])
    await generate(house.admin, [customer.customer, without.customer])
    const [{ totalAmount, headcount }] = await statementsOf(house, customer.customer)
    const factValues = Object.fromEntries(
      result.facts.map(({ label, value }: Record<string, Record<string, string>>) => [label.cn, value.cn]),
    )
    expect(factValues).toEqual({
      将生成对账单: '1',
      客户: '1',
      合计金额: `￥${String(totalAmount).replace(/\B(?=(\d{3})+\.)/g, ',')}`,
      服务人数: String(headcount),
      不生成: '1',
    })
    expect(result.lists[1].items).toEqual([
      { name: expect.stringContaining(without.name), about: { cn: '没有待出账的费用', en: '没有待出账的费用' } },
    ])
  })

  test('of the sample matches in every figure: statement, lines, items and journal', async () => {
    const { id, customer, costs, people } = await generated()
    expect(await read(house, id)).toMatchObject({
      statementNo: expect.stringMatching(/^ZD202603\d{5}$/),
      customer: { id: customer },
      headcount: 2,
      wageAmount: '14500.00',
      socialAmount: '2450.50',
      medicalAmount: '1377.50',
      fundAmount: '1015.00',
      serviceFeeAmount: '240.00',
      adjustAmount: '0.00',
      taxAmount: '13.44',
      totalAmount: '19596.44',
      passThroughAmount: '19343.00',
      ownAmount: '240.00',
      priorBalance: '0.00',
      suggestedPayment: '19596.44',
      outstandingAmount: '19596.44',
      uninvoicedAmount: '19596.44',
      stage: 'generated',
      status: 'generated',
      dueDate: '2026-03-12',
      overdueDays: 3,
      ageing: 'd1to30',
      receiptProgress: 'none',
      invoiceProgress: 'none',
      attention: true,
    })
    expect(
      (await lines(house, id)).map(({ lineType, person, totalAmount, taxAmount }) => [
        lineType,
        (person as { id: number }).id,
        totalAmount,
        taxAmount,
      ]),
    ).toEqual([
      ['person', people[0], '10798.72', '6.72'],
      ['person', people[1], '8797.72', '6.72'],
    ])
    const written = await items(house, id)
    expect(written).toHaveLength(10)
    expect(written.find(({ feeItem, amount }) => feeItem === 'pension' && amount === '1352.00')).toMatchObject({
      feeCategory: 'social',
      party: 'company',
      costMonth: '2026-03',
      base: '8450.00',
      rate: '16.0000',
      billable: true,
      passThrough: true,
      sourceType: 'socialExpense',
    })
    expect((await costsOf(costs)).map(({ statement }) => statement)).toEqual(costs.map(() => id))
    expect(await journal(house, id)).toMatchObject([
      {
        action: 'generate',
        amountBefore: null,
        amountAfter: '19596.44',
        changeAmount: '19596.44',
        statusAfter: 'generated',
        ip: '127.0.0.1',
      },
    ])
  })

  test.skipIf(!isLong)('for all customers runs in the background, each in its own step', async () => {
    const all = [await billedCustomer(house), await billedCustomer(house, { heads: 0 })]
    await deliver(house, all[0], sample(all[0].people))
    const values = { billMonth: '2026-03', wageMonth: '2026-02', insuranceMonth: '2026-03' }
    const prefer = { prefer: 'respond-async' }
    const send = (given: object) => house.admin.post(`${statements}/generate`, { values: given }, prefer)
    expect((await send({ ...values, wageMonth: '2026-06' })).errors).toMatchObject([{ field: 'wageMonth' }])
    const { job } = (await send(values)).result
    expect(job.steps).toBeGreaterThanOrEqual(2)
    await createCallWorker(house.runtime, { log: console.error }).drain()
    const { state, done, result } = (await house.admin.get(`/jobs/${job.id}`)).result
    expect({ state, done }).toEqual({ state: 'done', done: job.steps })
    expect(await statementsOf(house, all[0].customer)).toMatchObject([{ stage: 'generated' }])
    expect(result.failed).toContainEqual(expect.objectContaining({ id: all[1].contract, message: '没有待出账的费用' }))
  })

  test.skipIf(!isLong)('gives a reason for each contract without a statement', async () => {
    const { customer, contract, name } = await generated()
    const { contractNo } = (await house.admin.get(`${contracts}/detail`, { id: contract })).result
    const [{ statementNo }] = await statementsOf(house, customer)
    const without = await billedCustomer(house, { heads: 0 })
    expect((await generate(house.admin, [customer, without.customer])).result).toMatchObject({
      succeeded: 0,
      failed: [
        { id: contract, name: `${contractNo} ${name}`, message: `本月已有对账单${statementNo}` },
        { id: without.contract, message: '没有待出账的费用' },
      ],
    })
    expect((await generate(house.admin, [customer], '2027-06', { wageMonth: '2027-05' })).result).toMatchObject({
      succeeded: 0,
      failed: [{ id: customer, name, message: '本月没有生效的服务合同' }],
    })
  })

  test('bills fixed and minimum fees without people, and an empty statement on request', async () => {
    const rule = { serviceType: 'dispatch', chargeRule: 'fullMonth', effectiveFrom: '2026-01' }
    const charging = (fee: Record<string, Value>, terms: Record<string, Value> = {}) =>
      billedCustomer(house, { heads: 0, terms: { feeRules: [{ ...rule, ...fee }], ...terms } })
    const fixed = await charging({ feeMode: 'fixed', fixedAmount: '500' })
    const least = await charging({ feeMode: 'perHead', unitPrice: '120', minAmount: '300' })
    const ended = await charging(
      { feeMode: 'fixed', fixedAmount: '500' },
      { startDate: '2025-03-01', endDate: '2026-02-28' },
    )
    const free = await billedCustomer(house, { heads: 0 })
    const all = [fixed, least, ended, free].map(({ customer }) => customer)
    expect((await generate(house.admin, all)).result).toMatchObject({
      succeeded: 2,
      failed: [
        { id: ended.contract, message: '没有待出账的费用' },
        { id: free.contract, message: '没有待出账的费用' },
      ],
    })
    expect(await statementsOf(house, fixed.customer)).toMatchObject([{ headcount: 0, serviceFeeAmount: '500.00' }])
    const [{ id }] = await statementsOf(house, least.customer)
    expect(await house.admin.post(`${statements}/regenerate`, { id })).toMatchObject({ code: 1 })
    expect(await read(house, id!)).toMatchObject({ headcount: 0, serviceFeeAmount: '300.00' })

    const begin = (customers: number[]) => generate(house.admin, customers, '2026-03', { begun: true })
    expect((await begin([])).errors).toMatchObject([{ field: 'customers' }])
    expect((await begin([free.customer])).result).toMatchObject({ succeeded: 1, failed: [] })
    const [begun] = await statementsOf(house, free.customer)
    expect(begun).toMatchObject({ status: 'generated', totalAmount: '0.00' })
    const values = {
      statement: begun.id!,
      feeItem: 'checkup',
      costMonth: '2026-03',
      reason: '补收体检费用',
      amount: '80',
    }
    expect(await house.admin.post(`${adjustments}/create`, { values })).toMatchObject({ code: 1 })
    expect(await house.admin.post(`${statements}/regenerate`, { id: begun.id! })).toMatchObject({ code: 1 })
    expect(await read(house, begun.id!)).toMatchObject({ adjustAmount: '80.00' })
  })

  test('bills nothing to a disabled customer', async () => {
    const customer = await billedCustomer(house)
    await deliver(house, customer, sample(customer.people))
    const account = (status: string) =>
      sql`update customer set "accountStatus" = ${status} where id = ${customer.customer}`.execute(
        house.database.kysely,
      )
    await account('disabled')
    expect((await generate(house.admin, [customer.customer])).result).toMatchObject({
      succeeded: 0,
      failed: [{ id: customer.contract, message: '客户已停用，不再出账' }],
    })
    await account('enabled')
    expect((await generate(house.admin, [customer.customer])).result).toMatchObject({ succeeded: 1, failed: [] })
  })

  test.skipIf(!isLong)('counts the fee of a partner that serves the customer as a cost', async () => {
    const partner = await house.create('/customer/agency', {
      code: 'J901',
      name: '样例合作机构',
      kind: 'partner',
      uscc: uscc(91_234),
      cities: ['110100'],
      agentFee: '45.50',
    })
    const { id } = await generated()
    expect(await read(house, id)).toMatchObject({ partnerFee: null, costAmount: '19343.00' })
    await sql`update customer set agency = ${partner} where id = (select customer from statement where id = ${id})`.execute(
      house.database.kysely,
    )
    await house.admin.post(`${statements}/regenerate`, { id })
    expect(await read(house, id)).toMatchObject({
      partnerFee: '91.00',
      costAmount: '19434.00',
      totalAmount: '19596.44',
    })
    const { result } = await house.admin.get('/plans/report', {
      screen: 'report.report',
      tab: 'margin',
      filters: {
        billMonth: { between: ['2026-03', '2026-03'] },
        status: { in: ['generated'] },
        customer: { equals: ((await read(house, id)) as { customer: { id: number } }).customer.id },
      },
    })
    // 19596.44 - 13.44 - 19434.00, of a fee of 240.00.
    expect(result.totals).toMatchObject({ costAmount: '19434.00', grossProfit: '149.00', grossMargin: '62.0800' })
  })

  test('requires the months, and refuses closed months and those too far ahead', async () => {
    const problems = async (values: Record<string, Value>) => {
      const { errors } = await generate(house.admin, [], '2026-03', values)
      return errors?.map(({ field, message }) => `${field}: ${message}`)
    }
    expect(await problems({ wageMonth: null })).toEqual(['wageMonth: 请选择工资所属月'])
    expect(await problems({ billMonth: '2026-13' })).toEqual(['billMonth: 不是有效月份，请按2026-03的格式填写'])
    expect(await problems({ insuranceMonth: '2026-05' })).toEqual(['insuranceMonth: 不能晚于账单月份的下一月'])
    const parameter = (await house.admin.get('/setting/parameter/detail')).result
    await house.admin.post('/setting/parameter/update', {
      id: parameter.id,
      revision: parameter.revision,
      values: { closedMonth: '2026-01' },
    })
    expect(await problems({ billMonth: '2026-01', wageMonth: '2025-12', insuranceMonth: '2026-01' })).toEqual([
      'billMonth: 该月已关账',
    ])
  })

  test('takes costs by their month, costs delivered for the month, and leftovers of earlier months', async () => {
    const customer = await billedCustomer(house, { heads: 1 })
    const [person] = customer.people
    await deliver(house, customer, [
      { person, feeItem: 'pension', amount: '100.00' },
      { person, feeItem: 'pension', amount: '1.00', costMonth: '2026-04' },
      { person, feeItem: 'pension', amount: '2.00', costMonth: '2026-02' },
      { person, feeItem: 'backPayment', amount: '30.00', costMonth: '2025-11' },
      { person, feeItem: 'pension', amount: '4.00', costMonth: '2026-02', billMonth: '2026-03' },
      { person, feeItem: 'grossWage', amount: '500.00', contract: null },
      { person, feeItem: 'pension', amount: '8.00', billMonth: '2026-04' },
    ])
    await generate(house.admin, [customer.customer])
    expect((await statementsOf(house, customer.customer))[0]).toMatchObject({
      wageAmount: '500.00',
      socialAmount: '106.00',
      supplementAmount: '30.00',
    })
  })

  test('run twice at once makes one statement', async () => {
    const customer = await billedCustomer(house)
    await deliver(house, customer, sample(customer.people))
    const answers = await Promise.all([
      generate(house.admin, [customer.customer]),
      generate(house.admin, [customer.customer]),
    ])
    expect(answers.map(({ result }) => result.succeeded)).toEqual(expect.arrayContaining([0, 1]))
    expect(await statementsOf(house, customer.customer)).toHaveLength(1)
  })
})

test.skipIf(!isLong)('the list sums up what it has found, and a statement its items by fee and party', async () => {
  const { id, customer, contract, people } = await generated()
  await deliver(house, { customer, contract, people, agency: 0, name: '' }, [
    { person: people[0], feeItem: 'pension', party: 'personal', amount: '640.00' },
  ])
  await house.admin.post(`${statements}/regenerate`, { id })
  const query = { filters: { customer: { equals: customer } }, summary: 'statement.list' }
  expect((await house.admin.get(`${statements}/list`, query)).result.summary).toEqual({
    count: 1,
    total: '19596.44',
    received: '0.00',
    outstanding: '19596.44',
    overdue: '19596.44',
    uninvoiced: '19596.44',
  })
  expect((await house.admin.get('/customer/list', { summary: 'statement.list' })).code).toBe(404)

  const grouped = (as: Client) => as.get('/plans/grouped', { screen: 'statement.detail', tab: 'summary', id })
  const { list, totals } = (await grouped(house.admin)).result
  expect(list.map(({ by, values }: { by: string[]; values: object }) => [...by, values])).toEqual([
    ['grossWage', 'company', { count: 2, amount: '14500.00', billed: '14500.00' }],
    ['pension', 'company', { count: 2, amount: '2450.50', billed: '2450.50' }],
    ['pension', 'personal', { count: 1, amount: '640.00', billed: '0.00' }],
    ['medicalBasic', 'company', { count: 2, amount: '1377.50', billed: '1377.50' }],
    ['housingFund', 'company', { count: 2, amount: '1015.00', billed: '1015.00' }],
    ['serviceFee', 'company', { count: 2, amount: '240.00', billed: '240.00' }],
  ])
  expect(totals).toEqual({ count: 11, amount: '20223.00', billed: '19583.00' })
  const [stranger, cashier] = [
    await house.user('supportthree', ['support']),
    await house.user('cashiertwo', ['cashier']),
  ]
  expect((await grouped(stranger)).result.list).toEqual([])
  expect((await grouped(cashier)).code).toBe(403)
})

describe('an open statement', () => {
  test.skipIf(!isLong)('can be adjusted and restored: its line, tax and totals follow at once', async () => {
    const { id, people } = await generated()
    const created = await adjust(id, { person: people[0], feeItem: 'serviceFee', amount: '-100' })
    expect(created).toMatchObject({ code: 1 })
    // The fee is 140, and its taxes are 7.00 and 0.84.
    expect(await read(house, id)).toMatchObject({
      adjustAmount: '-100.00',
      serviceFeeAmount: '240.00',
      taxAmount: '7.84',
      totalAmount: '19490.84',
      ownAmount: '140.00',
      headcount: 2,
    })
    expect((await lines(house, id)).map(({ adjustAmount, taxAmount }) => [adjustAmount, taxAmount])).toEqual([
      ['-100.00', '1.12'],
      ['0.00', '6.72'],
    ])
    const item = (await items(house, id)).find(({ id: itemId }) => itemId === created.result.id)!
    expect(item).toMatchObject({
      feeCategory: 'adjust',
      passThrough: false,
      billable: true,
      sourceType: 'manual',
      revision: created.result.revision,
    })

    await house.admin.post(`${adjustments}/update`, {
      id: item.id,
      revision: item.revision,
      values: { amount: '60', feeItem: 'grossWage' },
    })
    expect(await read(house, id)).toMatchObject({ adjustAmount: '60.00', taxAmount: '13.44', totalAmount: '19656.44' })
    await adjust(id, { amount: '5.50' })
    expect((await lines(house, id)).at(-1)).toMatchObject({ lineType: 'adjustment', person: null, totalAmount: '5.50' })
    expect(await house.admin.post(`${adjustments}/delete`, { id: item.id })).toMatchObject({ code: 1 })
    expect(await read(house, id)).toMatchObject({ adjustAmount: '5.50', totalAmount: '19601.94' })
    expect((await journal(house, id)).map(({ action, changeAmount }) => [action, changeAmount])).toEqual([
      ['generate', '19596.44'],
      ['adjust', '-105.60'],
      ['adjust', '165.60'],
      ['adjust', '5.50'],
      ['adjust', '-60.00'],
    ])
  })

  test('refuses adjustments of zero, for strangers, of tax, or of a month too far ahead', async () => {
    const { id } = await generated()
    const stranger = (await billedCustomer(house, { heads: 1 })).people[0]
    const refused = async (values: Record<string, Value>) =>
      (await adjust(id, values)).errors?.map(({ field }) => field)
    expect(await refused({ amount: '0' })).toEqual(['amount'])
    expect(await refused({ amount: '1', person: stranger })).toEqual(['person'])
    expect(await refused({ amount: '1', feeItem: 'tax' })).toEqual(['feeItem'])
    expect(await refused({ amount: '1', costMonth: '2026-05' })).toEqual(['costMonth'])
    expect(await refused({ amount: '1', reason: null })).toEqual(['reason'])
    // An item from a source is not an adjustment.
    const [{ id: item, revision }] = await items(house, id)
    expect(
      (await house.admin.post(`${adjustments}/update`, { id: item, revision, values: { amount: '1' } })).code,
    ).toBe(409)
    expect((await house.admin.post(`${adjustments}/delete`, { id: item })).code).toBe(409)
  })

  test('is adjusted for somebody who works for another customer since', async () => {
    const { id, people } = await generated()
    const next = await billedCustomer(house, { heads: 0 })
    const { customer, agency, contract: serviceContract } = next
    const moves = [
      ['leave', { leaveDate: '2026-02-28', leaveReason: 'mutual' }],
      ['close', {}],
      ['rehire', { customer, agency, serviceContract, entryDate: '2026-03-01', baseSalary: '6000' }],
    ] as const
    for (const [action, values] of moves)
      expect(await house.admin.post(`/staff/person/${action}`, { id: people[1], values })).toMatchObject({ code: 1 })
    expect(await adjust(id, { amount: '12.34', person: people[1] })).toMatchObject({ code: 1 })
    expect((await items(house, id)).at(-1)).toMatchObject({ amount: '12.34', person: { id: people[1] } })
  })

  test('is recomputed from present costs and contract, keeping adjustments and notes on lines', async () => {
    const { id, people, costs, ...customer } = await generated()
    await adjust(id, { person: people[1], amount: '-10' })
    const [line] = await lines(house, id)
    await house.admin.post('/settlement/statementLine/note', { id: line.id, values: { remark: '已核对' } })
    await sql`update "costLine" set "deletedAt" = now() where id = ${costs[3]}`.execute(house.database.kysely)
    const [late] = await deliver(house, { ...customer, people }, [
      { person: people[0], feeItem: 'injury', amount: '20.00' },
    ])
    expect(await house.admin.post(`${statements}/regenerate`, { id })).toMatchObject({
      code: 1,
      result: { succeeded: 1 },
    })
    expect(await read(house, id)).toMatchObject({
      socialAmount: '2470.50',
      fundAmount: '455.00',
      adjustAmount: '-10.00',
      totalAmount: '19046.44',
    })
    const [first] = await lines(house, id)
    expect(first).toMatchObject({ id: line.id, remark: '已核对', socialAmount: '1372.00' })
    expect((await items(house, id)).filter(({ sourceType }) => sourceType === 'manual')).toHaveLength(1)
    expect(await costsOf([late])).toMatchObject([{ statement: id }])
  })

  test.skipIf(!isLong)(
    'is delivered to settlement contacts or to a given receiver, with the way of delivery',
    async () => {
      const { id } = await generated()
      const without = await generated({
        values: { contacts: [{ name: '钱佳', kind: ['hr'], mobile: '15400000008', primary: true }] },
      })
      expect(await house.admin.post(`${statements}/send`, { ids: [id, without.id], values: delivery })).toMatchObject({
        code: 1,
        result: { succeeded: 1, failed: [{ id: without.id, message: '客户没有负责结算且有邮箱的联系人' }] },
      })
      expect(await read(house, id)).toMatchObject({
        sentAt: expect.stringMatching(/^2026-03-15/),
        sentTo: '赵文 <zhaowen@qilan.example.com>',
        sentBy: 'email',
        deliveryRemark: '客户已回复收到',
        sentAmount: '19596.44',
      })
      // The user who records the delivery may not confirm for the customer.
      const clerk = await house.user('deliveringclerk', ['settlementClerk'])
      expect(await clerk.post(`${statements}/confirm`, { id, values: {} })).toMatchObject({ code: 403 })
      expect((await journal(house, id)).at(-1)).toMatchObject({
        action: 'send',
        detail: '赵文 <zhaowen@qilan.example.com>；客户已回复收到',
      })
      const refused = async (values: Record<string, Value>) =>
        (await house.admin.post(`${statements}/send`, { id: without.id, values })).errors?.map(({ field }) => field)
      expect(await refused({})).toEqual(['sentBy'])
      expect(await refused({ sentTo: '钱佳', sentBy: 'chat' })).toEqual(['deliveryEvidence'])
      expect(await refused({ ...delivery, sentTo: '钱佳', sentAt: '2026-03-16 09:00:00' })).toEqual(['sentAt'])
      expect((await house.admin.post(`${statements}/send/prepare`, { id })).result.values).toMatchObject({
        sentTo: '赵文 <zhaowen@qilan.example.com>',
      })
      expect(
        await house.admin.post(`${statements}/send`, { id: without.id, values: { ...delivery, sentTo: '钱佳' } }),
      ).toMatchObject({ code: 1 })
      expect(await read(house, without.id)).toMatchObject({ sentTo: '钱佳' })
    },
  )

  test.skipIf(!isLong)('gets a reminder when overdue, if it has a receiver', async () => {
    const { id } = await generated()
    const without = await generated({
      values: { contacts: [{ name: '钱佳', kind: ['hr'], mobile: '15400000008', primary: true }] },
    })
    for (const each of [id, without.id]) await confirm(each)
    const due = (date: string) =>
      sql`update statement set "dueDate" = ${date} where id in (${id}, ${without.id})`.execute(house.database.kysely)
    await due('2026-03-14')
    expect(await house.admin.post(`${statements}/remind`, { ids: [id, without.id] })).toMatchObject({
      code: 1,
      result: { succeeded: 1, failed: [{ id: without.id }] },
    })
    const { statementNo } = await read(house, id)
    const titles = (await house.admin.get('/messages')).result.list.map(({ title }: RecordData) => title)
    expect(titles.filter((title: Value) => String(title).startsWith('已催款'))).toEqual([`已催款：${statementNo}`])
    expect(await read(house, id)).toMatchObject({ remindedAt: expect.stringMatching(/^2026-03-15/) })
    expect((await journal(house, id)).at(-1)).toMatchObject({
      action: 'remind',
      detail: '赵文 <zhaowen@qilan.example.com>',
      ip: '127.0.0.1',
    })
    await due('2026-03-20')
    expect((await house.admin.post(`${statements}/remind`, { id })).code, 'nothing is due').toBe(409)
  })

  test('cannot be confirmed while it is disputed', async () => {
    const { id } = await generated()
    await house.admin.post(`${statements}/dispute`, { id, values: { disputeRemark: '工资人数不符' } })
    expect(await read(house, id)).toMatchObject({ disputeRemark: '工资人数不符', disputed: true })
    expect(await journal(house, id)).toContainEqual(
      expect.objectContaining({ detail: '工资人数不符', ip: '127.0.0.1' }),
    )
    expect((await confirm(id)).code).toBe(409)
    await house.admin.post(`${statements}/resolveDispute`, { id })
    expect((await confirm(id)).code).toBe(1)
    expect((await journal(house, id)).map(({ action, detail }) => [action, detail])).toEqual([
      ['generate', null],
      ['edit', '工资人数不符'],
      ['edit', '工资人数不符'],
      ['confirm', null],
    ])
  })
})

describe('a confirmed statement', () => {
  test('is locked with its costs and has a due date, and is open again once undone', async () => {
    const { id, costs } = await generated({ terms: { paymentTerms: 'net30' } })
    expect(await read(house, id)).toMatchObject({ dueDate: '2026-04-17' })
    expect((await house.admin.post(`${statements}/confirm`, { id, values: {} })).errors).toMatchObject([
      { field: 'confirmEvidence' },
    ])
    expect(await confirm(id)).toMatchObject({ code: 1 })
    expect(await read(house, id)).toMatchObject({
      status: 'confirmed',
      dueDate: '2026-04-14',
      confirmMode: 'staff',
      confirmedAt: expect.stringMatching(/^2026-03-15/),
    })
    expect(
      (await house.admin.get('/settlement/costLine/list', { filters: { statement: { equals: id } } })).result.list.map(
        ({ locked }: RecordData) => locked,
      ),
    ).toEqual(costs.map(() => true))
    for (const operation of ['regenerate', 'send', 'void', 'dispute']) {
      expect(
        (
          await house.admin.post(`${statements}/${operation}`, {
            id,
            values: { voidReason: '重新出账', disputeRemark: '不对' },
          })
        ).code,
        operation,
      ).toBe(409)
    }
    expect((await adjust(id, { amount: '1' })).code).toBe(409)

    await house.admin.post(`${statements}/changeDueDate`, {
      id,
      values: { dueDate: '2026-04-30', dueDateReason: '客户申请延期' },
    })
    expect(await read(house, id)).toMatchObject({ dueDate: '2026-04-30', dueDateReason: '客户申请延期' })
    expect(await house.admin.post(`${statements}/unconfirm`, { id })).toMatchObject({ code: 1 })
    expect(await read(house, id)).toMatchObject({
      status: 'generated',
      confirmedAt: null,
      confirmMode: null,
      confirmEvidence: null,
      dueDate: '2026-04-17',
      dueDateReason: null,
    })
    expect(
      (await journal(house, id)).map(({ action, statusBefore, statusAfter }) => [action, statusBefore, statusAfter]),
    ).toEqual([
      ['generate', null, 'generated'],
      ['confirm', 'generated', 'confirmed'],
      ['edit', 'confirmed', 'confirmed'],
      ['unconfirm', 'confirmed', 'generated'],
    ])
    expect((await adjust(id, { amount: '1' })).code).toBe(1)
  })

  test('in a closed month stays confirmed', async () => {
    const customer = await billedCustomer(house, {
      heads: 1,
      terms: { startDate: '2025-06-01', endDate: '2026-12-31' },
    })
    await deliver(house, customer, [
      { person: customer.people[0], feeItem: 'grossWage', amount: '100.00', billMonth: '2026-02' },
    ])
    await generate(house.admin, [customer.customer], '2026-02')
    const [{ id }] = await statementsOf(house, customer.customer)
    await confirm(id!)
    // Other tests leave contracts whose fees of the month are in no statement, so it could not be closed by a user.
    await house.database.pool.query(`update parameter set "closedMonth" = '2026-02'`)
    await house.database.pool.query('update system_overlay set version = version + 1')
    expect(await house.admin.post(`${statements}/unconfirm`, { id })).toMatchObject({
      code: 409,
      message: '该月已关账',
    })
  })

  test.skipIf(!isLong)('with a total of zero is settled', async () => {
    const customer = await billedCustomer(house, {
      heads: 1,
      terms: {
        feeRules: [{ serviceType: 'dispatch', feeMode: 'none', chargeRule: 'fullMonth', effectiveFrom: '2026-01' }],
      },
    })
    await deliver(house, customer, [{ person: customer.people[0], feeItem: 'grossWage', amount: '50.00' }])
    await generate(house.admin, [customer.customer])
    const [{ id }] = await statementsOf(house, customer.customer)
    await adjust(id!, { person: customer.people[0], amount: '-50' })
    await confirm(id!)
    expect(await read(house, id!)).toMatchObject({ totalAmount: '0.00', status: 'settled', receiptProgress: 'full' })
  })

  test('below zero is settled, and its amount is carried over unless the confirmation is undone', async () => {
    const { id, customer, people, ...rest } = await generated()
    await adjust(id, { amount: '-20000' })
    expect(await read(house, id)).toMatchObject({ totalAmount: '-403.56' })
    await confirm(id)
    expect(await read(house, id)).toMatchObject({
      status: 'settled',
      writeOffAmount: '-403.56',
      outstandingAmount: '0.00',
    })
    await deliver(house, { customer, people, ...rest }, [
      { person: people[0], feeItem: 'grossWage', amount: '1000.00', costMonth: '2026-03' },
    ])
    await generate(house.admin, [customer], '2026-04', { wageMonth: '2026-03' })
    const [, next] = await statementsOf(house, customer)
    expect(next).toMatchObject({ wageAmount: '1000.00', adjustAmount: '-403.56' })
    expect((await items(house, next.id!)).find(({ sourceType }) => sourceType === 'carryOver')).toMatchObject({
      feeItem: 'carryOver',
      amount: '-403.56',
      passThrough: true,
      costMonth: '2026-03',
    })
    await house.admin.post(`${statements}/regenerate`, { id: next.id })
    expect(await read(house, next.id!)).toMatchObject({ adjustAmount: '-403.56' })

    await house.admin.post(`${statements}/unconfirm`, { id })
    expect(await read(house, next.id!)).toMatchObject({ adjustAmount: '0.00' })
    await confirm(id)
    expect(await read(house, next.id!)).toMatchObject({ adjustAmount: '-403.56' })
    await confirm(next.id!)
    expect(await house.admin.post(`${statements}/unconfirm`, { id })).toMatchObject({
      code: 409,
      message: '结转金额已计入已确认的对账单，不能取消确认',
    })
  })
})

test('a voided statement owes nothing and frees its costs for another', async () => {
  const { id, customer, costs } = await generated()
  // Who voids it sees which adjustments go with it.
  expect((await adjust(id, { amount: '-250.55' })).code).toBe(1)
  expect(await read(house, id)).toMatchObject({ manualItems: 1, manualAmount: '-250.55' })
  const { form } = house.runtime.derived.catalog.entities.statement.states[0].transitions.void
  expect(JSON.stringify(form)).toMatch(/manualItems.*manualAmount.*voidReason/)
  expect((await house.admin.post(`${statements}/void`, { id, values: { voidReason: '错误' } })).errors).toMatchObject([
    { field: 'voidReason' },
  ])
  await house.admin.post(`${statements}/void`, { id, values: { voidReason: '费用有误，重新出账' } })
  expect(await read(house, id)).toMatchObject({
    status: 'voided',
    outstandingAmount: '0.00',
    uninvoicedAmount: '0.00',
    overdueDays: 0,
  })
  expect((await costsOf(costs)).map(({ statement }) => statement)).toEqual(costs.map(() => null))
  expect((await generate(house.admin, [customer])).result).toMatchObject({ succeeded: 1 })
  expect((await statementsOf(house, customer)).map(({ status, manualAmount }) => [status, manualAmount])).toEqual(
    expect.arrayContaining([
      ['generated', '0.00'],
      ['voided', '-250.55'],
    ]),
  )
})

describe('preset roles', () => {
  test.skipIf(!isLong)(
    'users limited to their own customers see only their statements, lines, items and journal',
    async () => {
      const [support, other] = [
        await house.user('supportone', ['support']),
        await house.user('supporttwo', ['support']),
      ]
      const { id } = await generated({ values: { supportStaff: support.id } })
      const [{ id: line }] = await lines(house, id)
      for (const entity of ['statement', 'statementLine', 'statementItem', 'settlementJournal', 'costLine']) {
        expect((await support.get(`/settlement/${entity}/list`)).result.total, entity).toBeGreaterThan(0)
        expect((await other.get(`/settlement/${entity}/list`)).result.total, entity).toBe(0)
      }
      expect((await other.get('/settlement/statementLine/detail', { id: line })).code).toBe(403)
      expect((await adjust(id, { amount: '1' }, other)).code).not.toBe(1)
      expect((await adjust(id, { amount: '1' }, support)).code).toBe(1)
      expect((await confirm(id, support)).code).toBe(1)
      for (const operation of ['send', 'generate', 'unconfirm', 'void', 'regenerate'])
        expect((await support.post(`${statements}/${operation}`, { id })).code, operation).toBe(403)
    },
  )

  test('clerks may not confirm or see the margin, cashiers see nothing, auditors see masked IDs', async () => {
    const [clerk, cashier, auditor] = [
      await house.user('clerkone', ['settlementClerk']),
      await house.user('cashierone', ['cashier']),
      await house.user('auditorone', ['auditor']),
    ]
    const { customer, id } = await generated()
    expect((await generate(clerk, [customer])).code).toBe(1)
    expect((await clerk.post(`${statements}/confirm`, { id })).code, 'who delivers does not confirm').toBe(403)
    expect((await clerk.post(`${statements}/unconfirm`, { id })).code).toBe(403)
    expect((await cashier.get(`${statements}/list`)).code).toBe(403)
    const margin = async (as: Client) =>
      (
        await as.get('/plans/report', {
          screen: 'report.report',
          tab: 'margin',
          filters: { billMonth: { between: ['2026-03', '2026-03'] } },
        })
      ).code
    expect([await margin(clerk), await margin(auditor)]).toEqual([403, 1])
    const shown = async (as: Client) =>
      (await as.get('/settlement/statementLine/list', { filters: { statement: { equals: id } } })).result.list[0]
        .idNumber
    expect([await shown(clerk), await shown(auditor)]).toEqual([
      expect.stringMatching(/^\d{17}[\dX]$/),
      expect.stringContaining('*'),
    ])
  })
})
