import { describe, expect, it } from 'vitest'
import { computeStatement } from './computeStatement.ts'
import { feeItemsOf, type FeeCategory } from './feeItems.ts'
import { feesOf, type FeeRule } from './fees.ts'
import type { TaxTerms } from './tax.ts'
import type { StatementItem } from './StatementItem.ts'

const family = (feeCategory: FeeCategory, values: string[]) => ({
  sourceType: `${feeCategory}Expense`,
  settlement: { feeCategory },
  items: values.map((value) => ({ feeItem: { value } })),
})
const known = feeItemsOf([
  family('social', ['pension']),
  family('medical', ['medicalBasic']),
  family('fund', ['housingFund']),
])
const compute = (items: readonly StatementItem[], terms: TaxTerms) => computeStatement(items, terms, known)
const item = (
  person: number | null,
  feeItem: string,
  amount: string,
  rest: Partial<StatementItem> = {},
): StatementItem => ({
  person,
  feeItem,
  party: 'company',
  costMonth: '2026-03',
  amount,
  sourceType: 'payroll',
  sourceId: null,
  ...rest,
})
const perHead: FeeRule = {
  feeMode: 'perHead',
  chargeRule: 'fullMonth',
  unitPrice: '120.00',
  ratePercent: null,
  percentBase: null,
  fixedAmount: null,
  tiers: [],
  minAmount: null,
  maxAmount: null,
}
const there = { joinedOn: null, leftOn: null, workedDays: null }

describe('the sample', () => {
  const costs = [
    item(1, 'grossWage', '8000.00'),
    item(1, 'pension', '1352.00'),
    item(1, 'medicalBasic', '760.00'),
    item(1, 'housingFund', '560.00'),
    item(2, 'grossWage', '6500.00'),
    item(2, 'pension', '1098.50'),
    item(2, 'medicalBasic', '617.50'),
    item(2, 'housingFund', '455.00'),
  ]
  const fees = feesOf([perHead], {
    billMonth: '2026-03',
    contractNo: 'FW2026030001',
    costs,
    heads: [
      { person: 1, ...there },
      { person: 2, ...there },
    ],
  })
  const billed = (terms: TaxTerms) => compute([...costs, ...fees], terms)

  it('differential, simplified, 5% on top, surcharge 12%', () => {
    const { amounts, lines, headcount } = billed({
      taxMethod: 'diffSimple',
      taxRate: '5',
      surchargeRate: '12',
      taxBorne: 'exclusive',
    })
    expect(amounts).toEqual({
      wageAmount: '14500.00',
      socialAmount: '2450.50',
      medicalAmount: '1377.50',
      fundAmount: '1015.00',
      supplementAmount: '0.00',
      otherBenefitAmount: '0.00',
      serviceFeeAmount: '240.00',
      adjustAmount: '0.00',
      taxAmount: '13.44',
      totalAmount: '19596.44',
      passThroughAmount: '19343.00',
      ownAmount: '240.00',
    })
    expect(
      lines.map(({ lineType, person, amounts: { taxAmount, totalAmount } }) => [
        lineType,
        person,
        taxAmount,
        totalAmount,
      ]),
    ).toEqual([
      ['person', 1, '6.72', '10798.72'],
      ['person', 2, '6.72', '8797.72'],
    ])
    expect(headcount).toBe(2)
  })

  it('full amount, general, 6% on top', () => {
    const { amounts } = billed({ taxMethod: 'fullGeneral', taxRate: '6', surchargeRate: null, taxBorne: 'exclusive' })
    expect([amounts.taxAmount, amounts.totalAmount]).toEqual(['1174.98', '20757.98'])
  })

  it('differential, general, 6% included: the tax is shown, not added', () => {
    const { amounts, lines } = billed({
      taxMethod: 'diffGeneral',
      taxRate: '6',
      surchargeRate: '12',
      taxBorne: 'inclusive',
    })
    expect([amounts.taxAmount, amounts.totalAmount]).toEqual(['13.58', '19583.00'])
    expect(lines.map(({ amounts: { totalAmount } }) => totalAmount)).toEqual(['10792.00', '8791.00'])
  })

  it('exempt', () => {
    const { amounts } = billed({ taxMethod: 'exempt', taxRate: '6', surchargeRate: '12', taxBorne: 'exclusive' })
    expect([amounts.taxAmount, amounts.totalAmount]).toEqual(['0.00', '19583.00'])
  })
})

const diff: TaxTerms = { taxMethod: 'diffSimple', taxRate: '5', surchargeRate: '12', taxBorne: 'exclusive' }

