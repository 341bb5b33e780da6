import { expect, test } from 'vitest'
import type { Id } from '../../../engine/server/procedure.ts'
import { amountCarried, carriedInto, carriedIntoEach, type CarriedOver, takenUp, type Taker } from './carriedOver.ts'

const contract = (id: number) => id as Id<'contract'>
const taker = (billMonth: string, values: Partial<Taker> = {}): Taker => ({
  customer: 1 as Id<'customer'>,
  contract: contract(1),
  agency: 1 as Id<'agency'>,
  billMonth,
  ...values,
})
const negative = (
  statementNo: string,
  billMonth: string,
  { takenBy = [], contractLastDay = null }: { takenBy?: number[]; contractLastDay?: string | null } = {},
): CarriedOver => ({
  ...taker(billMonth),
  id: 9 as Id<'statement'>,
  statementNo,
  contractLastDay,
  carriedAmount: '-10.00',
  carriedOwnAmount: '0.00',
  takenBy: new Set(takenBy),
})
const into = (all: CarriedOver[], billMonth: string, own?: number) =>
  carriedInto(all, taker(billMonth), own).map(({ sourceId }) => sourceId)

test('an amount carried over is taken up once, and stays with its statement', () => {
  const all = [negative('A', '2026-01'), negative('B', '2026-02', { takenBy: [20] }), negative('C', '2026-03')]
  expect(into(all, '2026-03')).toEqual(['A'])
  expect(into(all, '2026-03', 20)).toEqual(['A', 'B'])
  expect(carriedInto(all, taker('2026-03', { contract: contract(2) }))).toEqual([])
})

test('when statements are generated again, the first takes the amount up, and the next what it releases', () => {
  const all = [negative('A', '2026-01'), negative('B', '2026-02', { takenBy: [20] })]
  const first = { id: 20 as Id<'statement'> }
  const taken = carriedInto(all, taker('2026-02'), 20)
  const then = takenUp(all, first, taken)
  expect(into(then, '2026-03', 30)).toEqual(['B'])
  expect(into(then, '2026-03', 20)).toEqual(['A', 'B'])
})

test('another contract of the customer takes up what a contract that has ended left, with the same agency only', () => {
  const all = [negative('A', '2026-01', { contractLastDay: '2026-02-28' })]
  const by = (billMonth: string, values: Partial<Taker> = {}) =>
    carriedInto(all, taker(billMonth, { contract: contract(2), ...values })).length
  expect([by('2026-02'), by('2026-03')]).toEqual([0, 1])
  expect(by('2026-03', { agency: 2 as Id<'agency'> })).toBe(0)
  expect(by('2026-03', { customer: 2 as Id<'customer'> })).toBe(0)
})

test('of several statements made at once, a contract that has ended takes its own amount, and each amount goes once', () => {
  const all = [negative('A', '2026-01', { contractLastDay: '2026-02-28' })]
  const ending = (id: number, lastDay: string | null) => ({
    id: contract(id),
    customer: 1 as Id<'customer'>,
    agency: 1 as Id<'agency'>,
    lastDay,
  })
  const each = carriedIntoEach(all, [ending(2, null), ending(1, '2026-02-28')], '2026-03')
  expect([each.get(2), each.get(1)]).toMatchObject([[], [{ sourceId: 'A' }]])
})

test('fees that were not taxed stay own revenue', () => {
  const carriedBy = (passThroughAmount: string, ownAmount: string, totalAmount: string, taxMethod = 'diffGeneral') =>
    amountCarried({
      passThroughAmount,
      ownAmount,
      totalAmount,
      taxMethod: taxMethod as 'diffGeneral',
      taxRate: '6',
      surchargeRate: '0',
      taxBorne: 'exclusive',
    }).carriedOwnAmount
  expect(carriedBy('500.00', '-1000.00', '-500.00')).toBe('-1000.00')
  expect(carriedBy('-2000.00', '240.00', '-1745.60')).toBe('0.00')
  expect(carriedBy('-2000.00', '240.00', '-1760.00', 'fullGeneral')).toBe('240.00')
})
