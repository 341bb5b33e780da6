/** Breaks each rule once in the lists of a sound company, to check that the invariants notice. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData } from '../../engine/model/model.ts'
import { idOf, read, type Books } from './invariants/Books.ts'
import { caughtUp } from './invariants/deducted.ts'
import { filed } from './invariants/filed.ts'
import { covered, paidOut } from './invariants/paidOut.ts'
import { invariants } from './invariants/index.ts'
import { Stage } from './Stage.ts'
import { paidLate } from './steps/closing.ts'
import { filingsOf } from './steps/filings.ts'
import { play } from './story.ts'
import { sound } from './stories/sound.ts'
import { Broken, type World } from './world.ts'

let world: World
let books: Books
beforeAll(async () => {
  const { broken, log } = await play(sound, [], async (at) => {
    world = at
    books = await read(at)
  })
  expect([broken?.message, log.filter((text) => text.includes('refused:'))]).toEqual([undefined, []])
})
afterAll(() => Stage.end())

const more = (record: RecordData, field: string) =>
  Object.assign(record, { [field]: (Number(record[field]) + 0.01).toFixed(2) })
/** The statement that is partly paid and partly invoiced. */
const confirmed = ({ statements }: Books) => statements.find(({ invoicedAmount }) => Number(invoicedAmount) > 0)!
const both = (books: Books, field: string) => [
  more(confirmed(books), field),
  more(
    books.lines.find(({ statement }) => idOf(statement) === confirmed(books).id)!,
    field,
  ),
]

const feeOf = (items: Books['items']) =>
  items.find(({ feeItem, person }) => feeItem === 'serviceFee' && idOf(person) > 0)!

const breaks: Record<string, (books: Books) => unknown> = {
  charged: ({ expenses }) => more(expenses.accumulationfund[0], 'companyTotal'),
  owned: ({ expenses }) =>
    expenses.socialsecurity.forEach((line) => Object.assign(line, { serviceContract: { id: 0 } })),
  borne: ({ expenses }) => expenses.medicalinsurance.forEach((line) => Object.assign(line, { customer: { id: 0 } })),
  delivered: ({ costs }) => costs.pop(),
  billed: ({ items }) =>
    more(
      items.find(({ sourceType }) => sourceType === 'payroll')!,
      'amount',
    ),
  'carried over': ({ items, statements }) =>
    items.push({ ...items[0], sourceType: 'carryOver', sourceId: statements[0].statementNo }),
  served: ({ items }) => Object.assign(feeOf(items), { costMonth: '2028-01' }),
  'served twice': ({ items }) => items.push({ ...feeOf(items) }),
  'fee missing': ({ items }) => items.splice(items.indexOf(feeOf(items)), 1),
  'monthly fee': ({ items }) =>
    more(
      items.find(({ feeItem, person }) => feeItem === 'serviceFee' && person === null)!,
      'amount',
    ),
  fee: ({ items }) => Object.assign(feeOf(items), { amount: '60.00' }),
  lost: ({ costs, items, unbilled }) => {
    items.splice(0)
    costs.forEach((cost) => Object.assign(cost, { statement: null }))
    unbilled.splice(0, unbilled.length, ...costs)
  },
  sums: ({ statements }) => more(statements[0], 'wageAmount'),
  received: ({ matches }) => more(matches[0], 'amount'),
  outstanding: (books) => more(confirmed(books), 'outstandingAmount'),
  'pass-through': ({ statements }) => more(statements[0], 'passThroughAmount'),
  'own revenue': ({ statements }) => more(statements[0], 'ownAmount'),
  'tax of a statement': (books) => both(books, 'taxAmount'),
  total: (books) => [both(books, 'totalAmount'), more(confirmed(books), 'outstandingAmount')],
  receipt: ({ receipts }) => more(receipts[0], 'unmatchedAmount'),
  balance: ({ customers }) => more(customers[0], 'balance'),
  account: (books) => more(confirmed(books), 'openCredit'),
  credit: (books) => {
    const statement = confirmed(books)
    const outstandingAmount = Number(statement.outstandingAmount) + 1
    Object.assign(statement, { openCredit: '-1.00', outstandingAmount })
    books.statements.push({ ...statement, id: 0, stage: 'generated', openCredit: '0.00', billMonth: '2028-01' })
  },
  invoiced: ({ invoices }) => more(invoices[0], 'amount'),
  'invoiced too much': (books) => more(confirmed(books), 'applyingAmount'),
  paid: ({ payments }) => more(payments[0], 'amount'),
  'paid twice': ({ payments }) => payments.push({ ...payments[0], id: 0 }),
  'paid unapproved': ({ wages }) => wages.forEach((wage) => Object.assign(wage, { batchStatus: 'submitted' })),
  'paid held': ({ wages }) => wages.forEach((wage) => Object.assign(wage, { lineStatus: 'held' })),
  waiting: ({ wages }) =>
    Object.assign(
      wages.find(({ payStatus }) => payStatus === 'success')!,
      { payStatus: 'failed' },
    ),
  cumulated: ({ wages }) => wages.forEach((wage) => more(wage, 'currentTax')),
  deducted: ({ wages }) =>
    more(
      wages.find(({ incomeType }) => incomeType === 'wage')!,
      'welfarePersonalTotal',
    ),
  aged: ({ owed }) => Object.assign(owed[0], { notDue: '0.01' }),
  closed: ({ items, statements }) =>
    more(
      items.find(({ statement }) => statements.find(({ id }) => id === idOf(statement))!.billMonth === '2026-01')!,
      'amount',
    ),
  unchanged: ({ wages }) => more(wages[0], 'currentTax') && more(wages[0], 'grossPay'),
}