describe('the billed amounts', () => {
  it('include a personal part only without a gross wage, and otherwise list it as a memo', () => {
    const { lines } = compute(
      [
        item(1, 'grossWage', '8000.00'),
        item(1, 'pension', '640.00', { party: 'personal' }),
        item(1, 'incomeTax', '91.50', { party: 'personal' }),
        item(2, 'pension', '1000.00'),
        item(2, 'pension', '500.00', { party: 'personal' }),
      ],
      diff,
    )
    expect(lines.map(({ amounts, memoPersonal }) => [amounts.wageAmount, amounts.socialAmount, memoPersonal])).toEqual([
      ['8000.00', '0.00', '731.50'],
      ['0.00', '1500.00', '0.00'],
    ])
    expect(lines[0].items.map(({ billable }) => billable)).toEqual([true, false, false])
  })

  it('have the tax of severance pay within it, and the contributions of the month besides', () => {
    const { amounts, lines } = compute(
      [
        item(1, 'severance', '600000.00'),
        item(1, 'incomeTax', '18400.80', { party: 'personal' }),
        item(1, 'pension', '640.00', { party: 'personal' }),
      ],
      diff,
    )
    expect([amounts.wageAmount, amounts.socialAmount, lines[0].memoPersonal]).toEqual([
      '600000.00',
      '640.00',
      '18400.80',
    ])
  })

  it("have adjustments in a separate column, at the person's line or in a last line of their own", () => {
    const manual = { sourceType: 'manual' }
    const { lines, headcount, amounts } = compute(
      [
        item(null, 'grossWage', '-50.00', manual),
        item(3, 'grossWage', '-20.00', manual),
        item(1, 'pension', '30.00', { ...manual, party: 'personal' }),
        item(null, 'unionFee', '200.00'),
        item(1, 'grossWage', '5000.00'),
        item(null, 'carryOver', '-10.00', { sourceType: 'carryOver' }),
      ],
      diff,
    )
    expect(
      lines.map(({ lineType, person, amounts: { adjustAmount, totalAmount } }) => [
        lineType,
        person,
        adjustAmount,
        totalAmount,
      ]),
    ).toEqual([
      ['person', 1, '30.00', '5030.00'],
      ['company', null, '0.00', '200.00'],
      ['adjustment', null, '-60.00', '-60.00'],
      ['adjustment', 3, '-20.00', '-20.00'],
    ])
    expect([headcount, amounts.passThroughAmount, amounts.totalAmount]).toEqual([1, '5150.00', '5150.00'])
  })

  it('do not treat an adjusted gross wage as a gross wage', () => {
    const { lines } = compute(
      [item(1, 'grossWage', '100.00', { sourceType: 'manual' }), item(1, 'pension', '500.00', { party: 'personal' })],
      diff,
    )
    expect(lines[0].amounts).toMatchObject({ socialAmount: '500.00', adjustAmount: '100.00', totalAmount: '600.00' })
  })

  it('refuse an item without a column', () => {
    expect(() => compute([item(1, 'tax', '1.00')], diff)).toThrow('tax')
  })
})

describe('tax', () => {
  it('is spread over the lines by their taxable part, with the rounding difference in the last of them', () => {
    const fee = (person: number | null, amount: string) =>
      item(person, 'serviceFee', amount, { sourceType: 'contractFee' })
    const { lines, amounts } = compute(
      [fee(1, '33.33'), fee(2, '33.33'), fee(3, '33.33'), item(null, 'unionFee', '9.00')],
      { ...diff, surchargeRate: null },
    )
    expect(amounts.taxAmount).toBe('5.00')
    expect(lines.map(({ amounts: { taxAmount } }) => taxAmount)).toEqual(['1.67', '1.67', '1.66', '0.00'])
  })

  it('is zero if the taxable amount is zero or negative', () => {
    const { amounts } = compute(
      [item(1, 'grossWage', '100.00'), item(1, 'serviceFee', '-80.00', { sourceType: 'manual' })],
      diff,
    )
    expect([amounts.taxAmount, amounts.totalAmount]).toEqual(['0.00', '20.00'])
    expect(compute([item(1, 'grossWage', '-500.00')], { ...diff, taxMethod: 'fullGeneral' }).amounts).toMatchObject({
      taxAmount: '0.00',
      totalAmount: '-500.00',
    })
  })

  it('rounds value-added tax and surcharge separately, half up', () => {
    // 4.11 × 5% = 0.2055 → 0.21; 0.21 × 12% = 0.0252 → 0.03. Rounded once it would be 0.23.
    expect(compute([item(1, 'serviceFee', '4.11')], diff).amounts.taxAmount).toBe('0.24')
    expect(compute([item(1, 'serviceFee', '2.10')], { ...diff, surchargeRate: null }).amounts.taxAmount).toBe('0.11')
  })
})
