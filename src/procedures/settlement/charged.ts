import type { ProcedureWork } from '../../../engine/server/procedure.ts'
import { firstDay } from '../months.ts'
import { groupedBy } from '../welfare/groupedBy.ts'
import type { BilledContract } from './billableCosts.ts'
import { isStanding } from './isStanding.ts'
import type { StatementItem } from './StatementItem.ts'

/** The people whom a statement charges a fee for, each with the month charged. */
export interface Charges {
  id: number
  customer: number
  contract: number
  billMonth: string
  fees: ReadonlySet<string>
  /** The people with costs in it, if the contract had ended before its month. */
  afterEnd: ReadonlySet<number>
}

/** What other statements charge. */
export interface Charged {
  /** Whether one of the customer's charges this person for the month. */
  byCustomer(customer: number, person: number, month: string): boolean
  /** Whether the contract has a statement of the month or an earlier one. */
  wasBilled(contract: number, month: string): boolean
  /** The months for which a contract of the customer that had ended billed this person's costs, and none a fee. */
  withoutFee(customer: number, person: number): string[]
}

/** What statements of these customers charge by the head for these months, and after their contracts have ended. */
export async function readCharges(
  work: ProcedureWork,
  contracts: readonly Pick<BilledContract, 'customer'>[],
  months: ReadonlySet<string>,
): Promise<Charges[]> {
  const statements = await work.read('statement', {
    where: { customer: [...new Set(contracts.map(({ customer }) => customer))], ...isStanding },
    fields: ['customer', 'contract', 'billMonth', 'contractLastDay'],
  })
  const late = statements.filter(({ billMonth, contractLastDay }) => (contractLastDay ?? '9999') < firstDay(billMonth))
  const all = [...new Set([...months, ...late.map(({ billMonth }) => billMonth)])].toSorted()
  const fees = await work.read('statementItem', {
    where: {
      statement: statements.filter(({ billMonth }) => billMonth >= all[0]).map(({ id }) => id as number),
      sourceType: 'contractFee',
      person: { empty: false },
      costMonth: all,
    },
    fields: ['statement', 'person', 'costMonth'],
  })
  const costs = await work.groups('statementItem', {
    where: { statement: late.map(({ id }) => id), sourceType: { not: 'contractFee' }, person: { empty: false } },
    by: ['statement', 'person'],
  })
  const charged = groupedBy(fees, ({ statement }) => statement as number)
  const billed = groupedBy(costs, ({ by }) => by.statement as number)
  return statements.map((statement) => ({
    ...statement,
    fees: new Set(charged.get(statement.id)?.map(({ person, costMonth }) => feeKey(person!, costMonth))),
    afterEnd: new Set(billed.get(statement.id)?.map(({ by }) => by.person as number)),
  }))
}

/** What statements other than `own` charge. */
export function chargedBy(charges: readonly Charges[], own: number | null = null): Charged {
  const others = charges.filter(({ id }) => id !== own)
  const byCustomer = new Set(others.flatMap(({ customer, fees }) => [...fees].map((fee) => `${customer} ${fee}`)))
  const first = new Map<number, string>()
  for (const { contract, billMonth } of others)
    if (billMonth < (first.get(contract) ?? '9999-12')) first.set(contract, billMonth)
  return {
    byCustomer: (customer, person, month) => byCustomer.has(`${customer} ${feeKey(person, month)}`),
    wasBilled: (contract, month) => (first.get(contract) ?? '9999-12') <= month,
    withoutFee: (customer, person) =>
      others
        .filter((one) => one.customer === customer && one.afterEnd.has(person))
        .map(({ billMonth }) => billMonth)
        .filter((month) => !byCustomer.has(`${customer} ${feeKey(person, month)}`)),
  }
}

/** Before these statements are recomputed: they charge nothing. */
export const withoutCharges = (charges: readonly Charges[], statements: readonly number[]): Charges[] =>
  charges.map((one) => (statements.includes(one.id) ? { ...one, fees: new Set<string>() } : one))

/** After a statement was computed: it charges what these items say, and nothing else. */
export const withCharges = (
  charges: readonly Charges[],
  { id, customer, contract, billMonth }: Pick<Charges, 'id' | 'customer' | 'contract' | 'billMonth'>,
  items: readonly StatementItem[],
): Charges[] => {
  const afterEnd = charges.find((one) => one.id === id)?.afterEnd ?? new Set<number>()
  const now = { id, customer, contract, billMonth, afterEnd, fees: chargedIn(items) }
  return [...charges.filter((one) => one.id !== id), now]
}

const chargedIn = (items: readonly StatementItem[]): Set<string> =>
  new Set(
    items.flatMap(({ sourceType, person, costMonth }) =>
      sourceType === 'contractFee' && person !== null ? feeKey(person, costMonth) : [],
    ),
  )

const feeKey = (person: number, month: string): string => `${person} ${month}`
