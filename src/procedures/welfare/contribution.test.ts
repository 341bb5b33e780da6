import { describe, expect, it } from 'vitest'
import { Decimal } from '../../../engine/expression/index.ts'
import { type About, aboutNobody, aboutOf } from './about.ts'
import { clamped, contributions, totals, type Choice, type Item, type PolicyItem } from './contribution.ts'
import { roundBy } from './rounding.ts'

const item = (key: string, rest: Partial<Item> = {}): Item => ({
  key,
  mandatory: true,
  sameRate: false,
  hasCompany: true,
  hasPersonal: true,
  ...rest,
})
const row = (
  key: string,
  [baseFloor, baseCeiling]: [string | null, string | null],
  [companyRate, personalRate]: [string | null, string | null],
  rest: Partial<PolicyItem> = {},
): PolicyItem => ({
  item: key,
  enabled: true,
  baseFloor,
  baseCeiling,
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
  ...rest,
})
interface Rest {
  baseMode?: string
  choices?: Record<string, Choice>
  ownRates?: Record<string, string>
  items?: Partial<Item>
  about?: Partial<About>
}

/** [base, company, personal] of each item. */
function amounts(
  rows: PolicyItem[],
  declaredBase: string | null,
  { baseMode = 'perItem', choices = {}, ownRates = {}, items = {}, about = {} }: Rest = {},
) {
  const given = contributions(
    { items: rows.map((each) => item(each.item, items)), baseMode, rows, ownRates },
    { declaredBase, choices, about: { ...aboutNobody, ...about } },
  )
  return Object.values(given).map(({ base, company, personal }) => [base, company, personal])
}

const beijing: [string, string] = ['6821', '35283']
const social = (
  limits: [string, string],
  round = 'halfUp2',
  [unemployment, injury] = [['0.5', '0.5'], '0.4'] as [[string, string], string],
) => [
  row('pension', limits, ['16', '8'], { companyRound: round, personalRound: round }),
  row('unemployment', limits, unemployment, { companyRound: round, personalRound: round }),
  row('workInjury', limits, [injury, null], { companyRound: round, personalRound: round }),
]

/** Each item's amounts for a declared base of 9,000. */
const together = (items: Item[], rows: PolicyItem[], choices: Record<string, Choice> = {}) =>
  contributions(
    { items, baseMode: 'perItem', rows, ownRates: {} },
    { declaredBase: '9000', choices, about: aboutNobody },
  )

describe('an item that follows another', () => {
  const rows = [
    row('pension', ['1', '8050'], ['10', '5'], { baseRound: 'halfUp2' }),
    row('care', ['1', null], ['1', '1']),
    row('levy', ['1', null], ['0.15', null]),
  ]
  const levy = item('levy', { hasPersonal: false, company: 'pensionBase * companyRate / 100 + carePersonal * 0.1' })

  it('uses its base and amounts as charged, within its limits and rounded', () => {
    const given = together([item('pension'), item('care'), levy], rows)
    expect(given.pension).toEqual({ base: '8050.00', company: '805.00', personal: '402.50' })
    expect(given.levy.company).toBe('21.08')
  })

  it('gets nothing from an item that is not chosen, and can depend on it', () => {
    const pension = item('pension', { mandatory: false })
    const charged = { ...levy, company: 'pensionCompany * 0.1', eligible: 'pensionCompany > 0' }
    const levyIf = (on: boolean) => together([pension, charged], rows, { pension: { on } }).levy
    expect(levyIf(true)).toEqual({ base: '9000.00', company: '80.50', personal: '0.00' })
    expect(levyIf(false)).toEqual({ base: null, company: '0.00', personal: '0.00' })
  })
})

describe('an item whose formula gives less than zero', () => {
  const rows = [row('pension', ['1', null], ['10', null]), row('correction', ['1', null], ['0', null])]
  const correction = item('correction', { hasPersonal: false, company: '899.25 - pensionCompany' })
  const given = (negativeItem: Item) =>
    together([item('pension', { hasPersonal: false }), negativeItem], rows).correction.company

  it('charges nothing', () => {
    expect(given(correction)).toBe('0.00')
  })

  it('takes back what an earlier item has too much, if the family says that it may', () => {
    expect(given({ ...correction, negative: true })).toBe('-0.75')
  })
})

