import { addMonths } from '../../../engine/expression/index.ts'
import type { ProcedureWork, Stored } from '../../../engine/server/procedure.ts'
import { isDueIn } from './billing.ts'
import { tellOfStatement } from './journal.ts'
import { lockOpen, workOutAnew } from './rework.ts'

export type DueCost = Pick<Stored<'costLine'>, 'customer' | 'contract' | 'billMonth' | 'costMonth' | 'sourceType'>

/**
 * Costs were added or taken away: statements that are still open follow. What is new goes into the earliest of its
 * contract in which it is due; where none is open, it waits for the next.
 */
export async function followCosts(
  work: ProcedureWork,
  {
    made,
    gone = [],
  }: { made: readonly DueCost[]; gone?: readonly Pick<Stored<'costLine'>, 'statement' | 'statementStage'>[] },
): Promise<void> {
  const { closedMonth } = work.settings.parameter
  const open = await work.read('statement', {
    where: {
      customer: [...new Set(made.map(({ customer }) => customer))],
      stage: 'generated',
      ...(closedMonth && { billMonth: { between: [addMonths(closedMonth, 1), null] } }),
    },
    fields: ['customer', 'contract', 'billMonth', 'wageMonth', 'insuranceMonth'],
    order: 'billMonth',
  })
  const awaiting = made.flatMap((cost) => {
    const ofIt = open.filter(({ customer, contract }) =>
      cost.contract === null ? customer === cost.customer : contract === cost.contract,
    )
    return ofIt.find((statement) => isDueIn(cost, statement))?.id ?? []
  })
  const left = gone.flatMap(({ statement, statementStage }) =>
    statement !== null && statementStage === 'generated' ? statement : [],
  )
  for (const id of new Set([...left, ...awaiting])) await followStatement(work, id)
}

/** An open statement is worked out anew because something else has changed. */
export async function followStatement(work: ProcedureWork, id: number): Promise<void> {
  const statement = await lockOpen(work, id)
  const old = { ...statement }
  await workOutAnew(work, statement, { action: 'regenerate' })
  if (statement.totalAmount !== old.totalAmount) await tellOfStatement(work, 'generate', { statement, old })
}
