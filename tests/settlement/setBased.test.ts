/** A call on many documents takes the same number of queries as one on two. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isLong } from '../long.ts'
import { addMonths } from '../../engine/expression/index.ts'
import type { Value } from '../../engine/model/model.ts'
import { receiptHouse, type ReceiptHouse } from '../receipts.ts'
import { createTestServer, type TestServer } from '../server.ts'
import { inWork } from '../../engine/server/records/Work.ts'
import { ProcedureWork } from '../../engine/server/procedure.ts'
import { followCosts } from '../../src/procedures/settlement/followCosts.ts'
import { importFile, planOf, workbook, worker } from '../importing.ts'
import { billedCustomer, type BilledCustomer, deliver, delivery, generate } from '../statement.ts'
import { moreOften, queriesOf } from '../statementsOf.ts'

let house: TestServer
let desk: ReceiptHouse
let customer: number
beforeAll(async () => {
  house = await createTestServer()
  desk = await receiptHouse(house)
  const contacts = [
    { name: '赵文', kind: ['settlement'], mobile: '15400000009', email: 'zhaowen@qilan.example.com', primary: true },
  ]
  customer = (await desk.customer({ contacts })).id
})
afterAll(() => house?.close())

/** Makes this number of records. */
const make = async (size: number, makeOne: (index: number) => Promise<number>): Promise<number[]> => {
  const ids: number[] = []
  for (let index = 0; index < size; index++) ids.push(await makeOne(index))
  return ids
}
let payers = 0
const receipts = (size: number) => make(size, () => desk.receipt({ payerName: `付款人${++payers}` }))
// A contract has one statement per month.
let month = '2026-02'
const statements = (values: Record<string, Value>) => (size: number) =>
  make(size, () => {
    month = addMonths(month, -1)!
    return desk.statement(customer, '100.00', '2026-02-20', { billMonth: month, ...values })
  })

const cases: [string, (size: number) => Promise<number[]>, string, () => Record<string, Value>][] = [
  ['receipts that are claimed', receipts, '/settlement/receipt/claim', () => ({ customer })],
  [
    'claims that are taken back',
    async (size) => {
      const ids = await receipts(size)
      expect(await house.admin.post('/settlement/receipt/claim', { ids, values: { customer } })).toMatchObject({
        code: 1,
      })
      return ids
    },
    '/settlement/receipt/unclaim',
    () => ({}),
  ],
  [
    'statements that are delivered',
    statements({ stage: 'generated', confirmedAt: null }),
    '/settlement/statement/send',
    () => delivery,
  ],
  ['customers who are reminded', statements({}), '/settlement/statement/remind', () => ({})],
]

/** Checks that each query runs as often for two records as for 20. */
async function compare(queriesFor: (size: number) => Promise<Map<string, number>>): Promise<void> {
  // The first run fills caches, so it is not counted.
  await queriesFor(2)
  const few = await queriesFor(2)
  expect(few.size).toBeGreaterThan(3)
  expect(moreOften(few, await queriesFor(20))).toEqual([])
}

// One of them in the short form, because all calls on many records go through the same steps.
test.each(isLong ? cases : cases.slice(0, 1))('%s', (_, prepare, path, values) =>
  compare(async (size) => {
    const ids = await prepare(size)
    return queriesOf(async () => {
      const answer = await house.admin.post(path, { ids, values: values() })
      expect(answer, JSON.stringify(answer)).toMatchObject({ code: 1, result: { succeeded: size } })
    })
  }),
)

/** Assigns a part of each receipt to one statement. */
const matches = (from: readonly number[], to: readonly number[]) =>
  from.map((receipt, index) => ({ receipt, statement: to[index], amount: '60.00' }))

test.skipIf(!isLong)('receipts matched with statements, from either side, and matches undone', async () => {
  const undone: Map<string, number>[] = []
  await compare(async (size) => {
    const [from, to] = [await receipts(size), await statements({})(size)]
    expect(await house.admin.post('/settlement/receipt/claim', { ids: from, values: { customer } })).toMatchObject({
      code: 1,
    })
    const queries = await queriesOf(async () => {
      const answer = await house.admin.post('/settlement/receipt/match', {
        ids: from,
        values: { matches: matches(from, to) },
      })
      expect(answer, JSON.stringify(answer)).toMatchObject({ code: 1, result: { matches: size } })
    })
    const made = await Promise.all(from.map(async (id) => (await desk.matchesOf(id))[0].id!))
    undone.push(
      await queriesOf(async () => {
        const answer = await house.admin.post('/settlement/receiptMatch/unmatch', {
          ids: made,
          values: { cancelReason: '核销有误' },
        })
        expect(answer, JSON.stringify(answer)).toMatchObject({ code: 1, result: { succeeded: size } })
      }),
    )
    return queries
  })
  expect(moreOften(undone[1], undone[2])).toEqual([])
})

