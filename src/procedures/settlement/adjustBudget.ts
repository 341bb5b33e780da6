import { procedure, type ProcedureWork } from '../../../engine/server/procedure.ts'
import { contractFields } from './billableCosts.ts'
import {
  budgetMonths,
  plannedOf,
  readEmployed,
  readLast,
  computeBudgetLines,
  type PlannedLine,
  type Staff,
} from './budgetInputs.ts'
import { compareBudgets } from './compareBudgets.ts'
import { appendJournal } from './journal.ts'
import { journalOf, byPerson, type StoredBudget } from './generateBudgets.ts'
import { monthClosed } from './lockBilling.ts'
import { refuseStrangers } from './refuseStrangers.ts'

/**
 * After a line was added, changed or deleted: recomputes fees, tax and totals of its budget.
 * @throws Refusal notAllowed if it is no longer a draft, or its month is closed; invalid for a stranger.
 */
export const adjustBudget = procedure<'budgetLine'>(async (work, { records }) => {
  await refuseStrangers(work, 'budgetLine', records)
  for (const id of new Set(records.map(({ budget }) => budget))) {
    const budget = await work.lock('budget', id)
    if (budget.stage !== 'drafted') work.refuseCall()
    const { closedMonth } = work.settings.parameter
    if (closedMonth && budget.month <= closedMonth) work.refuseCall(monthClosed)
    const { totalAmount } = budget
    await addUp(work, budget)
    await appendJournal(work, [
      {
        ...journalOf(budget),
        action: 'adjust',
        amountBefore: totalAmount,
        statusBefore: 'drafted',
        statusAfter: 'drafted',
      },
    ])
    await compareBudgets(work, [budget.contract])
  }
  const written = await work.byId(
    'budgetLine',
    records.map(({ id }) => id),
  )
  for (const record of records) Object.assign(record, written.get(record.id))
})

async function addUp(work: ProcedureWork, budget: StoredBudget): Promise<void> {
  const { month } = budget
  const [contract] = await work.read('contract', { where: { id: budget.contract }, fields: contractFields })
  const kept = await work.read('budgetLine', { where: { budget: budget.id } })
  const staff = await readEmployed(work, [budget.customer], budgetMonths(work, month).wageMonth)
  const isOwn = ({ record }: Staff) => record.serviceContract === budget.contract
  const people = byPerson([...staff.filter((each) => !isOwn(each)), ...staff.filter(isOwn)])
  const last = await readLast(work, [budget.customer], month)
  const lines = kept.map((line): PlannedLine => ({
    id: line.id,
    lineType: line.lineType,
    person: line.person,
    label: line.label,
    workCity: line.workCity,
    amounts: plannedOf(line),
  }))
  const { worked, records } = computeBudgetLines({ contract, terms: budget, month, lines, people, last })
  await work.changeAll(
    'budgetLine',
    kept.map((record, index) => ({ record, values: records[index] })),
  )
  await work.insert(
    'budgetLine',
    records.slice(kept.length).map((line) => ({ ...line, budget: budget.id })),
  )
  await work.change('budget', budget, { headcount: worked.headcount, ...worked.amounts }, { action: 'adjust' })
}