describe('the samples of the specification', () => {
  it('Beijing below the floor', () => {
    expect(amounts(social(beijing), '5000')).toEqual([
      ['6821.00', '1091.36', '545.68'],
      ['6821.00', '34.11', '34.11'],
      ['6821.00', '27.28', '0.00'],
    ])
  })

  it('Beijing between the limits, with medical insurance', () => {
    expect(amounts([...social(beijing), row('medical', beijing, ['9.8', '2'])], '8000')).toEqual([
      ['8000.00', '1280.00', '640.00'],
      ['8000.00', '40.00', '40.00'],
      ['8000.00', '32.00', '0.00'],
      ['8000.00', '784.00', '160.00'],
    ])
  })

  it('Shanghai, where amounts are rounded up to 0.1', () => {
    const limits: [string, string] = ['7384', '36921']
    const rows = [
      ...social(limits, 'ceil1', [['0.5', '0.5'], '0.26']),
      row('medical', limits, ['9', '2'], { companyRound: 'ceil1', personalRound: 'ceil1' }),
    ]
    expect(amounts(rows, '7000')).toEqual([
      ['7384.00', '1181.50', '590.80'],
      ['7384.00', '37.00', '37.00'],
      ['7384.00', '19.20', '0.00'],
      ['7384.00', '664.60', '147.70'],
    ])
  })

  it('Shenzhen, where unemployment has separate limits', () => {
    expect(
      amounts(
        [row('pension', ['4492', '27501'], ['16', '8']), row('unemployment', ['2360', '41190'], ['0.8', '0.2'])],
        '4000',
      ),
    ).toEqual([
      ['4492.00', '718.72', '359.36'],
      ['4000.00', '32.00', '8.00'],
    ])
  })

  it('Shenzhen medical, by tier', () => {
    const tier = (tierCode: string, companyRate: string, personalRate: string) => ({
      tierCode,
      companyRate,
      personalRate,
      companyFixed: null,
      personalFixed: null,
      isDefault: tierCode === 't1',
    })
    const medical = row('medical', ['6475', '32375'], [null, null], {
      rateMode: 'tier',
      tiers: [tier('t1', '5', '2'), tier('t2', '1.5', '0.5')],
    })
    expect(amounts([medical], '6000', { choices: { medical: { on: true, tier: 't1' } } })).toEqual([
      ['6475.00', '323.75', '129.50'],
    ])
    expect(amounts([medical], '6000', { choices: { medical: { on: true, tier: 't2' } } })).toEqual([
      ['6475.00', '97.13', '32.38'],
    ])
    expect(amounts([medical], '6000')).toEqual([['6475.00', '323.75', '129.50']])
  })

  it('Beijing fund, to the yuan', () => {
    const fund = row('fund', ['2420', '35283'], ['7', '7'], {
      rateMode: 'range',
      companyRound: 'halfUp0',
      personalRound: 'halfUp0',
    })
    const chosen = { baseMode: 'shared', items: { sameRate: true }, choices: { fund: { on: true, companyRate: '12' } } }
    expect(amounts([fund], '8765', chosen)).toEqual([['8765.00', '1052.00', '1052.00']])
    expect(amounts([fund], '40000', chosen)).toEqual([['35283.00', '4234.00', '4234.00']])
    expect(amounts([fund], '8765', { baseMode: 'shared' })).toEqual([['8765.00', '614.00', '614.00']])
  })
})