test.skipIf(!isLong)('a statement paid by many receipts', () =>
  compare(async (size) => {
    const from = await receipts(size)
    expect(await house.admin.post('/settlement/receipt/claim', { ids: from, values: { customer } })).toMatchObject({
      code: 1,
    })
    const [id] = await make(1, () => desk.statement(customer, '9000.00', '2026-02-20'))
    return queriesOf(async () => {
      const answer = await house.admin.post('/settlement/statement/match', {
        id,
        values: { matches: from.map((receipt) => ({ receipt, amount: '60.00' })) },
      })
      expect(answer, JSON.stringify(answer)).toMatchObject({ code: 1 })
    })
  }),
)

test.skipIf(!isLong)('a file with receipts of many customers', () =>
  compare(async (size) => {
    const rows: Record<string, string>[] = []
    for (let index = 0; index < size; index++)
      rows.push({
        receivedDate: '2026-03-10',
        companyAccount: '9900880000000012',
        payerName: (await desk.customer()).corporateName,
        amount: '1000.00',
        method: '银行转账',
        bankSerialNo: `FILE${++payers}`,
      })
    const path = '/settlement/receiptImport'
    const id = await importFile(house, await workbook(planOf(house, 'receiptImport'), rows), { path })
    const checked = await queriesOf(() => worker(house, 1000).drain())
    expect(await house.admin.post(`${path}/write`, { id })).toMatchObject({ code: 1 })
    const written = await queriesOf(() => worker(house, 1000).drain())
    expect((await house.admin.get(`${path}/detail`, { id })).result).toMatchObject({
      status: 'completed',
      successCount: size,
    })
    return new Map([...written, ...[...checked].map(([text, times]): [string, number] => [`check: ${text}`, times])])
  }),
)

describe.skipIf(!isLong)('generated statements', () => {
  const generated: { customers: BilledCustomer[]; ids: number[] }[] = []
  beforeAll(async () => {
    for (const size of [2, 2, 20]) {
      const customers: BilledCustomer[] = []
      for (let index = 0; index < size; index++) {
        const customer = await billedCustomer(house, { heads: 1 })
        await deliver(house, customer, [{ person: customer.people[0], feeItem: 'grossWage', amount: '8000.00' }])
        customers.push(customer)
      }
      const chosen = customers.map((customer) => customer.customer)
      expect(await generate(house.admin, chosen)).toMatchObject({ code: 1, result: { succeeded: size } })
      const { rows } = await house.database.pool.query<{ id: string }>(
        'select id from statement where customer = any($1) order by id',
        [chosen],
      )
      generated.push({ customers, ids: rows.map(({ id }) => Number(id)) })
    }
  }, 600_000)

  /** The first run fills caches, so it is not counted. */
  async function compareGenerated(
    queriesFor: (run: (typeof generated)[number]) => Promise<Map<string, number>>,
  ): Promise<void> {
    const [, few, many] = [
      await queriesFor(generated[0]),
      await queriesFor(generated[1]),
      await queriesFor(generated[2]),
    ]
    expect(few.size).toBeGreaterThan(3)
    expect(moreOften(few, many)).toEqual([])
  }
  const late = (customers: readonly BilledCustomer[]) =>
    Promise.all(
      customers.map(async (customer) =>
        deliver(house, customer, [{ person: customer.people[0], feeItem: 'pension', amount: '100.00' }]),
      ),
    )

  test('are regenerated', () =>
    compareGenerated(async ({ customers, ids }) => {
      await late(customers)
      return queriesOf(async () => {
        const answer = await house.admin.post('/settlement/statement/regenerate', { ids })
        expect(answer, JSON.stringify(answer)).toMatchObject({ code: 1, result: { succeeded: ids.length } })
      })
    }))

  test('follow late costs', () =>
    compareGenerated(async ({ customers, ids }) => {
      const made = (await late(customers)).flat()
      const context = house.context()
      const before = await amounts(ids)
      const queries = await queriesOf(() =>
        inWork(context, { cause: 'system' }, async (work) => {
          const door = new ProcedureWork(work.context, work.db)
          await followCosts(door, { made: await door.read('costLine', { where: { id: made } }) })
        }),
      )
      expect(await amounts(ids)).toEqual(before.map((amount) => amount + 100))
      return queries
    }))

  const amounts = async (ids: number[]): Promise<number[]> =>
    (
      await house.database.pool.query<{ amount: string }>(
        'select "socialAmount" as amount from statement where id = any($1) order by id',
        [ids],
      )
    ).rows.map(({ amount }) => Number(amount))

  test('are printed', () =>
    compareGenerated(({ ids }) =>
      queriesOf(async () => {
        expect((await house.admin.get('/settlement/statement/print', { ids: ids.join(',') })).status).toBe(200)
      }),
    ))

  test('have budgets whose letters are printed', () =>
    compareGenerated(async ({ customers }) => {
      const chosen = customers.map((customer) => customer.customer)
      const wish = { month: '2026-03', basis: 'roster', customers: chosen }
      expect(await house.admin.post('/settlement/budget/generate', { values: wish })).toMatchObject({ code: 1 })
      const { rows } = await house.database.pool.query<{ id: number }>(
        `update budget set stage = 'confirmed', "confirmedAt" = "createdAt" where customer = any($1) returning id`,
        [chosen],
      )
      return queriesOf(async () => {
        const ids = rows.map(({ id }) => id).join(',')
        expect((await house.admin.get('/settlement/budget/letter', { ids })).status).toBe(200)
      })
    }))
})
