import { expect, it } from 'vitest'
import { computeBackPayment, nextPayDay, type BackPayment } from './computeBackPayment.ts'

/** Beijing, a base of 5000 raised to 6821: pension, unemployment, work injury. */
const beijing = {
  pension: { base: '6821.00', company: '1091.36', personal: '545.68' },
  unemployment: { base: '6821.00', company: '34.11', personal: '34.11' },
  workInjury: { base: '6821.00', company: '27.28', personal: '0.00' },
}
const due: BackPayment = {
  fromMonth: '2026-01',
  toMonth: '2026-03',
  amountsIn: () => beijing,
  payDay: () => 25,
  lateFeeDailyRate: () => '0.05',
  handledOn: '2026-04-10',
}

it('computes the sample of the specification', () => {
  const { months, ...sums } = computeBackPayment(due)
  expect(months.map(({ month, principal, days, lateFee }) => [month, principal, days, lateFee])).toEqual([
    ['2026-01', '1732.54', 75, '64.97'],
    ['2026-02', '1732.54', 44, '38.12'],
    ['2026-03', '1732.54', 16, '13.86'],
  ])
  expect(months[0]).toMatchObject({ companyTotal: '1152.75', personalTotal: '579.79', amounts: beijing })
  expect(sums).toEqual({ companyTotal: '3458.25', personalTotal: '1739.37', lateFee: '116.95', total: '5314.57' })
})

it('each month is computed by its own policy', () => {
  const { months } = computeBackPayment({
    ...due,
    fromMonth: '2025-12',
    amountsIn: (month) => (month < '2026' ? { pension: beijing.pension } : beijing),
    payDay: (month) => (month < '2026' ? 31 : 25),
  })
  expect(months.map(({ principal, days }) => [principal, days])).toEqual([
    ['1637.04', 100],
    ['1732.54', 75],
    ['1732.54', 44],
    ['1732.54', 16],
  ])
})

it('nothing is late before the day of payment, and nothing ever without a rate', () => {
  expect(computeBackPayment({ ...due, fromMonth: '2026-03', handledOn: '2026-03-20' })).toMatchObject({
    lateFee: '0.00',
    total: '1732.54',
    months: [{ days: 0 }],
  })
  expect(computeBackPayment({ ...due, lateFeeDailyRate: () => null })).toMatchObject({
    lateFee: '0.00',
    total: '5197.62',
  })
})

it('a late fee never exceeds its principal', () => {
  expect(computeBackPayment({ ...due, fromMonth: '2021-01', toMonth: '2021-01' })).toMatchObject({ lateFee: '1646.78' })
  expect(computeBackPayment({ ...due, fromMonth: '2012-01', toMonth: '2012-01' })).toMatchObject({
    lateFee: '1732.54',
    total: '3465.08',
  })
})

it('a back-payment of a difference covers only the unpaid part, and is never negative', () => {
  const paid = {
    pension: { base: '6326.00', company: '1012.16', personal: '506.08' },
    unemployment: beijing.unemployment,
    workInjury: beijing.workInjury,
  }
  expect(computeBackPayment({ ...due, paidIn: () => paid }).months[0]).toMatchObject({
    companyTotal: '79.20',
    personalTotal: '39.60',
    principal: '118.80',
    lateFee: '4.46',
  })
  const more = { ...beijing, pension: { base: '8000.00', company: '1280.00', personal: '640.00' } }
  expect(computeBackPayment({ ...due, paidIn: () => more })).toMatchObject({
    companyTotal: '0.00',
    personalTotal: '0.00',
    lateFee: '0.00',
    total: '0.00',
  })
})

it.each([
  ['2026-04-10', '2026-04-25'],
  ['2026-04-25', '2026-04-25'],
  ['2026-04-26', '2026-05-25'],
  ['2026-12-28', '2027-01-25'],
])('on %s the next day of payment is %s', (today, day) => {
  expect(nextPayDay(today, 25)).toBe(day)
})