describe('modes', () => {
  const fixed = (rest: Partial<PolicyItem>) =>
    row('aid', [null, null], ['1', '1'], { amountMode: 'fixed', companyFixed: '0', personalFixed: '3.00', ...rest })

  it('a fixed amount needs no base, and has none with base mode none', () => {
    expect(amounts([fixed({})], '8000')).toEqual([[null, '0.00', '3.00']])
    expect(amounts([fixed({})], null, { baseMode: 'none' })).toEqual([[null, '0.00', '3.00']])
  })

  it('a fixed amount may be combined with a rate, rounded once', () => {
    expect(amounts([fixed({ amountMode: 'both', companyFixed: '2.55', companyRound: 'halfUp1' })], '1000')).toEqual([
      ['1000.00', '12.60', '13.00'],
    ])
  })

  it('a tier has its own fixed amount', () => {
    const tiers = [
      {
        tierCode: 'a',
        companyRate: null,
        personalRate: null,
        companyFixed: '180.00',
        personalFixed: '20.00',
        isDefault: true,
      },
    ]
    expect(amounts([fixed({ rateMode: 'tier', tiers })], '8000')).toEqual([[null, '180.00', '20.00']])
  })

  it("the account's own rate has priority over all others, for the company alone", () => {
    expect(amounts(social(beijing), '8000', { ownRates: { workInjury: '0.9' } })[2]).toEqual([
      '8000.00',
      '72.00',
      '0.00',
    ])
  })

  it('an item that is disabled, not in the policy, or optional and not chosen is zero', () => {
    const maternity = row('maternity', beijing, ['0.8', null])
    expect(amounts([{ ...maternity, enabled: false }], '8000')).toEqual([[null, '0.00', '0.00']])
    expect(amounts([maternity], '8000', { items: { mandatory: false } })).toEqual([[null, '0.00', '0.00']])
    expect(amounts([maternity], '8000', { items: { mandatory: false }, choices: { maternity: { on: true } } })).toEqual(
      [['8000.00', '64.00', '0.00']],
    )
    expect(
      contributions(
        { items: [item('gone')], baseMode: 'perItem', rows: [], ownRates: {} },
        { declaredBase: '8000', choices: {}, about: aboutNobody },
      ),
    ).toEqual({ gone: { base: null, company: '0.00', personal: '0.00' } })
  })

  it('a side that an item does not have is zero', () => {
    expect(amounts([row('pension', beijing, ['16', '8'])], '8000', { items: { hasPersonal: false } })).toEqual([
      ['8000.00', '1280.00', '0.00'],
    ])
    expect(amounts([row('pension', beijing, ['16', '8'])], '8000', { items: { hasCompany: false } })).toEqual([
      ['8000.00', '0.00', '640.00'],
    ])
  })
})

it('a base between the limits is rounded, and a limit never', () => {
  const base = (declared: string, limits: [string, string] = ['4491.60', '35282.40']) =>
    clamped(row('pension', limits, [null, null]), declared).toFixed(2)
  expect([base('13520.49'), base('13520.50'), base('100'), base('99999')]).toEqual([
    '13520.00',
    '13521.00',
    '4491.60',
    '35282.40',
  ])
  expect(clamped({ baseFloor: null, baseCeiling: null, baseRound: 'ceil0' }, '5000.01').toFixed(2)).toBe('5001.00')
})

it.each([
  ['halfUp2', '34.105', '34.11'],
  ['halfUp2', '34.1049', '34.1'],
  ['halfUp1', '12.25', '12.3'],
  ['ceil1', '36.91', '37'],
  ['ceil1', '36.9', '36.9'],
  ['halfUp0', '1051.8', '1052'],
  ['halfUp0', '1051.5', '1052'],
  ['ceil0', '1051.01', '1052'],
  ['ceil0', '1051', '1051'],
  ['floor2', '97.129', '97.12'],
])('%s rounds %s to %s', (rule, value, expected) => {
  expect(roundBy(rule, new Decimal(value)).toString()).toBe(expected)
})

it('totals add up rounded amounts', () => {
  expect(
    totals([
      { company: '1091.36', personal: '545.68' },
      { company: '34.11', personal: '34.11' },
      { company: '27.28', personal: '0.00' },
    ]),
  ).toEqual({ companyTotal: '1152.75', personalTotal: '579.79', total: '1732.54' })
})

