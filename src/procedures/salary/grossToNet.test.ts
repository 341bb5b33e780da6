import { describe, expect, it } from 'vitest'
import { absence, grossOf, netOf } from './grossToNet.ts'

describe('from gross to net', () => {
  const items = {
    baseSalary: '12000.00',
    performancePay: '2000.00',
    mealAllowance: '300.00',
    transportAllowance: '200.00',
    absenceDeduction: '551.72',
  }

  it('computes the sample: joined in July, one day missed', () => {
    expect(absence('12000.00', '21.75', '22', '21').toFixed(2)).toBe('551.72')
    expect(grossOf(items).toFixed(2)).toBe('13948.28')
    expect(netOf(items, { welfarePersonal: '2103.00', welfareCompany: '4044.00', currentTax: '160.36' })).toEqual({
      grossPay: '13948.28',
      netPay: '11684.92',
      cost: '17992.28',
    })
  })

  it('post-tax additions cost the customer, and post-tax deductions do not reduce the cost', () => {
    expect(
      netOf(
        { ...items, afterTaxAdd: '100.00', afterTaxDeduct: '40.00' },
        { welfarePersonal: '2103.00', welfareCompany: '4044.00', currentTax: '160.36' },
      ),
    ).toEqual({
      grossPay: '13948.28',
      netPay: '11744.92',
      cost: '18092.28',
    })
  })

  it('net pay may be negative, so may other pre-tax pay, and full or unknown days are no absence', () => {
    expect(
      netOf(
        { baseSalary: '2000.00', otherPreTax: '-500.00' },
        { welfarePersonal: '1600.00', welfareCompany: null, currentTax: null },
      ),
    ).toEqual({ grossPay: '1500.00', netPay: '-100.00', cost: '1500.00' })
    expect([
      absence('12000', '21.75', '22', '22').toFixed(2),
      absence('12000', '21.75', null, null).toFixed(2),
    ]).toEqual(['0.00', '0.00'])
  })
})
