import { describe, expect, it } from 'vitest'
import { lineTotals, summaryOf, type ExpenseLine } from './expense.ts'
import { difference, isTolerated, reconcile, refund } from './reconciliation.ts'
import { contributions, totals, type PolicyItem } from './contribution.ts'
import { aboutNobody } from './about.ts'

const amounts = {
  pension: { base: '8000.00', company: '1280.00', personal: '640.00' },
  workInjury: { base: '8000.00', company: '32.00', personal: '0.00' },
}
const line = (person: number, rest: Partial<ExpenseLine> = {}): ExpenseLine => ({
  person,
  expenseType: 'normal',
  lineStatus: 'open',
  reconcileStatus: 'unchecked',
  amounts,
  lateFee: null,
  actualTotal: null,
  ...rest,
})

describe('lines', () => {
  it('have their late fee in the total only', () => {
    expect(lineTotals(line(1, { lateFee: '64.97' }))).toEqual({
      companyTotal: '1312.00',
      personalTotal: '640.00',
      total: '2016.97',
      diff: null,
    })
    expect(lineTotals(line(1, { actualTotal: '1952.03' }))).toMatchObject({ total: '1952.00', diff: '0.03' })
  })
})

describe('a summary', () => {
  const lines = [
    line(1, { actualTotal: '1952.00', reconcileStatus: 'matched' }),
    line(2, { actualTotal: '1950.00', reconcileStatus: 'different' }),
    line(2, { expenseType: 'supplement', lateFee: '12.50' }),
    line(3, { expenseType: 'supplement' }),
    line(3, { expenseType: 'supplement' }),
    line(4, { expenseType: 'difference', amounts: { pension: { base: null, company: '240.00', personal: '120.00' } } }),
    line(5, { expenseType: 'refund', amounts: { pension: { base: null, company: '-1280.00', personal: '-640.00' } } }),
    line(6, { lineStatus: 'void' }),
  ]
  const summary = summaryOf(lines)

  it('counts people and sums by the kind of expense', () => {
    expect(summary).toEqual({
      headcount: 2,
      supplementHeadcount: 2,
      normalCompany: '2624.00',
      normalPersonal: '1280.00',
      supplementCompany: '3936.00',
      supplementPersonal: '1920.00',
      differenceTotal: '-1560.00',
      lateFee: '12.50',
      companyTotal: '5520.00',
      personalTotal: '2680.00',
      total: '8212.50',
      items: {
        pension: { company: '5360.00', personal: '2680.00' },
        workInjury: { company: '160.00', personal: '0.00' },
      },
      actualTotal: '3902.00',
      diffTotal: '-2.00',
      diffCount: 1,
    })
  })

  it('equals the sum of its parts', () => {
    const cents = (...values: string[]) => values.reduce((sum, value) => sum + Math.round(Number(value) * 100), 0)
    const { normalCompany, normalPersonal, supplementCompany, supplementPersonal, differenceTotal, lateFee, total } =
      summary
    expect(cents(total)).toBe(
      cents(normalCompany, normalPersonal, supplementCompany, supplementPersonal, differenceTotal, lateFee),
    )
  })
})

describe('the table of the bureau', () => {
  const due = (key: string, total: string, reportedLate = false) => ({ key, total, reportedLate })

  it('is compared row by row, with late reported people first among the missing', () => {
    const table = [
      { key: 'b', total: '100.05' },
      { key: 'x', total: '80.00' },
      { key: 'a', total: '100.00' },
    ]
    const reconciled = reconcile(
      [due('a', '100.00'), due('b', '100.00'), due('c', '50.00'), due('d', '60.00', true)],
      table,
    )
    expect(reconciled.map(({ status, diff, due: line, actual }) => [line?.key ?? actual?.key, status, diff])).toEqual([
      ['b', 'different', '0.05'],
      ['x', 'extra', '80.00'],
      ['a', 'matched', '0.00'],
      ['d', 'missing', '-60.00'],
      ['c', 'missing', '-50.00'],
    ])
  })

  it.each([
    ['0.10', true],
    ['-0.10', true],
    ['0.11', false],
    ['-0.11', false],
    ['0.00', true],
  ])('a difference of %s is within 0.10: %s', (diff, expected) => {
    expect(isTolerated(diff, '0.10')).toBe(expected)
  })
})

describe('a locked month', () => {
  const row = (item: string, companyRate: string, personalRate: string | null): PolicyItem => ({
    item,
    enabled: true,
    baseFloor: '6821',
    baseCeiling: '35283',
    baseRound: 'halfUp0',
    amountMode: 'rate',
    rateMode: 'policy',
    companyRate,
    personalRate,
    companyFixed: null,
    personalFixed: null,
    companyRound: 'halfUp2',
    personalRound: 'halfUp2',
    tiers: [],
  })
  const rows = [row('pension', '16', '8'), row('unemployment', '0.5', '0.5'), row('workInjury', '0.4', null)]
  const items = rows.map(({ item: key }) => ({
    key,
    mandatory: true,
    sameRate: false,
    hasCompany: true,
    hasPersonal: key !== 'workInjury',
  }))
  const contributionsOn = (declaredBase: string) =>
    contributions({ items, baseMode: 'perItem', rows, ownRates: {} }, { declaredBase, choices: {}, about: aboutNobody })

  it('gets the difference if the base changes afterwards', () => {
    const change = difference(contributionsOn('12000'), contributionsOn('13500'))
    expect(change).toEqual({
      pension: { base: '13500.00', company: '240.00', personal: '120.00' },
      unemployment: { base: '13500.00', company: '7.50', personal: '7.50' },
      workInjury: { base: '13500.00', company: '6.00', personal: '0.00' },
    })
    expect(totals(Object.values(change))).toMatchObject({ companyTotal: '253.50', personalTotal: '127.50' })
  })

  it('gets a full refund if the person had left before', () => {
    expect(refund({ pension: { base: '8000.00', company: '1280.00', personal: '640.00' } })).toEqual({
      pension: { base: '8000.00', company: '-1280.00', personal: '-640.00' },
    })
  })
})
