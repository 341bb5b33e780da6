import { describe, expect, it } from 'vitest'
import { computeBudget, type BudgetTerms, type Planned } from './computeBudget.ts'
import type { FeeRule } from './fees.ts'
import { changeKind, expectLast, expectRoster, nothing, type Employed } from './roster.ts'

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
const fixed: FeeRule = { ...perHead, feeMode: 'fixed', unitPrice: null, fixedAmount: '500.00' }
const terms = (rest: Partial<BudgetTerms> = {}): BudgetTerms => ({
  month: '2026-03',
  contractNo: 'FW2026030001',
  rules: [perHead],
  tax: { taxMethod: 'diffSimple', taxRate: '5', surchargeRate: '12', taxBorne: 'exclusive' },
  ...rest,
})
const planned = (amounts: Partial<Planned['amounts']>, rest: Partial<Planned> = {}): Planned => ({
  isCompany: false,
  joinedOn: null,
  leftOn: null,
  amounts: { ...nothing, ...amounts },
  ...rest,
})
const sample = [
  planned({ wageAmount: '8000.00', socialAmount: '1352.00', medicalAmount: '760.00', fundAmount: '560.00' }),
  planned({ wageAmount: '6500.00', socialAmount: '1098.50', medicalAmount: '617.50', fundAmount: '455.00' }),
]

describe('a budget', () => {
  it('has the same total as an equal statement: the sample', () => {
    const { amounts, lines, rest, headcount } = computeBudget(sample, terms())
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
    })
    expect(
      lines.map(({ serviceFeeAmount, taxAmount, totalAmount }) => [serviceFeeAmount, taxAmount, totalAmount]),
    ).toEqual([
      ['120.00', '6.72', '10798.72'],
      ['120.00', '6.72', '8797.72'],
    ])
    expect([rest, headcount]).toEqual([null, 2])
  })

  it('charges the whole company in its first line, or in a separate one', () => {
    const own = computeBudget(sample, terms({ rules: [fixed] }))
    expect([own.rest?.serviceFeeAmount, own.rest?.totalAmount, own.amounts.totalAmount]).toEqual([
      '500.00',
      '528.00',
      '19871.00',
    ])
    const company = [
      planned({ otherBenefitAmount: '90.00' }, { isCompany: true }),
      ...sample,
      planned({ otherBenefitAmount: '10.00' }, { isCompany: true }),
    ]
    const given = computeBudget(company, terms({ rules: [fixed] }))
    expect([given.rest, given.headcount]).toEqual([null, 2])
    expect(given.lines.map(({ totalAmount }) => totalAmount)).toEqual(['618.00', '10672.00', '8671.00', '10.00'])
  })

  it('charges for planned joiners, and keeps lines with nothing or only an adjustment', () => {
    const { lines, headcount } = computeBudget([planned({}), planned({ adjustAmount: '-80.50' })], terms({ rules: [] }))
    expect([lines.map(({ adjustAmount, totalAmount }) => [adjustAmount, totalAmount]), headcount]).toEqual([
      [
        ['0.00', '0.00'],
        ['-80.50', '-80.50'],
      ],
      2,
    ])
    expect(computeBudget([planned({ wageAmount: '5000.00' })], terms()).amounts).toMatchObject({
      serviceFeeAmount: '120.00',
      totalAmount: '5126.72',
    })
  })

  it('takes no fee on adjustments', () => {
    const rule: FeeRule = { ...perHead, feeMode: 'percentage', unitPrice: null, ratePercent: '10', percentBase: 'wage' }
    expect(
      computeBudget([planned({ wageAmount: '1000.00', adjustAmount: '500.00' })], terms({ rules: [rule] })).amounts
        .serviceFeeAmount,
    ).toBe('100.00')
  })
})

const employed = (person: number, rest: Partial<Employed> = {}): Employed => ({
  person,
  baseSalary: '6200.00',
  isPaid: true,
  joinedOn: '2025-01-01',
  leftOn: null,
  ...rest,
})
const known = {
  wageAmount: '6500.00',
  socialAmount: '1000.00',
  medicalAmount: '600.00',
  fundAmount: '310.00',
  otherBenefitAmount: '5.00',
}
const months = { month: '2026-03', wageMonth: '2026-02' }
const expected = (people: Employed[], last: [number, typeof known][] = []) =>
  expectRoster(people, new Map(last), months).map(
    ({ person, amounts: { wageAmount, socialAmount, medicalAmount, fundAmount } }) => [
      person,
      wageAmount,
      socialAmount,
      medicalAmount,
      fundAmount,
    ],
  )

describe('the roster', () => {
  it('has the salary, and the insurance of the last statement', () => {
    expect(
      expected(
        [employed(1), employed(2, { isPaid: false })],
        [
          [1, known],
          [2, known],
        ],
      ),
    ).toEqual([
      [1, '6200.00', '1000.00', '600.00', '310.00'],
      [2, '0.00', '1000.00', '600.00', '310.00'],
    ])
  })

  it('insures joiners in proportion to the salary, rounded half up, or not at all without reference', () => {
    expect(
      expected([employed(1), employed(2, { baseSalary: '3100.05', joinedOn: '2026-03-09' })], [[1, known]])[1],
    ).toEqual([2, '0.00', '500.01', '300.00', '155.00'])
    expect(expected([employed(2)])).toEqual([[2, '6200.00', '0.00', '0.00', '0.00']])
  })

  it('pays for the days of the wage month, and insures people present in the insurance month', () => {
    expect(
      expected(
        [
          employed(1, { leftOn: '2026-02-14' }),
          employed(2, { joinedOn: '2026-02-15' }),
          employed(3, { leftOn: '2026-01-31' }),
          employed(4, { joinedOn: '2026-04-01' }),
        ],
        [[1, known]],
      ),
    ).toEqual([
      [1, '3100.00', '0.00', '0.00', '0.00'],
      [2, '3100.00', '1000.00', '600.00', '310.00'],
    ])
  })
})

describe('the last statement', () => {
  it('gives recurring amounts of people who have not left before', () => {
    const people = [employed(1), employed(2), employed(3, { leftOn: '2026-01-31' })]
    expect(
      expectLast(
        people,
        new Map([
          [1, known],
          [3, known],
        ]),
        months,
      ),
    ).toEqual([{ person: 1, amounts: { ...nothing, ...known } }])
  })

  it('distinguishes joiners, leavers and changes', () => {
    const kind = (leftOn: string | null, previous: string | null) =>
      changeKind({ leftOn }, previous, '100.00', '2026-03')
    expect([
      kind(null, null),
      kind('2026-03-31', '100.00'),
      kind('2026-04-01', '100.00'),
      kind(null, '100'),
      kind(null, '99.99'),
    ]).toEqual(['joiner', 'leaver', 'same', 'same', 'changed'])
  })
})
