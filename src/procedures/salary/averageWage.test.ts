import { expect, test } from 'vitest'
import { averageWagesIn, type WagePolicy } from './averageWage.ts'

const policy = (
  city: string | null,
  effectiveFrom: string,
  effectiveTo: string | null,
  avgMonthlyWage: string,
): WagePolicy => ({ city, effectiveFrom, effectiveTo, avgMonthlyWage })

test("a city's average wage is from its latest policy of the month, else from the country's", () => {
  const policies = [
    policy('110100', '2025-07', '2026-06', '11291.00'),
    policy('110100', '2026-07', null, '11761.00'),
    policy('110100', '2026-01', null, '11500.00'),
    policy(null, '2026-01', null, '9000.00'),
  ]
  const averageIn = (month: string, city = '110100') => averageWagesIn(policies, [city], month).get(city)
  expect([
    averageIn('2026-08'),
    averageIn('2026-06'),
    averageIn('2025-12'),
    averageIn('2025-06'),
    averageIn('2026-08', '320500'),
    averageIn('2025-12', '320500'),
  ]).toEqual(['11761.00', '11500.00', '11291.00', undefined, '9000.00', undefined])
})
