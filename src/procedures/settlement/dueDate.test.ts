import { expect, it } from 'vitest'
import { dueDate, expectedConfirmation } from './dueDate.ts'

it.each<[string, number | null, string, string]>([
  ['prepaid', 10, '2026-03', '2026-03-10'],
  ['prepaid', 31, '2026-02', '2026-02-28'],
  ['monthEnd', null, '2024-02', '2024-02-29'],
  ['fixedDay', 5, '2026-12', '2027-01-05'],
  ['fixedDay', 31, '2026-03', '2026-04-30'],
  ['net15', null, '2026-03', '2026-03-28'],
  ['net30', 10, '2026-03', '2026-04-12'],
  ['net60', null, '2026-03', '2026-05-12'],
])('%s, day %s, of %s is due on %s', (paymentTerms, paymentDay, month, expected) => {
  expect(dueDate({ paymentTerms, paymentDay }, month, '2026-03-13')).toBe(expected)
})

it('expects a confirmation three days after the statement was generated', () => {
  expect(expectedConfirmation('2026-02-27 09:30:00')).toBe('2026-03-02')
})
