/** Fees of months that were outside a term: charged once, by whichever statement is computed when. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMonths } from '../../engine/expression/index.ts'
import type { Value } from '../../engine/model/model.ts'
import { contracts, sign } from '../contract.ts'
import { lockWait } from '../lockWait.ts'
import { createTestServer, type TestServer } from '../server.ts'
import { billedCustomer, deliver, generate, items, statements, statementsOf } from '../statement.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

const byHead = {
  serviceType: 'dispatch',
  feeMode: 'perHead',
  unitPrice: '120',
  chargeRule: 'fullMonth',
  effectiveFrom: '2026-01',
}

/** A customer whose contract ends in March, and what is billed since. */
async function ending(rule?: Record<string, Value>) {
  const feeRules = rule && ([{ ...byHead, ...rule }] as unknown as Value)
  const customer = await billedCustomer(house, {
    heads: 1,
    terms: { startDate: '2025-06-01', endDate: '2026-03-31', ...(feeRules && { feeRules }) },
  })
  return {
    contract: customer.contract,
    async bill(billMonth: string, contract = customer.contract): Promise<number> {
      await deliver(house, customer, [
        { person: customer.people[0], feeItem: 'pension', amount: '1352.00', costMonth: billMonth, contract },
      ])
      await generate(house.admin, [customer.customer], billMonth, { wageMonth: addMonths(billMonth, -1)! })
      return (await statementsOf(house, customer.customer)).find((statement) => statement.billMonth === billMonth)!.id!
    },
    undoEnd: (end = '2027-03-31') =>
      house.database.pool.query(`update contract set "endDate" = $2, "lastDay" = $2 where id = $1`, [
        customer.contract,
        end,
      ]),
    /** Without any costs. */
    async generated(billMonth: string): Promise<number[]> {
      await generate(house.admin, [customer.customer], billMonth, { wageMonth: addMonths(billMonth, -1)! })
      const all = await statementsOf(house, customer.customer)
      return all.filter((statement) => statement.billMonth === billMonth).map(({ id }) => id!)
    },
  }
}
const regenerate = async (...ids: number[]) =>
  expect(await house.admin.post(`${statements}/regenerate`, { ids })).toMatchObject({ code: 1 })
/** The months that each statement charges a fee for. */
const charged = async (...ids: number[]) => {
  const found = await Promise.all(ids.map((id) => items(house, id)))
  return found.map((all) => all.filter(({ feeItem }) => feeItem === 'serviceFee').map(({ costMonth }) => costMonth))
}

test('a month charged since by a later statement stays there, whichever of the two is regenerated', async () => {
  const { bill, undoEnd } = await ending()
  const april = await bill('2026-04')
  await undoEnd()
  const may = await bill('2026-05')
  const since = [[], ['2026-04', '2026-05']]
  await regenerate(april)
  expect(await charged(april, may)).toEqual(since)
  await regenerate(may)
  expect(await charged(april, may)).toEqual(since)
  const own = [['2026-04'], ['2026-05']]
  await regenerate(may, april)
  expect(await charged(april, may)).toEqual(own)
  await regenerate(may)
  expect(await charged(april, may)).toEqual(own)
})

/** What statements charge for each month, for people and for the month as such. */
const sums = async (...ids: number[]) => {
  const found = await Promise.all(ids.map((id) => items(house, id)))
  return found.map((all) =>
    all
      .filter(({ feeItem }) => feeItem === 'serviceFee')
      .map(({ costMonth, amount, person }) => `${String(costMonth)} ${String(amount)}${person ? ' by the head' : ''}`),
  )
}

