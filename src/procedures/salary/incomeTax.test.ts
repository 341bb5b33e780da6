import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { Decimal } from '../../../engine/expression/index.ts'
import { bracketOf, type TaxBracket } from './brackets.ts'
import { basicDeduction, deductible, monthsCounted, severanceExempt, taxOnce, withhold } from './incomeTax.ts'

const { rows } = JSON.parse(
  readFileSync(new URL('../../../schemas/salary/taxBracket.records.json', import.meta.url), 'utf8'),
) as { rows: Partial<TaxBracket>[] }
const brackets = rows.map((row) => ({ upTo: null, effectiveTo: null, ...row }) as TaxBracket)
const whole = (value: Decimal) => value.toDecimalPlaces(0, Decimal.ROUND_HALF_UP)
const cents = (value: Decimal) => value.toDecimalPlaces(2, Decimal.ROUND_HALF_UP)

/** The tax withheld in each month of a year with constant wages. */
function year({
  gross,
  statutory = '0',
  special = '0',
  other = '0',
  exempt = '0',
  reliefRate = null as string | null,
  fullSixty = false,
  taxStartMonth = '2025-01',
}: {
  gross: string
  statutory?: string
  special?: string
  other?: string
  exempt?: string
  reliefRate?: string | null
  fullSixty?: boolean
  taxStartMonth?: string
}): string[] {
  let paid = new Decimal(0)
  return Array.from({ length: 12 }, (_, index) => {
    const taxMonth = `2026-${String(index + 1).padStart(2, '0')}`
    const n = monthsCounted({ taxMonth, taxStartMonth, firstJobThisYear: false })
    const times = (amount: string) => new Decimal(amount).times(n).toFixed(2)
    const { currentTax } = withhold(
      {
        taxMonth,
        cumIncome: times(gross),
        cumExempt: times(exempt),
        cumBasic: basicDeduction('5000', n, fullSixty).toFixed(2),
        cumStatutory: times(statutory),
        cumSpecial: times(special),
        cumOther: times(other),
        reliefRate,
        cumPaidTax: paid.toFixed(2),
      },
      brackets,
    )
    paid = paid.plus(currentTax)
    return currentTax
  })
}

describe('cumulative withholding', () => {
  it('crosses 36 000 in May: gross 20 000, statutory 3 500, special 3 000', () => {
    const taxes = year({ gross: '20000', statutory: '3500', special: '3000' })
    expect(taxes).toEqual([...Array<string>(4).fill('255.00'), '710.00', ...Array<string>(7).fill('850.00')])
    expect(taxes.reduce((sum, tax) => sum.plus(tax), new Decimal(0)).toFixed(2)).toBe('7680.00')
  })

  it('a joiner of July has one month of basic deduction in July', () => {
    expect(
      withhold(
        {
          taxMonth: '2026-07',
          cumIncome: '13948.28',
          cumExempt: null,
          cumBasic: '5000.00',
          cumStatutory: '2103.00',
          cumSpecial: '1500.00',
          cumOther: null,
          reliefRate: null,
          cumPaidTax: null,
        },
        brackets,
      ),
    ).toEqual({ cumTaxable: '5345.28', taxRate: '3', quickDeduction: '0.00', cumTax: '160.36', currentTax: '160.36' })
  })

  it('counts months since the job began, since January for a first job, and only of the year', () => {
    const months = (taxStartMonth: string, firstJobThisYear = false) =>
      monthsCounted({ taxMonth: '2026-07', taxStartMonth, firstJobThisYear })
    expect([
      months('2026-07'),
      months('2026-03'),
      months('2024-11'),
      months('2026-07', true),
      months('2026-08'),
    ]).toEqual([1, 5, 7, 7, 0])
  })

  it('a person who earned little last year pays nothing until 60 000 are exceeded', () => {
    expect(year({ gross: '7000', fullSixty: true })).toEqual([
      ...Array<string>(8).fill('0.00'),
      '90.00',
      '210.00',
      '210.00',
      '210.00',
    ])
  })

  it('carries a surplus, never repays it, and applies relief, exempt income and other deductions', () => {
    const base = {
      taxMonth: '2026-06',
      cumIncome: '60000.00',
      cumExempt: null,
      cumBasic: '30000.00',
      cumStatutory: null,
      cumSpecial: null,
      cumOther: null,
      reliefRate: null,
      cumPaidTax: '1000.00',
    }
    expect(withhold(base, brackets)).toMatchObject({ cumTax: '900.00', currentTax: '0.00' })
    expect(withhold({ ...base, cumPaidTax: null, reliefRate: '50' }, brackets)).toMatchObject({
      cumTax: '450.00',
      currentTax: '450.00',
    })
    expect(withhold({ ...base, cumPaidTax: null, cumExempt: '10000.00', cumOther: '5000.00' }, brackets)).toMatchObject(
      { cumTaxable: '15000.00', currentTax: '450.00' },
    )
  })

  it('has nothing to tax if deductions exceed the income', () => {
    expect(year({ gross: '9000', statutory: '2000', special: '12000' })).toEqual(Array<string>(12).fill('0.00'))
  })

  test.each([
    ['36000', '3', '0.00', '1080.00'],
    ['36000.01', '10', '2520.00', '1080.00'],
    ['144000', '10', '2520.00', '11880.00'],
    ['300000', '20', '16920.00', '43080.00'],
    ['420000', '25', '31920.00', '73080.00'],
    ['660000', '30', '52920.00', '145080.00'],
    ['960000', '35', '85920.00', '250080.00'],
    ['1000000', '45', '181920.00', '268080.00'],
  ])('of %s the rate is %s%%, the quick deduction %s, the tax %s', (cumIncome, taxRate, quickDeduction, cumTax) => {
    const taken = {
      taxMonth: '2026-12',
      cumExempt: null,
      cumBasic: null,
      cumStatutory: null,
      cumSpecial: null,
      cumOther: null,
      reliefRate: null,
      cumPaidTax: null,
    }
    expect(withhold({ ...taken, cumIncome }, brackets)).toMatchObject({ taxRate, quickDeduction, cumTax })
  })
})

