import { describe, expect, it } from 'vitest'
import { decimal } from '../money/amounts.ts'
import type { FeeCategory } from './feeItems.ts'
import { feesOf, type Fees, headShare, type FeeRule, type Head, noFees } from './fees.ts'
import { servicesOf } from './services.ts'
import type { StatementItem } from './StatementItem.ts'

const none: FeeRule = {
  feeMode: 'none',
  chargeRule: 'fullMonth',
  unitPrice: null,
  ratePercent: null,
  percentBase: null,
  fixedAmount: null,
  tiers: [],
  minAmount: null,
  maxAmount: null,
}
const head = (person: number, rest: Partial<Head> = {}): Head => ({
  person,
  joinedOn: null,
  leftOn: null,
  workedDays: null,
  ...rest,
})
const cost = (person: number | null, feeItem: string, amount: string, party = 'company'): StatementItem => ({
  person,
  feeItem,
  party,
  costMonth: '2026-03',
  amount,
  sourceType: 'payroll',
  sourceId: null,
})
const heads = [head(1), head(2)]

/** [person, amount] of each fee. */
const fees = (
  rule: Partial<FeeRule>,
  { heads: charged = heads, costs = [] }: { heads?: Head[]; costs?: StatementItem[] } = {},
) =>
  feesOf([{ ...none, ...rule }], { billMonth: '2026-03', contractNo: 'FW2026030001', costs, heads: charged }).map(
    ({ person, amount }) => [person, amount],
  )

describe('fee modes', () => {
  it('a fee per head is charged for each person', () => {
    expect(fees({ feeMode: 'perHead', unitPrice: '120.00' })).toEqual([
      [1, '120.00'],
      [2, '120.00'],
    ])
  })

  it.each([
    ['wage', '700.00'],
    ['passThrough', '796.25'],
    ['total', '803.25'],
  ])('a percentage of %s is charged to the company', (percentBase, expected) => {
    const costs = [
      cost(1, 'grossWage', '8000.00'),
      cost(2, 'grossWage', '6000.00'),
      cost(1, 'pension', '1925.00'),
      cost(1, 'pension', '640.00', 'personal'),
      cost(null, 'extraService', '140.00'),
    ]
    expect(fees({ feeMode: 'percentage', ratePercent: '5', percentBase }, { costs })).toEqual([[null, expected]])
  })

  it('a fixed amount is charged to the company', () => {
    expect(fees({ feeMode: 'fixed', fixedAmount: '3000.00' })).toEqual([[null, '3000.00']])
  })

  it('the tier of the whole headcount prices every head', () => {
    const tiers = [
      { from: 1, to: 2, price: '150.00' },
      { from: 3, to: null, price: '130.00' },
    ]
    expect(fees({ feeMode: 'tiered', tiers })).toEqual([
      [1, '150.00'],
      [2, '150.00'],
    ])
    // Half a head still counts as one of three.
    expect(
      fees(
        { feeMode: 'tiered', tiers, chargeRule: 'halfMonth' },
        { heads: [...heads, head(3, { joinedOn: '2026-03-20' })] },
      ),
    ).toEqual([
      [1, '130.00'],
      [2, '130.00'],
      [3, '65.00'],
    ])
    // A person charged for two months is one head.
    expect(fees({ feeMode: 'tiered', tiers }, { heads: [...heads, head(2, { month: '2026-02' })] })).toEqual([
      [1, '150.00'],
      [2, '150.00'],
      [2, '150.00'],
    ])
  })

  it('a free service has no item', () => {
    expect(fees({ feeMode: 'none', minAmount: '500.00' })).toEqual([])
  })

  it('every rule has its own items', () => {
    const rules = [
      { ...none, feeMode: 'perHead', unitPrice: '60.00' },
      { ...none, feeMode: 'fixed', fixedAmount: '500.00' },
    ]
    expect(
      feesOf(rules, { billMonth: '2026-03', contractNo: 'FW2026030001', costs: [], heads: [head(1)] }),
    ).toMatchObject([
      {
        person: 1,
        amount: '60.00',
        feeItem: 'serviceFee',
        party: 'company',
        costMonth: '2026-03',
        sourceType: 'contractFee',
        sourceId: 'FW2026030001',
      },
      { person: null, amount: '500.00' },
    ])
  })
})

