import type { ProcedureWork } from '../../../engine/server/procedure.ts'
import { isStanding } from './isStanding.ts'

/**
 * After budgets or statements of these contracts have changed: each budget refers to the statement of its month, and
 * once that is confirmed, its lines refer to those of the same people.
 */
export async function compareBudgets(work: ProcedureWork, contracts: readonly number[]): Promise<void> {
  const budgets = await work.read('budget', {
    where: { contract: contracts },
    fields: ['contract', 'month', 'statement'],
  })
  const statements = await work.read('statement', {
    where: { contract: contracts, billMonth: budgets.map(({ month }) => month), ...isStanding },
    fields: ['contract', 'billMonth', 'stage'],
  })
  const statementOf = new Map(
    budgets.map(({ id, contract, month }) => [
      id as number,
      statements.findLast((statement) => statement.contract === contract && statement.billMonth === month),
    ]),
  )
  await work.setReferences(
    'budget',
    'statement',
    budgets.map(({ id }) => ({ id, at: statementOf.get(id)?.id ?? null })),
  )

  const lines = await work.read('budgetLine', {
    where: { budget: budgets.map(({ id }) => id) },
    fields: ['budget', 'lineType', 'person'],
  })
  const confirmed = [...statementOf.values()].filter((statement) => statement?.stage === 'confirmed')
  const billed = await work.read('statementLine', {
    where: { statement: confirmed.map((statement) => statement!.id) },
    fields: ['statement', 'lineType', 'person'],
  })
  const last = new Map(billed.map((each) => [keyOf(each.statement, each), each.id as number]))
  // Costs without a person go to the company's first line.
  const company = new Map(
    lines.toReversed().flatMap((line) => (line.lineType === 'company' ? [[line.budget as number, line.id]] : [])),
  )
  await work.setReferences(
    'budgetLine',
    'statementLine',
    lines.map((line) => {
      const statement = statementOf.get(line.budget)
      const isOne = line.person !== null || company.get(line.budget) === line.id
      return { id: line.id, at: (statement && isOne && last.get(keyOf(statement.id, line))) || null }
    }),
  )
}

/** By person, or for lines without a person by their type. */
const keyOf = (statement: number, { person, lineType }: { person: number | null; lineType: string }): string =>
  `${statement} ${person ?? lineType}`
