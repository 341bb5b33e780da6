import { expect, test } from 'vitest'
import { decimal } from '../money/amounts.ts'
import type { People } from './billableCosts.ts'
import { itemsOf } from './billedItems.ts'
import type { OtherCharges } from './statementCharges.ts'
import { feeItemsOf } from './feeItems.ts'
import { type Fees, noFees } from './fees.ts'

const rule = (serviceType: string, feeMode: string, price: object) => ({
  serviceType,
  feeMode,
  chargeRule: 'fullMonth',
  tiers: [],
  minAmount: null,
  maxAmount: null,
  ...price,
})
const agency = rule('insuranceAgency', 'perHead', { unitPrice: '50.00' })
const payroll = rule('payrollAgency', 'fixed', { fixedAmount: '300.00' })
const contract = (lastDay: string | null = null, feeRules: object[] = [agency], renewalOf: number | null = null) =>
  ({ id: 1, customer: 3, contractNo: 'C1', startDate: '2026-01-01', lastDay, feeRules, renewalOf }) as never
const cost = (feeItem: string, sourceType: string, costMonth = '2026-03') =>
  ({
    person: 5,
    feeItem,
    party: 'company',
    costMonth,
    billMonth: null,
    amount: '100.00',
    sourceType,
    joinedOn: null,
    leftOn: null,
    workedDays: null,
  }) as never
const people = (leaveDate: string | null, employmentForm = 'agency') =>
  new Map<number, unknown>([
    [5, { serviceContract: 1, entryDate: '2026-01-05', leaveDate, employmentForm, former: [] }],
  ]) as People
const ofContract = {
  hasStatement: () => false,
  outsideTerm: () => [],
  feesFor: () => noFees,
  isChargedElsewhere: () => false,
  isChargedLater: () => false,
  wasOutsideTerm: false,
}
const missing = (month: string, costs: { feeItem: string; sourceType: string }[]): OtherCharges => ({
  isCharged: () => false,
  isChargedFor: () => false,
  wasBilled: () => true,
  withoutFee: () => new Map([[month, costs]]),
  wasOutside: () => false,
  ...ofContract,
})
const social = { feeItem: 'pension', sourceType: 'socialExpense' }
const wages = { feeItem: 'grossWage', sourceType: 'payroll' }
const families = [
  { sourceType: 'socialExpense', settlement: { feeCategory: 'social' }, items: [{ feeItem: { value: 'pension' } }] },
] as const

function billed(
  charged: OtherCharges,
  { leaveDate = null as string | null, by = contract(), late = [] as never[] } = {},
) {
  const items = itemsOf(by, [cost('pension', 'socialExpense'), ...late], {
    months: { billMonth: '2026-03', wageMonth: '2026-02', insuranceMonth: '2026-03' },
    people: people(leaveDate),
    feeItems: feeItemsOf(families),
    charged,
  })
  const fees = items.filter(({ sourceType }) => sourceType === 'contractFee')
  return {
    outside: items.some(({ outsideTerm }) => outsideTerm),
    fees: fees.map(({ person, costMonth, amount }) => `${person} ${costMonth} ${amount}`),
  }
}

test('costs of a leaver, and costs after the end of the contract, are outside the term and cause no fee', () => {
  const charged = { ...missing('2026-02', []), withoutFee: () => new Map() }
  const none = { outside: true, fees: [] }
  expect(billed(charged)).toEqual({ outside: false, fees: ['5 2026-03 50.00'] })
  expect(billed(charged, { leaveDate: '2026-02-20' })).toEqual(none)
  expect(billed(charged, { by: contract('2026-02-28') })).toEqual(none)
  expect(billed(charged, { leaveDate: '2026-03-01' }).outside, 'who leaves in the month').toBe(false)
})

test('who was moved to another contract, and has left its customer since, is charged for no month after that', () => {
  const january = { employmentForm: 'agency', entryDate: '2026-01-01', leaveDate: '2026-02-09' }
  const elsewhere = { customer: 4, serviceContract: 8, entryDate: '2026-02-20', leaveDate: null }
  const former = [{ ...january, customer: 3, serviceContract: 2 }]
  const items = itemsOf(
    contract(null, [rule('payrollAgency', 'perHead', { unitPrice: '30.00' })]),
    [cost('grossWage', 'payroll', '2026-01')],
    {
      months: { billMonth: '2026-03', wageMonth: '2026-02', insuranceMonth: '2026-03' },
      people: new Map<number, unknown>([[5, { ...elsewhere, employmentForm: 'agency', former }]]) as People,
      feeItems: feeItemsOf(families),
      charged: { ...missing('2026-02', []), withoutFee: () => new Map() },
    },
  )
  const fees = items.filter(({ sourceType }) => sourceType === 'contractFee')
  expect(fees.map(({ costMonth, amount }) => `${costMonth} ${amount}`)).toEqual(['2026-01 30.00', '2026-02 30.00'])
})

test('a month that was billed as outside the term is charged once it is in it', () => {
  expect(billed(missing('2026-02', [social])).fees).toEqual(['5 2026-02 50.00', '5 2026-03 50.00'])
  expect(billed(missing('2026-02', [social]), { leaveDate: '2026-01-31' }).fees, 'still outside').toEqual([])
})

test('costs billed outside the term stay so while another statement charges the month since', () => {
  const outside = (isCharged: boolean, wasOutside: boolean) =>
    billed({ ...missing('2026-02', []), isCharged: () => isCharged, wasOutside: () => wasOutside }).outside
  expect([outside(true, true), outside(false, true), outside(true, false)]).toEqual([true, false, false])
})

