import { expect, test } from 'vitest'
import type { People } from './billableCosts.ts'
import { otherCharges } from './statementCharges.ts'
import { feeItemsOf } from './feeItems.ts'
import { leftToOwn } from './ownContract.ts'

const rule = (feeMode: string, serviceType = 'dispatch') => ({
  serviceType,
  feeMode,
  chargeRule: 'fullMonth',
  unitPrice: '120.00',
  fixedAmount: '3000.00',
  minAmount: null,
  maxAmount: null,
  effectiveFrom: '2026-01',
  effectiveTo: null,
  tiers: [],
})
interface Terms {
  feeRules?: object[]
  lastDay?: string | null
}
const billing = (id: number, people: number[], { feeRules = [rule('perHead')], lastDay = null }: Terms = {}) => ({
  contract: { id, contractNo: `C${id}`, startDate: '2026-01-01', lastDay, feeRules } as never,
  months: { billMonth: '2026-02', wageMonth: '2026-01', insuranceMonth: '2026-02' },
  costs: people.map((person) => ({
    person,
    feeItem: 'grossWage',
    party: 'company',
    costMonth: '2026-01',
    amount: '5000.00',
    sourceType: 'payroll',
    joinedOn: null,
    leftOn: null,
    workedDays: null,
  })) as never,
  charged: () => otherCharges([]),
})
const person = (serviceContract: number, former: object[] = []) => ({
  serviceContract,
  employmentForm: 'dispatch',
  entryDate: '2026-02-10',
  leaveDate: null,
  former,
})
/** Person 5 is under contract 2 now; person 6 came to it only in March. */
const people = new Map<number, unknown>([
  [5, person(2)],
  [6, { ...person(2, [{ serviceContract: 1, entryDate: '2026-01-05' }]), entryDate: '2026-03-01' }],
]) as People
const left = (...billed: ReturnType<typeof billing>[]) =>
  leftToOwn(billed, { people, feeItems: feeItemsOf([]) }).map((each) => Object.fromEntries(each))

test('the contract that a person is under in the month charges it, if its statement bills costs of theirs too', () => {
  expect(left(billing(1, [5, 6]), billing(2, [5, 6]))).toEqual([
    { 5: new Set(['dispatch']) },
    { 6: new Set(['dispatch']) },
  ])
})

test.each<[string, ReturnType<typeof billing>]>([
  ['bills nothing of theirs', billing(2, [7])],
  ['charges nobody by the head', billing(2, [5], { feeRules: [rule('fixed')] })],
  [
    'charges by the head only for services that they do not have',
    billing(2, [5], { feeRules: [rule('fixed'), rule('perHead', 'insuranceAgency')] }),
  ],
  ['has ended', billing(2, [5], { lastDay: '2026-01-31' })],
])('but not if it %s', (_, own) => {
  expect(left(billing(1, [5]), own)[0]).toEqual({})
})
