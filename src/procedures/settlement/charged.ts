import type { ProcedureWork } from '../../../engine/server/procedure.ts'
import { groupedBy } from '../welfare/groupedBy.ts'
import type { BilledContract, People } from './billableCosts.ts'
import { isStanding } from './isStanding.ts'
import type { StatementItem } from './StatementItem.ts'

/** The people whom a statement charges a fee for, each with the month charged. */
export interface Charges {
  id: number
  customer: number
  contract: number
  billMonth: string
  fees: ReadonlySet<string>
  /** The costs of people outside their term. */
  outside: ReadonlyMap<number, readonly BilledCost[]>
}
type BilledCost = Pick<StatementItem, 'feeItem' | 'sourceType'>

/** What other statements of a customer charge. */
export interface Charged {
  /** Whether one charges this person for the month. */
  isCharged(person: number, month: string): boolean
  /** Whether the contract has a statement of the month or an earlier one. */
  wasBilled(contract: number, month: string): boolean
  /** The months for which costs of this person are billed as outside their term, with these costs, and no fee. */
  withoutFee(person: number): ReadonlyMap<string, readonly BilledCost[]>
  /** Whether the statement itself, as last computed, billed costs of this person as outside their term. */
  wasOutside(person: number): boolean
}

/**
 * What statements of these customers charge by the head for these months, and for those in which these people were
 * outside their term. By customer, so that one does not search what all the others are charged.
 */
export async function readCharges(
  work: ProcedureWork,
  contracts: readonly Pick<BilledContract, 'customer'>[],
  { months, people }: { months: ReadonlySet<string>; people: People },
): Promise<Map<number, Charges[]>> {
  const statements = await work.read('statement', {
    where: { customer: [...new Set(contracts.map(({ customer }) => customer))], ...isStanding },
    fields: ['customer', 'contract', 'billMonth'],
  })
  const monthOf = new Map(statements.map(({ id, billMonth }) => [id as number, billMonth]))
  const outside = await work.read('statementLine', {
    where: { statement: [...monthOf.keys()], person: [...people.keys()], outsideTerm: true },
    fields: ['statement'],
  })
  const all = [...new Set([...months, ...outside.map(({ statement }) => monthOf.get(statement)!)])].toSorted()
  const fees = await work.read('statementItem', {
    where: {
      statement: statements.filter(({ billMonth }) => billMonth >= all[0]).map(({ id }) => id as number),
      sourceType: 'contractFee',
      person: { empty: false },
      costMonth: all,
    },
    fields: ['statement', 'person', 'costMonth'],
  })
  const costs = await work.read('statementItem', {
    where: { line: outside.map(({ id }) => id as number), sourceType: { not: 'contractFee' } },
    fields: ['statement', 'person', 'feeItem', 'sourceType'],
  })
  const charged = groupedBy(fees, ({ statement }) => statement as number)
  const billed = groupedBy(
    costs.map(({ sourceType, ...cost }) => ({ ...cost, sourceType: sourceType ?? 'manual' })),
    ({ statement }) => statement as number,
  )
  return groupedBy(
    statements.map((statement): Charges => ({
      ...statement,
      fees: new Set(charged.get(statement.id)?.map(({ person, costMonth }) => feeKey(person!, costMonth))),
      outside: groupedBy(billed.get(statement.id) ?? [], ({ person }) => person as number),
    })),
    ({ customer }) => customer,
  )
}

/** What a customer's statements other than `own` charge. */
export function chargedBy(charges: readonly Charges[], own: number | null = null): Charged {
  const others = charges.filter(({ id }) => id !== own)
  const before = charges.find(({ id }) => id === own)?.outside
  const fees = new Set(others.flatMap(({ fees: charged }) => [...charged]))
  const first = new Map<number, string>()
  for (const { contract, billMonth } of others)
    if (billMonth < (first.get(contract) ?? '9999-12')) first.set(contract, billMonth)
  return {
    isCharged: (person, month) => fees.has(feeKey(person, month)),
    wasBilled: (contract, month) => (first.get(contract) ?? '9999-12') <= month,
    withoutFee: (person) =>
      new Map(
        others
          .filter(({ billMonth, outside }) => outside.has(person) && !fees.has(feeKey(person, billMonth)))
          .map(({ billMonth, outside }) => [billMonth, outside.get(person)!]),
      ),
    wasOutside: (person) => before?.has(person) ?? false,
  }
}

/** Before these statements are recomputed: they charge nothing. */
export const withoutCharges = (charges: readonly Charges[], statements: readonly number[]): Charges[] =>
  charges.map((charge) => (statements.includes(charge.id) ? { ...charge, fees: new Set<string>() } : charge))

/** After a statement was computed: it charges what these items say, and nothing else. */
export const withCharges = (
  charges: readonly Charges[],
  { id, customer, contract, billMonth }: Pick<Charges, 'id' | 'customer' | 'contract' | 'billMonth'>,
  items: readonly StatementItem[],
): Charges[] => {
  const beyond = items.filter(({ person, outsideTerm }) => person !== null && outsideTerm)
  const outside = groupedBy(beyond, ({ person }) => person!)
  const now = { id, customer, contract, billMonth, fees: chargedIn(items), outside }
  return [...charges.filter((charge) => charge.id !== id), now]
}

const chargedIn = (items: readonly StatementItem[]): Set<string> =>
  new Set(
    items.flatMap(({ sourceType, person, costMonth }) =>
      sourceType === 'contractFee' && person !== null ? feeKey(person, costMonth) : [],
    ),
  )

const feeKey = (person: number, month: string): string => `${person} ${month}`
