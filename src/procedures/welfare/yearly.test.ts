import { describe, expect, it } from 'vitest'
import { aboutNobody } from './about.ts'
import { dueIn, refundAfter, type Charged, type PayCycle } from './yearly.ts'

const yearly: PayCycle = {
  item: 'aid',
  payCycle: 'year',
  payMonth: 1,
  annualRule: 'prorata',
  annualRefund: 'prorata',
  companyRound: 'halfUp2',
  personalRound: 'halfUp2',
}
const amounts = {
  aid: { base: null, company: '1200.00', personal: '36.00' },
  pension: { base: '8000.00', company: '1280.00', personal: '640.00' },
}
const due = (month: string, startMonth: string, rest: Partial<PayCycle> = {}) =>
  dueIn(month, startMonth, amounts, [{ ...yearly, ...rest }]).aid
/** The refund for a year charged in full in its month, or as given. */
const back = (
  lastMonth: string,
  rest: Partial<PayCycle> = {},
  charged: Partial<Charged> = {},
  formula: string | null = null,
) =>
  refundAfter(
    lastMonth,
    {
      aid: {
        month: `${rest.payMonth === 7 ? 2025 : 2026}-${String(rest.payMonth ?? 1).padStart(2, '0')}`,
        amounts: amounts.aid,
        whole: amounts.aid,
        ...charged,
      },
    },
    [
      { ...yearly, ...rest },
      { ...yearly, item: 'other' },
    ],
    { items: [{ key: 'aid', refund: formula }], about: { ...aboutNobody, serviceMonths: '14' } },
  )

describe('an item paid once a year', () => {
  it('is charged in its month, and in no other', () => {
    expect(due('2026-01', '2024-09')).toEqual(amounts.aid)
    expect(due('2026-02', '2024-09')).toMatchObject({ company: '0.00', personal: '0.00' })
  })

  it('is charged in proportion to later joiners', () => {
    expect(due('2026-09', '2026-09')).toMatchObject({ company: '400.00', personal: '12.00' })
    expect(due('2026-10', '2026-09')).toMatchObject({ company: '0.00' })
    expect(due('2026-12', '2026-12')).toMatchObject({ company: '100.00', personal: '3.00' })
  })

  it('may be charged to them in full', () => {
    expect(due('2026-09', '2026-09', { annualRule: 'full' })).toEqual(amounts.aid)
  })

  it('follows an item year that begins in July', () => {
    expect(due('2026-07', '2020-01', { payMonth: 7 })).toEqual(amounts.aid)
    expect(due('2026-05', '2026-05', { payMonth: 7 })).toMatchObject({ company: '200.00' })
    expect(due('2026-09', '2026-09', { payMonth: 7 })).toMatchObject({ company: '1000.00' })
  })

  it('may be charged per quarter or half-year, in cycles from its payment month', () => {
    const quarter = { payCycle: 'quarter', payMonth: 2 }
    expect(due('2026-02', '2020-01', quarter)).toEqual(amounts.aid)
    expect(due('2026-05', '2020-01', quarter)).toEqual(amounts.aid)
    expect(due('2026-01', '2020-01', quarter)).toMatchObject({ company: '0.00' })
    expect(due('2026-04', '2026-04', quarter)).toMatchObject({ company: '400.00' })
    expect(due('2026-01', '2026-01', quarter)).toMatchObject({ company: '400.00' })
    const half = { payCycle: 'halfYear', payMonth: 1 }
    expect(due('2026-07', '2020-01', half)).toEqual(amounts.aid)
    expect(due('2026-10', '2026-10', half)).toMatchObject({ company: '600.00' })
    expect(back('2026-02', quarter, { month: '2026-02' }).aid).toMatchObject({ company: '-800.00' })
    expect(back('2026-04', quarter, { month: '2026-02' }).aid).toMatchObject({ company: '0.00' })
  })

  it('may be charged once, in the first month, without a refund', () => {
    const once = { payCycle: 'once', payMonth: null, annualRule: null, annualRefund: null }
    expect(due('2026-09', '2026-09', once)).toEqual(amounts.aid)
    expect([due('2026-10', '2026-09', once).company, due('2027-09', '2026-09', once).company]).toEqual(['0.00', '0.00'])
    expect(
      refundAfter(
        '2026-09',
        { aid: { month: '2026-09', amounts: amounts.aid, whole: amounts.aid } },
        [{ ...yearly, ...once }],
        { items: [], about: aboutNobody },
      ),
    ).toEqual({})
  })

  it('does not affect items paid every month', () => {
    expect(dueIn('2026-02', '2020-01', amounts, [yearly]).pension).toEqual(amounts.pension)
    expect(due('2026-02', '2020-01', { payCycle: 'month' })).toEqual(amounts.aid)
  })
})

describe('a leaver', () => {
  it("gets the refund of the item's formula, rounded and never more than was charged", () => {
    const shortened = 'unusedMonths >= 6 ? wholeCycle * unusedMonths / cycleMonths * 0.8 : 0'
    expect(back('2026-05', {}, {}, shortened).aid).toMatchObject({ company: '-560.00', personal: '-16.80' })
    expect(back('2026-05', { annualRefund: 'none' }, {}, shortened).aid).toMatchObject({ company: '-560.00' })
    expect(back('2026-09', {}, {}, shortened).aid).toMatchObject({ company: '0.00', personal: '0.00' })
    expect(back('2026-09', {}, {}, 'charged / 7').aid).toMatchObject({ company: '-171.43', personal: '-5.14' })
    expect(back('2026-09', {}, {}, 'charged * 2').aid).toMatchObject({ company: '-1200.00', personal: '-36.00' })
    expect(back('2026-09', {}, {}, 'serviceMonths < 12 ? charged : -5').aid).toMatchObject({ company: '0.00' })
    expect(back('2026-09', {}, {}, 'age * charged').aid, 'nobody knows the age').toMatchObject({ company: '0.00' })
  })

  it('gets a refund for the months after the last one', () => {
    expect(back('2026-09')).toEqual({ aid: { base: null, company: '-300.00', personal: '-9.00' } })
    expect(back('2026-05', { payMonth: 7 }).aid).toMatchObject({ company: '-100.00' })
    expect(back('2026-12').aid).toMatchObject({ company: '0.00' })
  })

  it('gets a refund based on the whole year even if only a part was charged', () => {
    const joined = { month: '2026-04', amounts: { base: null, company: '900.00', personal: '27.00' } }
    expect(back('2026-09', {}, joined).aid).toMatchObject({ company: '-300.00', personal: '-9.00' })
    const odd = {
      month: '2026-06',
      amounts: { base: null, company: '58.33', personal: '0.00' },
      whole: { base: null, company: '100.00', personal: '0.00' },
    }
    expect(back('2026-07', {}, odd).aid).toMatchObject({ company: '-41.67' })
  })

  it('gets a refund based on the charged amount if a user changed it', () => {
    const changed = { month: '2026-04', amounts: { base: null, company: '450.00', personal: '0.00' } }
    expect(back('2026-09', {}, changed).aid).toMatchObject({ company: '-150.00', personal: '0.00' })
  })

  it('may get no refund', () => {
    expect(back('2026-09', { annualRefund: 'none' }).aid).toMatchObject({ company: '0.00', personal: '0.00' })
  })
})