test.each<[string, Record<string, Value>, string[], string[]]>([
  ['fixed', { feeMode: 'fixed', unitPrice: null, fixedAmount: '3000' }, [], ['3000.00']],
  ['with a minimum', { minAmount: '1000' }, [], ['120.00 by the head', '880.00']],
  [
    'a percentage with a minimum',
    { feeMode: 'percentage', unitPrice: null, ratePercent: '10', percentBase: 'total', minAmount: '1000' },
    ['135.20'],
    ['864.80'],
  ],
])(
  'a fee of a month that was billed after the end is charged once, after the end is undone: %s',
  async (_, rule, atOnce, rest) => {
    const { bill, undoEnd } = await ending(rule)
    const april = await bill('2026-04')
    const sumsIn = (month: string, amounts: string[]) => amounts.map((amount) => `${month} ${amount}`)
    expect(await sums(april)).toEqual([sumsIn('2026-04', atOnce)])
    await undoEnd()
    const may = await bill('2026-05')
    const all = [...sumsIn('2026-04', rest), ...sumsIn('2026-05', rest)]
    const whole = (month: string) => sumsIn(month, atOnce.length > 0 ? ['1000.00'] : rest)
    const since = [
      sumsIn('2026-04', atOnce),
      atOnce.length > 0 ? [...sumsIn('2026-04', rest), ...whole('2026-05')] : all,
    ]
    const expectSums = async (expected: string[][]) =>
      expect((await sums(april, may)).map((each) => each.toSorted())).toEqual(expected.map((each) => each.toSorted()))
    await expectSums(since)
    await regenerate(april)
    await expectSums(since)
    await regenerate(may)
    await expectSums(since)
    const june = await bill('2026-06')
    expect(
      (await sums(june))[0].every((text) => text.startsWith('2026-06')),
      'not again',
    ).toBe(true)
    await regenerate(may, april)
    await expectSums([whole('2026-04'), whole('2026-05')])
  },
)

test('a renewal that is signed late charges the fixed fee of the months that its predecessor billed', async () => {
  const { bill, contract } = await ending({ feeMode: 'fixed', unitPrice: null, fixedAmount: '3000' })
  const april = await bill('2026-04')
  const renewal = await house.create(contracts, { renewalOf: contract })
  await sign(house, renewal, '2026-03-15')
  const may = await bill('2026-05', renewal)
  const once = [[], ['2026-04 3000.00', '2026-05 3000.00']]
  expect(await sums(april, may)).toEqual(once)
  await regenerate(april)
  await regenerate(may)
  expect(await sums(april, may)).toEqual(once)
  expect(await sums(await bill('2026-06', renewal))).toEqual([['2026-06 3000.00']])
})

const fixed = { feeMode: 'fixed', unitPrice: null, fixedAmount: '3000' }

test.each<[string, Record<string, Value> | undefined]>([
  ['by the head', undefined],
  ['fixed', fixed],
])(
  'a month charged since by a later statement stays charged when it is voided and billed anew: %s',
  async (_, rule) => {
    const { bill, undoEnd, generated } = await ending(rule)
    const april = await bill('2026-04')
    await undoEnd()
    const may = await bill('2026-05')
    expect(
      await house.admin.post(`${statements}/void`, { id: april, values: { voidReason: '服务费有误，重新生成' } }),
    ).toMatchObject({
      code: 1,
    })
    const anew = (await generated('2026-04')).find((id) => id !== april)!
    const once = [[], ['2026-04', '2026-05']]
    expect(await charged(anew, may)).toEqual(once)
    await regenerate(may)
    expect(await charged(anew, may)).toEqual(once)
    await regenerate(anew)
    expect(await charged(anew, may)).toEqual(once)
    await regenerate(anew, may)
    expect(await charged(anew, may)).toEqual([['2026-04'], ['2026-05']])
  },
)

test('a fixed fee that is due after all is charged although the contract has ended again and has no later costs', async () => {
  const { bill, undoEnd, generated } = await ending(fixed)
  const april = await bill('2026-04')
  expect(await sums(april)).toEqual([[]])
  expect(await generated('2026-05')).toEqual([])
  await undoEnd('2026-04-30')
  for (const month of ['2026-05', '2026-08']) {
    const made = await generated(month)
    expect(made, month).toHaveLength(1)
    const [later] = made
    expect(await sums(later)).toEqual([['2026-04 3000.00']])
    const voided = { id: later, values: { voidReason: '服务费有误，下月再开' } }
    if (month === '2026-05') expect(await house.admin.post(`${statements}/void`, voided)).toMatchObject({ code: 1 })
  }
  expect(await generated('2026-09'), 'not again').toEqual([])
})

test('two statements that are regenerated at the same time do not both charge it', async () => {
  const { bill, undoEnd } = await ending()
  const [april, may] = [await bill('2026-04'), await bill('2026-05')]
  await undoEnd()
  const writes = await house.database.pool.connect()
  let both: Promise<void>[] = []
  try {
    await writes.query('begin; lock table "statementItem" in share mode')
    both = [regenerate(april), regenerate(may)]
    await lockWait(house, 2)
  } finally {
    await writes.query('rollback')
    writes.release()
  }
  await Promise.all(both)
  expect(
    (await charged(april, may))
      .flat()
      .map(String)
      .toSorted((a, b) => a.localeCompare(b)),
  ).toEqual(['2026-04', '2026-05'])
})
