import type { FieldName, Part, ProcedureWork, Stored, Where } from '../../../engine/server/procedure.ts'
import { firstDay, lastDay } from '../months.ts'
import { groupedBy } from '../welfare/groupedBy.ts'
import { chargedKey } from './charged.ts'
import { categoryOf, feeItemsOf, type BilledFamily, type FeeItems } from './feeItems.ts'
import { feesOf, type FeeRule, type Head } from './fees.ts'
import { servicesOf } from './services.ts'
import type { StatementItem } from './StatementItem.ts'

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
] as const satisfies readonly FieldName<'contract'>[]
export type BilledContract = Part<'contract', (typeof contractFields)[number]>

export const costFields = [
  'customer',
  'contract',
  'person',
  'costMonth',
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
  'serviceContract',
  'employmentForm',
  'entryDate',
  'leaveDate',
] as const satisfies readonly FieldName<'person'>[]
const stintFields = [
  'person',
  'serviceContract',
  'employmentForm',
  'entryDate',
  'leaveDate',
] as const satisfies readonly FieldName<'employmentRecord'>[]
type Stint = Part<'employmentRecord', (typeof stintFields)[number]>
/** The people in statements: their names, when they joined and left, and their earlier stints. */
type Billed = Part<'person', (typeof personFields)[number]> & { former: Stint[] }
/** The people in statements, by id. */
export type People = ReadonlyMap<number, Billed>

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
  const ended = await work.read('employmentRecord', {
    where: { person: [...people.keys()], leaveDate: { empty: false } },
    fields: stintFields,
    order: 'entryDate',
  })
  const stints = groupedBy(ended, ({ person }) => person)
  return new Map(
    [...people].map(([id, person]) => {
      const former = (stints.get(id) ?? []).filter(({ entryDate }) => entryDate < person.entryDate)
      return [id, { ...person, former }]
    }),
  )
}

/**
 * When somebody worked under a contract, as of a month: people who have since moved on or returned were there before.
 */
function stintOf(
  person: Billed,
  contract: number,
  month: string,
): Pick<Billed, 'entryDate' | 'leaveDate' | 'employmentForm'> {
  const { former, serviceContract } = person
  const own = former.filter((stint) => stint.serviceContract === contract)
  const served = serviceContract === contract || own.length === 0 ? [...own, person] : own
  return served.findLast(({ entryDate }) => entryDate <= lastDay(month)) ?? served[0]
}

/** All fee items, including those of the families. */
export const knownFeeItems = (work: ProcedureWork): FeeItems => feeItemsOf(work.families<BilledFamily>('handling'))

/** What fees depend on besides the costs. */
export interface FeeGrounds {
  months: BilledMonths
  people: People
  feeItems: FeeItems
  /** People already charged for the month of the wages: contract and person. */
  charged: ReadonlySet<string>
}

/** The items of a statement: its costs, and the fees that the contract charges for them. */
export function itemsOf(
  contract: Pick<BilledContract, 'id' | 'contractNo' | 'feeRules'>,
  costs: readonly Cost[],
  grounds: FeeGrounds,
): StatementItem[] {
  const { billMonth } = grounds.months
  const items = costs.map(
    ({
      person,
      feeItem,
      party,
      costMonth,
      policy,
      base,
      rate,
      fixedAmount,
      amount,
      sourceType,
      sourceId,
    }): StatementItem => ({
      person,
      feeItem,
      party,
      costMonth,
      policy,
      base,
      rate,
      fixedAmount,
      amount,
      sourceType,
      sourceId,
    }),
  )
  const rules = rulesOf(contract, billMonth)
  const fees = feesOf(rules, {
    billMonth,
    contractNo: contract.contractNo,
    costs: items,
    heads: headsOf(contract, rules, costs, grounds),
  })
  return [...items, ...fees]
}

export const rulesOf = ({ feeRules }: Pick<BilledContract, 'feeRules'>, month: string): FeeRule[] =>
  (feeRules ?? [])
    .filter(({ effectiveFrom, effectiveTo }) => effectiveFrom <= month && month <= (effectiveTo ?? '9999-12'))
    .map((rule) => ({ ...rule, tiers: rule.tiers ?? [] }))

/**
 * Each person once. Data delivered with the costs is closer to the month than the person's current record. People who
 * left earlier are charged for the month of their last wages, unless its own statement has done so.
 */
function headsOf(
  { id }: { id: number },
  rules: readonly FeeRule[],
  costs: readonly Cost[],
  { months: { billMonth, wageMonth }, people, feeItems, charged }: FeeGrounds,
): Head[] {
  const ofPerson = groupedBy(
    costs.filter(({ person }) => person !== null),
    ({ person }) => person!,
  )
  const types = [...new Set(rules.map(({ serviceType }) => serviceType!))]
  return [...ofPerson].flatMap(([person, own]): Head[] => {
    const served = people.get(person)
    const stint = served ? stintOf(served, id, billMonth) : undefined
    const { entryDate = null, leaveDate = null, employmentForm = null } = stint ?? {}
    const known = <F extends 'joinedOn' | 'leftOn' | 'workedDays'>(field: F) =>
      own.map((cost) => cost[field]).find((value) => value !== null) ?? null
    const [joinedOn, leftOn] = [known('joinedOn') ?? entryDate, known('leftOn') ?? leaveDate]
    const isLate = leftOn !== null && leftOn < firstDay(billMonth)
    if (isLate && charged.has(chargedKey(id, person))) return []
    const services = servicesOf(types, {
      employmentForm,
      categories: new Set(own.map((cost) => categoryOf(cost, feeItems))),
      feeItems: new Set(own.map(({ feeItem }) => feeItem)),
      hasJoined: joinedOn !== null && joinedOn.slice(0, 7) === billMonth,
    })
    return [
      { person, joinedOn, leftOn, workedDays: known('workedDays'), services, ...(isLate && { month: wageMonth }) },
    ]
  })
}
