import { addMonths } from '../../../engine/expression/index.ts'
import type { ProcedureWork, Stored } from '../../../engine/server/procedure.ts'
import { isDueIn } from './billableCosts.ts'
import { appendStatementEntries } from './journal.ts'
import { lockOpen, recomputeStatements } from './recomputeStatements.ts'

export type DueCost = Pick<Stored<'costLine'>, 'customer' | 'contract' | 'billMonth' | 'costMonth' | 'sourceType'>

/**
 * After costs were added or removed: open statements are updated. New costs go into the earliest statement of their
 * contract in which they are due; if none is open, they wait for the next.
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
  await followStatements(work, [...left, ...awaiting])
}

/** Open statements are recomputed because something else has changed. */
export async function followStatements(work: ProcedureWork, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const changes = (await lockOpen(work, ids)).map((statement) => ({ statement, old: { ...statement } }))
  await recomputeStatements(
    work,
    changes.map(({ statement }) => statement),
    { action: 'regenerate' },
  )
  await appendStatementEntries(
    work,
    'generate',
    changes.filter(({ statement, old }) => statement.totalAmount !== old.totalAmount),
  )
}