describe('minimum and maximum', () => {
  it('charge the difference to the company', () => {
    expect(fees({ feeMode: 'perHead', unitPrice: '120.00', minAmount: '500.00' })).toEqual([
      [1, '120.00'],
      [2, '120.00'],
      [null, '260.00'],
    ])
    expect(fees({ feeMode: 'perHead', unitPrice: '120.00', maxAmount: '200.00' })).toEqual([
      [1, '120.00'],
      [2, '120.00'],
      [null, '-40.00'],
    ])
    expect(fees({ feeMode: 'fixed', fixedAmount: '100.00', minAmount: '150.00', maxAmount: '180.00' })).toEqual([
      [null, '150.00'],
    ])
    expect(
      fees(
        { feeMode: 'percentage', ratePercent: '8', percentBase: 'wage', maxAmount: '300.00' },
        { costs: [cost(1, 'grossWage', '5000.00')] },
      ),
    ).toEqual([[null, '300.00']])
  })
})

describe('several services', () => {
  const [dispatched, insured] = [new Set(['dispatch']), new Set(['insuranceAgency'])]
  const served = [head(1, { services: dispatched }), head(2, { services: insured })]

  it('are each charged for the people who have them', () => {
    expect(fees({ feeMode: 'perHead', unitPrice: '30.00', serviceType: 'insuranceAgency' }, { heads: served })).toEqual(
      [[2, '30.00']],
    )
  })

  it('have a percentage of the costs of their people, and of the company', () => {
    const costs = [cost(1, 'grossWage', '8000.00'), cost(2, 'pension', '1000.00'), cost(null, 'unionFee', '100.00')]
    const rule = { feeMode: 'percentage', ratePercent: '5', percentBase: 'total', serviceType: 'insuranceAgency' }
    expect(fees(rule, { heads: served, costs })).toEqual([[null, '55.00']])
  })

  it("follow from a person's employment form and billed items", () => {
    const types = ['dispatch', 'insuranceAgency', 'payrollAgency', 'commercialInsurance']
    const servicesFor = (employmentForm: string, feeItems: string[], categories: FeeCategory[]) => [
      ...servicesOf(types, {
        employmentForm,
        feeItems: new Set(feeItems),
        categories: new Set(categories),
        hasJoined: false,
      }),
    ]
    expect(servicesFor('dispatch', ['grossWage', 'pension'], ['wage', 'social'])).toEqual(['dispatch'])
    expect(servicesFor('agency', ['pension', 'commercialInsurance'], ['social', 'otherBenefit'])).toEqual([
      'insuranceAgency',
      'commercialInsurance',
    ])
    expect(servicesFor('agency', ['grossWage'], ['wage'])).toEqual(['payrollAgency'])
    expect(servicesFor('internal', [], []), 'nobody is served for nothing').toEqual(['dispatch'])
    expect([
      ...servicesOf(['recruitment'], {
        employmentForm: 'agency',
        feeItems: new Set(),
        categories: new Set(),
        hasJoined: false,
      }),
    ]).toEqual(['recruitment'])
  })
})