describe('income taxed separately', () => {
  test.each([
    ['36000', '1080.00'],
    ['36001', '3390.10'],
    ['60000', '5790.00'],
  ])('an annual bonus of %s: %s', (bonus, tax) => {
    expect(taxOnce('annualBonus', bonus, '2026-01', brackets).tax).toBe(tax)
  })
  test.each([
    ['3000', '440.00'],
    ['30000', '5200.00'],
    ['800', '0.00'],
    ['4000', '640.00'],
    ['100000', '25000.00'],
  ])('a remuneration of %s: %s', (income, tax) => {
    expect(taxOnce('labor', income, '2026-01', brackets).tax).toBe(tax)
  })
  test.each([
    ['423396', '0.00', '0.00'],
    ['500000', '76604.00', '5140.40'],
    ['600000', '176604.00', '18400.80'],
  ])('severance of %s in a city of 11 761: taxable %s, tax %s', (income, taxable, tax) => {
    expect(severanceExempt('11761').toFixed()).toBe('423396')
    expect(taxOnce('severance', income, '2026-01', brackets, '11761')).toMatchObject({ taxable, tax })
  })
  it('the law on the annual bonus ends with 2027', () => {
    expect(() => taxOnce('annualBonus', '36000', '2028-01', brackets)).toThrow(
      'No tax table "bonus" is in force in 2028-01',
    )
  })
})

it('a later version of a table replaces it from its month on', () => {
  const next: TaxBracket = {
    table: 'labor',
    upTo: null,
    rate: '15',
    quick: '0',
    effectiveFrom: '2027-01',
    effectiveTo: null,
  }
  const rate = (month: string) =>
    bracketOf([...brackets, next], { table: 'labor', month, amount: new Decimal(60_000) }).rate
  expect([rate('2026-12'), rate('2027-01')]).toEqual(['40', '15'])
})

it('a deductible contribution is capped by three average wages, or by a monthly amount', () => {
  const fund = { capRate: '12', capFixed: null, declaredBase: '45000', averageWage: '8311', round: whole }
  expect(deductible('4744', fund).toFixed(2)).toBe('2992.00')
  expect(deductible('2400', { ...fund, declaredBase: '20000' }).toFixed(2)).toBe('2400.00')
  expect(deductible('700', { ...fund, capRate: null, capFixed: '600', round: cents }).toFixed(2)).toBe('600.00')
  expect(deductible('700', { ...fund, capRate: null, round: cents }).toFixed(2)).toBe('700.00')
})
