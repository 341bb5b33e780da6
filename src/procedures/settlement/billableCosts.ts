import type { FieldName, Part, ProcedureWork, Stored, Where } from '../../../engine/server/procedure.ts'
import { firstDay, lastDay } from '../monthDays.ts'
import { groupedBy } from '../welfare/groupedBy.ts'
import { feeItemsOf, type BilledFamily, type FeeItems } from './feeItems.ts'

/** The months that a statement bills: of wages, and of all other costs. */
export type BilledMonths = Pick<Stored<'statement'>, 'billMonth' | 'wageMonth' | 'insuranceMonth'>

/** The fields read of a service contract. */
export const contractFields = [
  'contractNo',
  'customer',
  'customerName',
  'agency',
  'startDate',
  'lastDay',
  'paymentTerms',
  'paymentDay',
  'taxMethod',
  'taxRate',
  'surchargeRate',
  'taxBorne',
  'feeRules',
  'renewalOf',
] as const satisfies readonly FieldName<'contract'>[]
export type BilledContract = Part<'contract', (typeof contractFields)[number]>

export const costFields = [
  'customer',
  'contract',
  'person',
  'costMonth',
  'billMonth',
  'feeItem',
  'party',
  'policy',
  'base',
  'rate',
  'fixedAmount',
  'amount',
  'sourceType',
  'sourceId',
  'joinedOn',
  'leftOn',
  'workedDays',
] as const satisfies readonly FieldName<'costLine'>[]
export type Cost = Part<'costLine', (typeof costFields)[number]>

const personFields = [
  'name',
  'idNumber',
  'costCenter',
  'insuranceCity',
  'customer',
  'serviceContract',
  'employmentForm',
  'entryDate',
  'leaveDate',
] as const satisfies readonly FieldName<'person'>[]
const stintFields = [
  'person',
  'customer',
  'serviceContract',
  'employmentForm',
  'formerForm',
  'formSince',
  'entryDate',
  'leaveDate',
] as const satisfies readonly FieldName<'employmentRecord'>[]
type Stint = Part<'employmentRecord', (typeof stintFields)[number]>
/** The people in statements: their names, when they joined and left, how they were employed, and their earlier stints. */
type BilledPerson = Part<'person', (typeof personFields)[number]> &
  Partial<Pick<Stint, 'formerForm' | 'formSince'>> & { former: Stint[] }
/** The people in statements, by id. */
export type People = ReadonlyMap<number, BilledPerson>

/**
 * Whether the contract was in force on some day of these months, or is one with unbilled costs. A statement follows the
 * work by a month, so a contract that has ended still gets its last one.
 */
export function isInForce(
  { billMonth, wageMonth, insuranceMonth }: BilledMonths,
  owing: readonly number[] = [],
): Where<Stored<'contract'>> {
  const [first] = [billMonth, wageMonth, insuranceMonth].toSorted()
  return {
    category: 'service',
    stage: ['signed', 'terminated'],
    startDate: { between: [null, lastDay(billMonth)] },
    anyOf: [{ lastDay: null }, { lastDay: { between: [firstDay(first), null] } }, { id: owing }],
  }
}

/**
 * Costs that belong into a statement of these months: those delivered for its month, else by the month that caused
 * them. Earlier costs that no statement has billed are carried forward into it.
 */
export const isDue = ({ billMonth, wageMonth, insuranceMonth }: BilledMonths): Where<Stored<'costLine'>> => ({
  anyOf: [
    { billMonth: { between: [null, billMonth] } },
    {
      billMonth: null,
      anyOf: [
        { sourceType: 'payroll', costMonth: { between: [null, wageMonth] } },
        { sourceType: { not: 'payroll' }, costMonth: { between: [null, insuranceMonth] } },
      ],
    },
  ],
})

/** The same for one cost. */
export const isDueIn = (
  cost: Pick<Stored<'costLine'>, 'billMonth' | 'costMonth' | 'sourceType'>,
  { billMonth, wageMonth, insuranceMonth }: BilledMonths,
): boolean =>
  cost.billMonth === null
    ? cost.costMonth <= (cost.sourceType === 'payroll' ? wageMonth : insuranceMonth)
    : cost.billMonth <= billMonth

/** Contracts with due costs in these months that no statement bills. */
export async function readOwing(
  work: ProcedureWork,
  months: BilledMonths,
  customers?: readonly number[],
): Promise<number[]> {
  const theirs = customers && { customer: customers }
  const owing = await work.groups('costLine', {
    where: { allOf: [{ statement: null, contract: { empty: false }, ...theirs }, isDue(months)] },
    by: ['contract'],
  })
  return owing.map(({ by }) => Number(by.contract))
}

/** Costs of these contracts that no statement bills, in order of persons. */
export async function readCosts(
  work: ProcedureWork,
  contracts: readonly Pick<BilledContract, 'id' | 'customer'>[],
  months: BilledMonths,
): Promise<Map<number, Cost[]>> {
  const rows = await work.read('costLine', {
    where: { allOf: [costsOf(contracts), { statement: null }, isDue(months)] },
    fields: costFields,
  })
  const costs = new Map(contracts.map(({ id }): [number, Cost[]] => [id, []]))
  for (const row of inOrderOfPersons(rows))
    costs.get(row.contract ?? contracts.find(({ customer }) => customer === row.customer)!.id)!.push(row)
  return costs
}

/** Costs of these contracts, and those of their customers that name no contract. */
export const costsOf = (contracts: readonly Pick<BilledContract, 'id' | 'customer'>[]): Where<Stored<'costLine'>> => ({
  anyOf: [
    { contract: contracts.map(({ id }) => id) },
    { contract: null, customer: contracts.map(({ customer }) => customer) },
  ],
})

export const inOrderOfPersons = <C extends Pick<Cost, 'id' | 'person'>>(costs: readonly C[]): C[] =>
  costs.toSorted((a, b) => Number(a.person ?? Infinity) - Number(b.person ?? Infinity) || a.id - b.id)

export async function readPeople(work: ProcedureWork, ids: readonly (number | null)[]): Promise<People> {
  const people = await work.byId('person', ids, { fields: personFields })
  const all = await work.read('employmentRecord', {
    where: { person: [...people.keys()] },
    fields: stintFields,
    order: 'entryDate',
  })
  const stints = groupedBy(all, ({ person }) => person)
  return new Map(
    [...people].map(([id, person]) => {
      const own = stints.get(id) ?? []
      const former = own.filter(({ entryDate, leaveDate }) => entryDate < person.entryDate && leaveDate !== null)
      const { formerForm = null, formSince = null } = own.find(({ entryDate }) => entryDate === person.entryDate) ?? {}
      return [id, { ...person, formerForm, formSince, former }]
    }),
  )
}

/** All fee items, including those of the families. */
export const knownFeeItems = (work: ProcedureWork): FeeItems => feeItemsOf(work.families<BilledFamily>('handling'))

/** Whether a contract is in force on some day of a month. */
export const isIn = (
  { startDate, lastDay: end }: Pick<BilledContract, 'startDate' | 'lastDay'>,
  month: string,
): boolean => startDate <= lastDay(month) && (end ?? '9999') >= firstDay(month)
