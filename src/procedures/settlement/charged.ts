import type { ProcedureWork, Stored } from '../../../engine/server/procedure.ts'
import type { StatementItem } from './StatementItem.ts'
import { isStanding } from './isStanding.ts'

/** The people whom a statement charges a fee of its contract for. */
export interface Charges {
  id: number
  contract: number
  billMonth: string
  people: ReadonlySet<number>
}

/** The people whom statements of these contracts charge for months whose wages are billed. */
export async function readCharges(
  work: ProcedureWork,
  contracts: readonly number[],
  months: readonly Pick<Stored<'statement'>, 'wageMonth'>[],
): Promise<Charges[]> {
  const statements = await work.read('statement', {
    where: { contract: contracts, billMonth: [...new Set(months.map(({ wageMonth }) => wageMonth))], ...isStanding },
    fields: ['contract', 'billMonth'],
  })
  const fees = await work.read('statementItem', {
    where: {
      statement: statements.map(({ id }) => id as number),
      sourceType: 'contractFee',
      person: { empty: false },
    },
    fields: ['statement', 'person'],
  })
  const people = new Map(statements.map(({ id }): [number, Set<number>] => [id, new Set()]))
  for (const { statement, person } of fees) people.get(statement)!.add(person!)
  return statements.map(({ id, contract, billMonth }) => ({ id, contract, billMonth, people: people.get(id)! }))
}

/** The people whom statements other than `own` charge for the month whose wages are billed. */
export const chargedBy = (
  charges: readonly Charges[],
  { wageMonth }: Pick<Stored<'statement'>, 'wageMonth'>,
  own: number | null = null,
): Set<string> =>
  new Set(
    charges
      .filter(({ id, billMonth }) => billMonth === wageMonth && id !== own)
      .flatMap(({ contract, people }) => [...people].map((person) => chargedKey(contract, person))),
  )

/** After a statement was recomputed: it charges for these people, and no others. */
export const withCharges = (
  charges: readonly Charges[],
  statement: number,
  items: readonly StatementItem[],
): Charges[] => charges.map((one) => (one.id === statement ? { ...one, people: chargedIn(items) } : one))

const chargedIn = (items: readonly StatementItem[]): Set<number> =>
  new Set(items.flatMap(({ sourceType, person }) => (sourceType === 'contractFee' && person !== null ? person : [])))

export const chargedKey = (contract: number, person: number): string => `${contract} ${person}`