describe('formulas of an item', () => {
  const limits: [string, string] = ['7100', '30000']
  const mpf = (declared: string, items: Partial<Item>) =>
    amounts([row('mandatory', limits, ['5', '5'])], declared, { items })[0]

  it('set its limits instead of those of the policy', () => {
    const items = { floor: 'baseFloor / 2', cap: 'declaredBase > 50000 ? baseCeiling * 2 : baseCeiling' }
    expect(mpf('3000', items)).toEqual(['3550.00', '177.50', '177.50'])
    expect(mpf('4000', items)).toEqual(['4000.00', '200.00', '200.00'])
    expect(mpf('40000', items)).toEqual(['30000.00', '1500.00', '1500.00'])
    expect(mpf('80000', items)).toEqual(['60000.00', '3000.00', '3000.00'])
  })

  it('set what a side pays, rounded by the policy and never negative', () => {
    const exempt = { floor: '0', personal: 'declaredBase < baseFloor ? 0 : base * personalRate / 100' }
    expect(mpf('7099', exempt)).toEqual(['7099.00', '354.95', '0.00'])
    expect(mpf('7100', exempt)).toEqual(['7100.00', '355.00', '355.00'])
    expect(mpf('12345.67', { company: 'base * companyRate / 300' })).toEqual(['12346.00', '205.77', '617.30'])
    expect(mpf('8000', { company: 'base - 9000' })).toEqual(['8000.00', '0.00', '400.00'])
  })

  it('without a result are ignored', () => {
    expect(mpf('8000', { cap: 'baseCeiling / 0', company: 'companyFixed * 2' })).toEqual(['8000.00', '0.00', '400.00'])
  })

  it("make the company's share depend on the person's", () => {
    const match = { company: 'min(personal, base * 0.06) / 2' }
    expect(mpf('10000', match)).toEqual(['10000.00', '250.00', '500.00'])
    expect(mpf('10000', { ...match, personal: 'base * 0.08' })).toEqual(['10000.00', '300.00', '800.00'])
  })

  it('decide who is charged, and unknown facts exclude nobody', () => {
    const adults = { eligible: "age >= 18 && serviceMonths >= 2 && nationality != '外国'" }
    const companyAmount = (about: Partial<About>) =>
      amounts([row('mandatory', limits, ['5', '5'])], '8000', { items: adults, about })[0][1]
    expect(companyAmount({ age: '18', serviceMonths: '2', nationality: '中国' })).toBe('400.00')
    expect(companyAmount({ age: '17', serviceMonths: '2', nationality: '中国' })).toBe('0.00')
    expect(companyAmount({ age: '18', serviceMonths: '1', nationality: '中国' })).toBe('0.00')
    expect(companyAmount({ age: '18', serviceMonths: '2', nationality: '外国' })).toBe('0.00')
    expect(companyAmount({})).toBe('400.00')
  })
})

describe('bands', () => {
  const band = (from: string, companyRate: string, isDefault = false) => ({
    tierCode: `b${from}`,
    from,
    companyRate,
    personalRate: '20',
    companyFixed: '7.00',
    personalFixed: null,
    isDefault,
  })
  const tiers = [band('55', '15.5'), band('0', '17', true), band('60', '12')]
  const at = (age: string | null, rest: Partial<PolicyItem> = {}) =>
    amounts([row('fund', ['50', '7400'], [null, null], { rateMode: 'band', tiers, ...rest })], '5000', {
      items: { bandBy: 'age' },
      about: { age },
    })[0][1]

  it('are chosen by a number: the last that begins at or below it', () => {
    expect([at('20'), at('54'), at('55'), at('59'), at('60'), at('80')]).toEqual([
      '850.00',
      '850.00',
      '775.00',
      '775.00',
      '600.00',
      '600.00',
    ])
    expect(at('55', { amountMode: 'fixed' })).toBe('7.00')
  })

  it('use the default for an unknown number, and none below the first', () => {
    expect(at(null)).toBe('850.00')
    expect(at('20', { tiers: [band('55', '15.5')] })).toBe('0.00')
  })
})

it('age rises in the month after the birthday, and service counts from the month of entry', () => {
  const person = { birthDate: '1970-03-01', entryDate: '2025-02-28', nationality: '中国' }
  const in2025 = (month: string) => {
    const { age, serviceMonths, calendarMonth } = aboutOf(person, `2025-${month}`)
    return [age, serviceMonths, calendarMonth]
  }
  expect([in2025('02'), in2025('03'), in2025('04')]).toEqual([
    ['54', '0', '2'],
    ['54', '1', '3'],
    ['55', '2', '4'],
  ])
})
