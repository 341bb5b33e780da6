import { expect, test } from 'vitest'
import { otherCharges, type Charges, withCharges, withoutCharges } from './statementCharges.ts'

const cost = { feeItem: 'pension', sourceType: 'socialExpense' }
const charges: Charges[] = [
  {
    id: 10,
    customer: 3,
    contract: 1,
    billMonth: '2026-02',
    outsideTerm: false,
    fees: new Map([['5 2026-02', new Set(['insuranceAgency'])]]),
    sums: new Map(),
    outside: new Map([
      [5, [cost]],
      [6, [cost]],
    ]),
  },
  {
    id: 11,
    customer: 3,
    contract: 2,
    billMonth: '2026-03',
    outsideTerm: false,
    fees: new Map<string, Set<string | null>>([
      ['6 2026-03', new Set(['dispatch'])],
      ['7 2026-02', new Set([null])],
    ]),
    sums: new Map(),
    outside: new Map(),
  },
]
const fee = (person: number | null, costMonth: string, sourceType = 'contractFee') => ({
  person,
  feeItem: 'serviceFee',
  party: 'company',
  costMonth,
  amount: '50.00',
  sourceType,
  sourceId: null,
})

test('finds whom other statements of the customer charge, and which months are billed', () => {
  const charged = otherCharges(charges)
  expect([charged.isCharged(7, '2026-02'), charged.isCharged(7, '2026-03')]).toEqual([true, false])
  expect([charged.wasBilled('2026-01'), charged.wasBilled('2026-02')]).toEqual([false, true])
  const late = otherCharges([{ ...charges[1], sums: new Map([['2026-01', new Map()]]) }])
  expect([late.wasBilled('2026-01'), late.wasBilled('2026-02'), late.wasBilled('2026-03')]).toEqual([true, false, true])
  expect(otherCharges(charges, 10).isCharged(5, '2026-02')).toBe(false)
})

test('a contract charges each service of a person and month once, and none of the employment if another contract does', () => {
  const charged = otherCharges(charges)
  const isChargedBy = (contract: number, service: string) => charged.isChargedFor(contract, service, 5, '2026-02')
  expect([isChargedBy(1, 'insuranceAgency'), isChargedBy(1, 'payrollAgency'), isChargedBy(2, 'payrollAgency')]).toEqual(
    [true, false, true],
  )
  expect(isChargedBy(2, 'commercialInsurance'), 'which goes with no employment').toBe(false)
  expect(charged.isChargedFor(2, 'dispatch', 7, '2026-02'), 'a fee that does not say its service').toBe(true)
  expect(charged.isChargedFor(1, 'insuranceAgency', 5, '2026-03')).toBe(false)
})

test('a month charged for one form of employment is not charged for another, whatever form somebody has now', () => {
  const withFee = (...services: string[]) =>
    otherCharges([{ ...charges[0], contract: 1, fees: new Map([['5 2026-02', new Set(services)]]) }])
  const isCharged = (charged: ReturnType<typeof withFee>, service: string) =>
    charged.isChargedFor(1, service, 5, '2026-02')
  expect(isCharged(withFee('dispatch'), 'insuranceAgency')).toBe(true)
  expect(isCharged(withFee('insuranceAgency'), 'dispatch')).toBe(true)
  expect(isCharged(withFee('insuranceAgency'), 'payrollAgency')).toBe(false)
  expect(isCharged(withFee('dispatch'), 'commercialInsurance'), 'which any form may have').toBe(false)
})

test('finds months whose costs are billed as outside the term of a person, and no fee', () => {
  const withoutFee = (person: number) => [...otherCharges(charges).withoutFee(person)]
  expect([withoutFee(6), withoutFee(5)]).toEqual([[['2026-02', [cost]]], []])
})

test('finds whose costs the statement itself bills as outside their term, also before it is recomputed', () => {
  const before = withoutCharges(charges, [10])
  expect([5, 7].map((person) => otherCharges(before, 10).wasOutside(person))).toEqual([true, false])
  expect([otherCharges(before, 11).wasOutside(5), otherCharges(before).wasOutside(5)]).toEqual([false, false])
})

test('a statement charges by its new fees once it is recomputed, and nothing before', () => {
  const keys = ['5 2026-02', '7 2026-01', '8 2026-02', '6 2026-03']
  const found = (among: readonly Charges[]) =>
    keys.map((key) => {
      const [person, month] = key.split(' ')
      return otherCharges(among).isCharged(Number(person), month)
    })
  const before = withoutCharges(charges, [10])
  expect(found(before)).toEqual([false, false, false, true])
  const items = [fee(7, '2026-01'), fee(null, '2026-02'), fee(8, '2026-02', 'manual')]
  expect(found(withCharges(before, charges[0], items))).toEqual([false, true, false, true])
  expect(found(withCharges(before, { ...charges[0], id: -4 }, items)), 'a new one').toEqual([false, true, false, true])
})

test('a recomputed statement reports again whose costs are outside their term', () => {
  const late = { ...fee(5, '2026-01', 'socialExpense'), feeItem: 'pension', outsideTerm: true }
  const now = withCharges(charges, { ...charges[0], id: 10 }, [late, fee(6, '2026-02', 'socialExpense')])
  expect(otherCharges(now).withoutFee(5)).toEqual(new Map([['2026-02', [late]]]))
  expect(otherCharges(now).withoutFee(6)).toEqual(new Map())
})

test('sums up what a contract charges for a service and a month, and finds its months outside the term', () => {
  const rest = (person: number | null, serviceType: string, amount: string) => ({
    ...fee(person, '2026-02'),
    serviceType,
    amount,
  })
  const april = { ...charges[0], id: 12, billMonth: '2026-04', outsideTerm: true }
  const now = withCharges(charges, april, [rest(5, 'dispatch', '50.00'), rest(null, 'dispatch', '20.00')])
  const charged = otherCharges(now)
  const sums = (contract: number, service: string, month: string) => {
    const { heads, company } = charged.feesFor(contract, service, month)
    return [heads.toFixed(2), company.toFixed(2)]
  }
  expect(sums(1, 'dispatch', '2026-02')).toEqual(['50.00', '20.00'])
  const none = ['0.00', '0.00']
  expect([sums(2, 'dispatch', '2026-02'), sums(1, 'recruitment', '2026-02')]).toEqual([none, none])
  expect(sums(1, 'dispatch', '2026-03')).toEqual(none)
  expect([charged.outsideTerm(1), charged.outsideTerm(2)]).toEqual([['2026-04'], []])
  expect([charged.hasStatement(1, '2026-04'), charged.hasStatement(1, '2026-03')]).toEqual([true, false])
  const own = otherCharges(withoutCharges(now, [12]), 12)
  expect([own.wasOutsideTerm, own.isChargedElsewhere(1, '2026-02'), charged.isChargedElsewhere(1, '2026-02')]).toEqual([
    true,
    false,
    true,
  ])
})
