import type { Stored } from '../../../engine/server/procedure.ts'
import { groupedBy } from '../welfare/groupedBy.ts'
import { isDueIn } from './billableCosts.ts'

type Cost = Pick<
  Stored<'costLine'>,
  'id' | 'customer' | 'contract' | 'billMonth' | 'costMonth' | 'sourceType' | 'statement'
>
type Statement = Pick<
  Stored<'statement'>,
  'id' | 'customer' | 'contract' | 'billMonth' | 'wageMonth' | 'insuranceMonth'
>

/**
 * What each of these statements bills when they are recomputed in sequence: due costs of its contract, or of its
 * customer without a contract, that no other one bills. `moved`: which statement bills each cost from then on, null for
 * none.
 */
export function sharedCosts<C extends Cost>(
  open: readonly C[],
  statements: readonly Statement[],
): { costs: Map<number, C[]>; moved: { statement: number | null; costs: C[] }[] } {
  const at = new Map<C, number | null>(open.map((cost) => [cost, cost.statement]))
  const isOf = ({ contract, customer }: Cost, statement: Statement) =>
    contract === null ? customer === statement.customer : contract === statement.contract
  for (const statement of statements)
    for (const [cost, holder] of at) {
      if (holder !== null && holder !== statement.id) continue
      at.set(cost, isOf(cost, statement) && isDueIn(cost, statement) ? statement.id : null)
    }
  const billed = groupedBy(open, (cost) => at.get(cost) ?? null)
  const costs = new Map(statements.map(({ id }): [number, C[]] => [id, billed.get(id) ?? []]))
  return { costs, moved: [...billed].map(([statement, own]) => ({ statement, costs: own })) }
}
