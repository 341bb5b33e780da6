import { expect, test } from 'vitest'
import { filingsOf } from './filings.ts'

const payroll = {
  taxSubject: 'provider',
  customer: 1,
  agency: 1,
  incomeType: 'wage',
  taxMonth: '2026-03',
  approvedAt: '2026-03-15 10:00:00',
} as const
const line = (id: number, payroll: number, cumIncome: string) => ({
  id,
  payroll,
  person: 7,
  personName: '员工甲',
  grossPay: '100.00',
  exemptIncome: '0.00',
  statutory: '0.00',
  otherDeduction: '0.00',
  currentTax: '0.00',
  cumIncome,
  cumBasic: '5000.00',
  cumStatutory: '0.00',
  cumSpecial: '0.00',
  cumOther: '0.00',
  cumTaxable: '0.00',
  cumTax: '0.00',
  cumPaidTax: '0.00',
})

test('of two payrolls approved in the same second, the later one says what was earned in the year', () => {
  const payrolls = new Map([1, 2].map((id) => [id, { id, ...payroll }]))
  // The line of the first was added after those of the second were there.
  expect(filingsOf(payrolls, [line(20, 1, '100.00'), line(10, 2, '200.00')])).toMatchObject([
    { currentIncome: '200.00', cumIncome: '200.00', payrolls: [1, 2] },
  ])
})

test('of income that is taxed at each payment, a filing sums up the payments of the month', () => {
  const payrolls = new Map([1, 2].map((id) => [id, { id, ...payroll, incomeType: 'labor' as const }]))
  const single = (id: number, income: string, taxable: string, tax: string) => ({
    ...line(id, id, income),
    grossPay: income,
    cumTaxable: taxable,
    cumTax: tax,
    currentTax: tax,
    cumBasic: null,
  })
  const lines = [single(1, '3000.00', '2200.00', '440.00'), single(2, '30000.00', '24000.00', '5200.00')]
  expect(filingsOf(payrolls, lines)).toMatchObject([
    {
      currentIncome: '33000.00',
      currentTax: '5640.00',
      cumIncome: '33000.00',
      cumTaxable: '26200.00',
      cumTax: '5640.00',
      cumBasic: null,
    },
  ])
})
