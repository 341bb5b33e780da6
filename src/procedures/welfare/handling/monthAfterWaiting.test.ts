import { expect, test } from 'vitest'
import { monthAfterWaiting } from './monthAfterWaiting.ts'

const nobodyExcluded = { workerKinds: null, employmentForms: null, requiresFamily: null }
test.each([
  ['2026-01-15', null, null, '2026-01'],
  ['2026-01-15', 3, null, '2026-04'],
  ['2026-01-31', 1, null, '2026-02'],
  ['2026-01-15', null, 16, '2026-01'],
  ['2026-01-15', null, 17, '2026-02'],
  ['2026-01-31', 0, 90, '2026-05'],
  ['2024-02-01', null, 29, '2024-03'],
  ['2025-12-02', null, 365, '2026-12'],
])('entry on %s with a wait of %s months or %s days means payment from %s', (entry, months, days, first) => {
  const eligibility = { ...nobodyExcluded, minServiceMonths: months, minServiceDays: days }
  expect(monthAfterWaiting({ eligibility }, entry)).toBe(first)
})
