import { describe, expect, it } from 'vitest'
import type { Contribution } from './contribution.ts'
import { usesYearSoFar, soFarBefore } from './yearSoFar.ts'

const contribution = (base: string | null, company: string, personal: string): Contribution => ({
  base,
  company,
  personal,
})
const months = new Map<string, Record<string, Contribution>>([
  ['2025-12', { pension: contribution('900.00', '90.00', '9.00') }],
  ['2026-01', { pension: contribution('1000.10', '100.01', '10.00'), dues: contribution(null, '0.00', '5.00') }],
  ['2026-02', { pension: contribution(null, '-0.01', '0.00') }],
  ['2026-03', { pension: contribution('3000.00', '300.00', '30.00') }],
])

describe('the year so far', () => {
  it('sums the earlier months of the same year by item', () => {
    expect(soFarBefore('2026-03', months)).toEqual({
      pension: { baseSoFar: '1000.10', companySoFar: '100.00', personalSoFar: '10.00' },
      dues: { baseSoFar: '0.00', companySoFar: '0.00', personalSoFar: '5.00' },
    })
  })
  it('starts anew with each year', () => {
    expect(soFarBefore('2026-01', months)).toEqual({})
    expect(soFarBefore('2027-01', months)).toEqual({})
  })
  it('is needed if any formula of a month uses it', () => {
    expect(usesYearSoFar([{ cap: 'baseCeiling - baseSoFar' }])).toBe(true)
    expect(usesYearSoFar([{ eligible: 'personalSoFar < 100' }, {}])).toBe(true)
    expect(usesYearSoFar([{ company: 'base * companyRate' }, { floor: null }])).toBe(false)
  })
})