test('a month billed in time for one service is charged later for the one whose costs come late, and no more', () => {
  const both = contract(null, [agency, rule('payrollAgency', 'perHead', { unitPrice: '30.00' })])
  const all = (late: never[], served: string[]) =>
    billed(
      {
        ...missing('2026-02', []),
        withoutFee: () => new Map(),
        isCharged: (_, month) => month === '2026-02' && served.length > 0,
        isChargedFor: (_, service, __, month) => month === '2026-02' && served.includes(service),
      },
      { by: both, late },
    ).fees
  const february = (...given: Parameters<typeof all>) =>
    all(...given)
      .filter((fee) => fee.includes('2026-02'))
      .toSorted()
  const lateWages = [cost('grossWage', 'payroll', '2026-01')]
  const latePension = [cost('pension', 'socialExpense', '2026-02')]
  const [ofAgency, ofPayroll] = ['5 2026-02 50.00', '5 2026-02 30.00']
  expect(february(lateWages, ['insuranceAgency'])).toEqual([ofPayroll])
  const march = all(lateWages, ['insuranceAgency']).filter((fee) => fee.includes('2026-03'))
  expect(march, 'the month of the statement is charged without the late service').toEqual(['5 2026-03 50.00'])
  expect(february(latePension, ['payrollAgency'])).toEqual([ofAgency])
  expect(february([...lateWages, ...latePension], []), 'not billed in time').toEqual([ofPayroll, ofAgency])
  expect(february(lateWages, []), 'no insurance in that month').toEqual([ofPayroll])
  expect(february(lateWages, ['insuranceAgency', 'payrollAgency'])).toEqual([])
  const lateBenefit = [cost('checkup', 'otherBenefits', '2026-02')]
  expect(february(lateBenefit, []), 'nobody is served for nothing').toEqual([ofAgency])
  expect(february(lateBenefit, ['payrollAgency']), 'which that is not').toEqual([])
})

test('a percentage for joiners is not charged again where their first month has late costs', () => {
  const recruitment = rule('recruitment', 'percent', { ratePercent: '20', percentBase: 'wage' })
  const both = contract(null, [agency, recruitment])
  const late = [cost('pension', 'socialExpense', '2026-01'), cost('grossWage', 'payroll', '2026-02')]
  const charged: OtherCharges = {
    ...missing('2026-02', []),
    withoutFee: () => new Map(),
    isCharged: (_, month) => month < '2026-03',
    isChargedFor: (_, service, __, month) => month < '2026-03' && service === 'insuranceAgency',
  }
  expect(billed(charged, { by: both, late }).fees).toEqual(['5 2026-03 50.00'])
})

test('the wages of a month are no reason to charge it for a service that they are not for', () => {
  const placement = rule('recruitment', 'perHead', { unitPrice: '30.00' })
  const insured = rule('insuranceAgency', 'percentage', { ratePercent: '10', percentBase: 'total' })
  const fees = (feeRules: object[]) =>
    billed(
      { ...missing('2026-02', []), withoutFee: () => new Map() },
      { by: contract(null, feeRules), late: [cost('grossWage', 'payroll', '2026-02')] },
    ).fees
  expect(fees([placement, insured])).toEqual(['null 2026-03 20.00'])
  expect(fees([agency]), 'the only one is for everybody').toEqual(['5 2026-02 50.00', '5 2026-03 50.00'])
})

test('only for the services that the person had in that month', () => {
  const both = contract(null, [payroll, agency])
  expect(billed(missing('2026-02', [wages]), { by: both }).fees).toEqual(['null 2026-03 300.00', '5 2026-03 50.00'])
  expect(billed(missing('2026-02', [social]), { by: both }).fees).toContain('5 2026-02 50.00')
})

/** What other statements charge a company for February and March. */
const companyFees =
  (charged: Record<string, string>): OtherCharges['feesFor'] =>
  (id, service, month): Fees => ({ ...noFees, company: decimal(charged[`${id} ${service} ${month}`] ?? '0') })

test('a renewal charges months that the contract it renews billed after its end as such, once', () => {
  const charges = (by: never, fees: Record<string, string>) =>
    billed(
      {
        ...missing('2026-02', []),
        withoutFee: () => new Map(),
        outsideTerm: (id) => (id === 9 ? ['2025-12', '2026-02', '2026-04'] : []),
        feesFor: companyFees(fees),
      },
      { by },
    ).fees
  const renewal = contract(null, [payroll], 9)
  const march = 'null 2026-03 300.00'
  expect(charges(renewal, {})).toEqual(['null 2026-02 300.00', march])
  expect(charges(renewal, { '1 payrollAgency 2026-02': '300' }), 'charged since').toEqual([march])
  expect(charges(renewal, { '9 payrollAgency 2026-02': '100' }), 'in part').toEqual(['null 2026-02 200.00', march])
  expect(charges(contract(null, [payroll]), {}), 'no renewal').toEqual([march])
})

test('a fee that does not say its service is of the only rule', () => {
  const charged = {
    ...missing('2026-02', []),
    withoutFee: () => new Map(),
    feesFor: companyFees({ '1 null 2026-03': '300' }),
  }
  expect(billed(charged, { by: contract(null, [payroll]) }).fees).toEqual([])
  expect(billed(charged, { by: contract(null, [payroll, agency]) }).fees).toContain('null 2026-03 300.00')
})