test.each(Object.entries(breaks))('%s', (rule, break_) => {
  const broken = structuredClone(books)
  break_(broken)
  const found = invariants.flatMap((invariant) => {
    try {
      invariant(broken, world)
      return []
    } catch (error) {
      if (!(error instanceof Broken)) throw error
      return [error.rule]
    }
  })
  expect(found).toContain(rule)
})

test('caught up', async () => {
  const payroll = world.model.payrolls.find(({ approved }) => approved)!
  const line = books.wages.find(({ payroll: paidIn }) => idOf(paidIn) === payroll.id)!
  const listing = (amount: string, feeMonth: string) =>
    Object.assign(Object.create(world) as World, {
      all: async (path: string, filters: Parameters<World['all']>[1]) =>
        path === '/salary/undeducted' ? [{ feeMonth, amount }] : world.all(path, filters),
    })
  const { welfareMonth } = payroll
  // Contributions of a month for which this agent paid no wages are not its to deduct.
  await caughtUp(listing('0.01', '2025-12'), payroll, line)
  await expect(caughtUp(listing('0.01', welfareMonth), payroll, line)).rejects.toMatchObject({ rule: 'caught up' })
})

test('filed', async () => {
  const filings = await filingsOf(world)
  const broken = (change: (among: typeof filings) => unknown) => () => {
    const copy = structuredClone(filings)
    change(copy)
    filed(copy, world)
  }
  expect(broken(() => undefined)).not.toThrow()
  const breaking = (rule: string) => expect.objectContaining({ rule })
  expect(broken(([first]) => more(first, 'currentTax'))).toThrow(breaking('filed'))
  expect(broken((among) => among.pop())).toThrow(breaking('filed'))
  expect(broken((among) => among.forEach((each) => more(each, 'cumIncome')))).toThrow(breaking('filed year'))
})

test('paid out', async () => {
  const payroll = world.model.payrolls.find(({ approved }) => approved)!
  const lines = books.wages.filter(({ payroll: paidIn }) => idOf(paidIn) === payroll.id)
  await paidOut(world, payroll, lines)
  const [first, ...rest] = lines
  await expect(paidOut(world, payroll, [{ ...first, payStatus: 'returned' }, ...rest])).rejects.toMatchObject({
    rule: 'paid out',
  })
})

test('covered', async () => {
  const [batch] = await world.all('/salary/payBatch', { agency: { in: world.agencies.map(({ id }) => id) } })
  await covered(world, batch)
  // The only statement that bills the wages is paid for a half.
  const customers = world.customers.map((customer) => ({ ...customer, fee: { ...customer.fee, prepaid: true } }))
  const paysFirst = Object.assign(Object.create(world) as World, { customers })
  await expect(covered(paysFirst, batch)).rejects.toMatchObject({ rule: 'covered' })
})

test('paid late', async () => {
  const answer = await world.act('/settlement/receipt', 'match', 0)
  expect(answer.code).not.toBe(1)
  // As if receipts were not matched with statements of closed months.
  const refusing = Object.assign(Object.create(world) as World, { act: () => Promise.resolve(answer) })
  await expect(paidLate(refusing, world.month)).rejects.toMatchObject({ rule: 'paid late' })
  expect(await paidLate(world, world.month), 'somebody owes').toHaveLength(1)
})
