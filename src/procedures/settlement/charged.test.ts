import { expect, test } from 'vitest'
import { chargedBy, type Charges, withCharges, withoutCharges } from './charged.ts'

const charges = [
  { id: 10, customer: 3, contract: 1, billMonth: '2026-02', fees: new Set(['5 2026-02']), afterEnd: new Set([5, 6]) },
  {
    id: 11,
    customer: 3,
    contract: 2,
    billMonth: '2026-03',
    fees: new Set(['6 2026-03', '7 2026-02']),
    afterEnd: new Set<number>(),
  },
]
const fee = (person: number | null, costMonth: string, sourceType = 'contractFee') => ({
  person,
  feeItem: 'serviceFee',
  party: 'company',
  costMonth,
  amount: '50.00',
  sourceType,
  sourceId: null,
})

test('finds whom other statements of the customer charge, and which months are billed', () => {
  const charged = chargedBy(charges)
  expect([charged.byCustomer(3, 7, '2026-02'), charged.byCustomer(3, 7, '2026-03')]).toEqual([true, false])
  expect([charged.wasBilled(2, '2026-02'), charged.wasBilled(2, '2026-04')]).toEqual([false, true])
  expect(chargedBy(charges, 10).byCustomer(3, 5, '2026-02')).toBe(false)
})

test('finds months that a contract which had ended billed without a fee', () => {
  const charged = chargedBy(charges)
  expect([charged.withoutFee(3, 6), charged.withoutFee(3, 5), charged.withoutFee(4, 6)]).toEqual([['2026-02'], [], []])
})

test('a statement charges by its new fees once it is recomputed, and nothing before', () => {
  const keys = ['5 2026-02', '7 2026-01', '8 2026-02', '6 2026-03']
  const found = (among: readonly Charges[]) =>
    keys.map((key) => {
      const [person, month] = key.split(' ')
      return chargedBy(among).byCustomer(3, Number(person), month)
    })
  const before = withoutCharges(charges, [10])
  expect(found(before)).toEqual([false, false, false, true])
  const items = [fee(7, '2026-01'), fee(null, '2026-02'), fee(8, '2026-02', 'manual')]
  expect(found(withCharges(before, charges[0], items))).toEqual([false, true, false, true])
  expect(found(withCharges(before, { ...charges[0], id: -4 }, items)), 'a new one').toEqual([false, true, false, true])
})
