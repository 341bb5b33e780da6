import type { ProcedureWork } from '../../../engine/server/procedure.ts'
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
}

/** What other statements charge. */
export interface Charged {
  /** Whether one of the contract charges this person for the month. */
  byContract(contract: number, person: number, month: string): boolean
  /** Whether any of the customer's does. */
  byCustomer(customer: number, person: number, month: string): boolean
  /** Whether the contract has a statement of the month or an earlier one. */
  wasBilled(contract: number, month: string): boolean
}

/** What statements of these customers charge by the head for these months. */
export async function readCharges(
  work: ProcedureWork,
  contracts: readonly Pick<BilledContract, 'customer'>[],
  months: ReadonlySet<string>,
): Promise<Charges[]> {
  const [earliest] = [...months].toSorted()
  const statements = await work.read('statement', {
    where: { customer: [...new Set(contracts.map(({ customer }) => customer))], ...isStanding },
    fields: ['customer', 'contract', 'billMonth'],
  })
  const fees = await work.read('statementItem', {
    where: {
      statement: statements.filter(({ billMonth }) => billMonth >= earliest).map(({ id }) => id as number),
      sourceType: 'contractFee',
      person: { empty: false },
      costMonth: [...months],
    },
    fields: ['statement', 'person', 'costMonth'],
  })
  const charged = new Map(statements.map(({ id }): [number, Set<string>] => [id, new Set()]))
  for (const { statement, person, costMonth } of fees) charged.get(statement)!.add(feeKey(person!, costMonth))
  return statements.map((statement) => ({ ...statement, fees: charged.get(statement.id)! }))
}

/** What statements other than `own` charge. */
export function chargedBy(charges: readonly Charges[], own: number | null = null): Charged {
  const others = charges.filter(({ id }) => id !== own)
  const byContract = new Set(others.flatMap(({ contract, fees }) => [...fees].map((fee) => `${contract} ${fee}`)))
  const byCustomer = new Set(others.flatMap(({ customer, fees }) => [...fees].map((fee) => `${customer} ${fee}`)))
  const first = new Map<number, string>()
  for (const { contract, billMonth } of others)
    if (billMonth < (first.get(contract) ?? '9999-12')) first.set(contract, billMonth)
  return {
    byContract: (contract, person, month) => byContract.has(`${contract} ${feeKey(person, month)}`),
    byCustomer: (customer, person, month) => byCustomer.has(`${customer} ${feeKey(person, month)}`),
    wasBilled: (contract, month) => (first.get(contract) ?? '9999-12') <= month,
  }
}

/** After a statement was recomputed: it charges what these items say, and nothing else. */
export const withCharges = (
  charges: readonly Charges[],
  statement: number,
  items: readonly StatementItem[],
): Charges[] => charges.map((one) => (one.id === statement ? { ...one, fees: chargedIn(items) } : one))

const chargedIn = (items: readonly StatementItem[]): Set<string> =>
  new Set(
    items.flatMap(({ sourceType, person, costMonth }) =>
      sourceType === 'contractFee' && person !== null ? feeKey(person, costMonth) : [],
    ),
  )

const feeKey = (person: number, month: string): string => `${person} ${month}`
