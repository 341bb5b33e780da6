import { describe, expect, it } from 'vitest'
import { carriedOn, deductionItems, type Deductions } from './specialDeduction.ts'

const deductions = (amounts: Partial<Deductions>): Deductions =>
  ({ ...Object.fromEntries(deductionItems.map((item) => [item, '0.00'])), ...amounts }) as Deductions

describe('deductions carried forward', () => {
  it('grow as in the month before, and in February by all of January', () => {
    const march = deductions({ cumChildEducation: '6000.00', cumHousingRent: '3000.00' })
    expect(
      carriedOn(march, deductions({ cumChildEducation: '4000.00', cumHousingRent: '1500.00' }), '2026-04'),
    ).toMatchObject({
      cumChildEducation: '8000.00',
      cumHousingRent: '4500.00',
      cumElderlySupport: '0.00',
    })
    expect(carriedOn(deductions({ cumElderlySupport: '1500.00' }), null, '2026-02')).toMatchObject({
      cumElderlySupport: '3000.00',
    })
  })

  it('stay within the legal limits, and never fall below zero', () => {
    expect(
      carriedOn(
        deductions({ cumPersonalPension: '11000.00', cumContinuingEducation: '5200.00', cumHousingLoan: '100.00' }),
        deductions({ cumPersonalPension: '9000.00', cumContinuingEducation: '1200.00', cumHousingLoan: '900.00' }),
        '2026-05',
      ),
    ).toMatchObject({
      cumPersonalPension: '12000.00',
      cumContinuingEducation: '5600.00',
      cumHousingLoan: '0.00',
    })
  })
})