describe('a minimum is of each month', () => {
  const rule: FeeRule = { ...none, feeMode: 'perHead', unitPrice: '120.00', minAmount: '300.00' }
  const charged = (elsewhere: Record<string, Fees>, rest: { isWhole?: (month: string) => boolean } = {}) =>
    feesOf([rule], {
      billMonth: '2026-03',
      contractNo: 'C1',
      costs: [],
      heads: [head(1, { month: '2026-02' }), head(1)],
      elsewhere: (_, month) => elsewhere[month] ?? noFees,
      ...rest,
    }).map(({ person, costMonth, amount }) => [person, costMonth, amount])
  const fee = (heads: string, company: string) => ({ heads: decimal(heads), company: decimal(company) })
  const march = [
    [1, '2026-02', '120.00'],
    [1, '2026-03', '120.00'],
  ]

  it('a late head of a month that reached it does not count for another', () => {
    expect(charged({ '2026-02': fee('360', '0') })).toEqual([...march, [null, '2026-03', '180.00']])
  })

  it('a late head of a month that was charged it counts for that', () => {
    expect(charged({ '2026-02': fee('120', '180') })).toEqual([
      ...march,
      [null, '2026-02', '-120.00'],
      [null, '2026-03', '180.00'],
    ])
  })

  it('a maximum holds for late heads of a month without a statement of its own', () => {
    const most: FeeRule = { ...rule, minAmount: null, maxAmount: '200.00' }
    const fees = feesOf([most], {
      billMonth: '2026-03',
      contractNo: 'C1',
      costs: [],
      heads: [head(1, { month: '2026-02' })],
      isWhole: (month) => month === '2026-03',
      elsewhere: (_, month) => (month === '2026-02' ? fee('200', '0') : noFees),
    })
    expect(fees.map(({ costMonth, amount }) => [costMonth, amount])).toEqual([
      ['2026-02', '120.00'],
      ['2026-02', '-120.00'],
    ])
  })

  it('none is due for a month that is not charged as such', () => {
    expect(charged({}, { isWhole: (month) => month === '2026-03' })).toEqual([...march, [null, '2026-03', '180.00']])
  })

  it('a missed month is charged once', () => {
    const fixed = { ...none, feeMode: 'fixed', fixedAmount: '900.00' }
    const missed = (elsewhere: Fees) =>
      feesOf([fixed], {
        billMonth: '2026-03',
        contractNo: 'C1',
        costs: [],
        heads: [],
        missed: ['2026-02'],
        elsewhere: (_, month) => (month === '2026-02' ? elsewhere : noFees),
      }).map(({ costMonth, amount }) => [costMonth, amount])
    const own = ['2026-03', '900.00']
    expect([missed(noFees), missed(fee('0', '900'))]).toEqual([[['2026-02', '900.00'], own], [own]])
  })
})

describe('part of a month', () => {
  it.each<[string, string, Partial<Head>, string]>([
    ['the whole month whatever happened', 'fullMonth', { joinedOn: '2026-03-31' }, '1'],
    ['joined on the 15th', 'halfMonth', { joinedOn: '2026-03-15' }, '1'],
    ['joined after the 15th', 'halfMonth', { joinedOn: '2026-03-16' }, '0.5'],
    ['left on the 15th', 'halfMonth', { leftOn: '2026-03-15' }, '0.5'],
    ['left after the 15th', 'halfMonth', { leftOn: '2026-03-16' }, '1'],
    ['left in an earlier month', 'halfMonth', { leftOn: '2026-02-20' }, '0'],
    ['left in an earlier month, the whole month', 'fullMonth', { leftOn: '2026-02-28' }, '0'],
    ['joins in a later month', 'fullMonth', { joinedOn: '2026-04-01' }, '0'],
    ['all days', 'byDay', { joinedOn: '2025-01-01' }, '1'],
    ['from the 17th', 'byDay', { joinedOn: '2026-03-17' }, '0.48387'],
    ['to the 10th', 'byDay', { leftOn: '2026-03-10' }, '0.32258'],
    ['gone before', 'byDay', { leftOn: '2026-02-10' }, '0'],
    ['days that were entered', 'byDay', { joinedOn: '2026-03-17', workedDays: 10 }, '0.32258'],
    ['no more days than there are', 'byDay', { workedDays: 31 }, '1'],
  ])('%s', (_, chargeRule, rest, share) => {
    expect(headShare(chargeRule, '2026-03', head(1, rest)).toDecimalPlaces(5).toFixed()).toBe(share)
  })

  it('is judged for the month of the head', () => {
    const left = head(2, { leftOn: '2026-02-14', month: '2026-02' })
    expect(
      fees({ feeMode: 'perHead', unitPrice: '120.00', chargeRule: 'halfMonth' }, { heads: [head(1), left] }),
    ).toEqual([
      [1, '120.00'],
      [2, '60.00'],
    ])
  })

  it('leaves the rounding difference to the last head', () => {
    const third = { joinedOn: '2026-03-17' }
    // 120 × 15 / 31 = 58.0645 each; three are 174.19, not 174.18.
    expect(
      fees(
        { feeMode: 'perHead', unitPrice: '120.00', chargeRule: 'byDay' },
        { heads: [head(1, third), head(2, third), head(3, third)] },
      ),
    ).toEqual([
      [1, '58.06'],
      [2, '58.06'],
      [3, '58.07'],
    ])
  })
})
