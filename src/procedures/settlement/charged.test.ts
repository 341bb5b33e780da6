import { expect, test } from 'vitest'
import { withCharges, chargedBy } from './charged.ts'

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

test('finds whom other statements of the contract or customer charge, and which months are billed', () => {
  const charged = chargedBy(charges)
  expect([charged.byContract(1, 5, '2026-02'), charged.byContract(2, 5, '2026-02')]).toEqual([true, false])
  expect([charged.byCustomer(3, 7, '2026-02'), charged.byCustomer(3, 7, '2026-03')]).toEqual([true, false])
  expect([charged.wasBilled(2, '2026-02'), charged.wasBilled(2, '2026-04')]).toEqual([false, true])
  expect(chargedBy(charges, 10).byContract(1, 5, '2026-02')).toBe(false)
})

test('finds months that a contract which had ended billed without a fee', () => {
  const charged = chargedBy(charges)
  expect([charged.withoutFee(3, 6), charged.withoutFee(3, 5), charged.withoutFee(4, 6)]).toEqual([['2026-02'], [], []])
})

test('a recomputed statement charges by its new fees', () => {
  const now = withCharges(charges, 10, [fee(7, '2026-01'), fee(null, '2026-02'), fee(8, '2026-02', 'manual')])
  const charged = chargedBy(now)
  expect(
    ['5 2026-02', '7 2026-01', '8 2026-02'].map((key) => {
      const [person, month] = key.split(' ')
      return charged.byContract(1, Number(person), month)
    }),
  ).toEqual([false, true, false])
})
