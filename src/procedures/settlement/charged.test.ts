import { expect, test } from 'vitest'
import { withCharges, chargedBy, chargedKey } from './charged.ts'

const charges = [
  { id: 10, contract: 1, billMonth: '2026-02', people: new Set([5]) },
  { id: 11, contract: 1, billMonth: '2026-03', people: new Set([6]) },
]
const fee = (person: number | null, sourceType = 'contractFee') => ({
  person,
  feeItem: 'serviceFee',
  party: 'company',
  costMonth: '2026-02',
  amount: '50.00',
  sourceType,
  sourceId: null,
})

test('whom others charge for the month whose wages are billed', () => {
  expect([...chargedBy(charges, { wageMonth: '2026-02' })]).toEqual([chargedKey(1, 5)])
  expect(chargedBy(charges, { wageMonth: '2026-02' }, 10).size).toBe(0)
})

test('a statement that is made anew charges for whom its fees are now', () => {
  const now = withCharges(charges, 10, [fee(7), fee(null), fee(8, 'manual')])
  expect([...chargedBy(now, { wageMonth: '2026-02' })]).toEqual([chargedKey(1, 7)])
})
