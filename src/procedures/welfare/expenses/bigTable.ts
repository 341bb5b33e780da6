import { procedure, type ProcedureWork, valueIn } from '../../../../engine/server/procedure.ts'
import { expenseLineOf, expenseSummaryOf, familyOf, type Family, type Line, type LineName } from '../handling/family.ts'
import { deliver } from './deliver.ts'
import { absence, asDue, groupKey, isBeside, nothing } from './tableFigures.ts'
import { openSummary } from './summaries.ts'

/**
 * Lines of the same accounts and months that a table of this kind covers: back-payments are separate if they have their
 * own table.
 */
async function beside(work: ProcedureWork, family: Family, lines: readonly Line[]): Promise<Line[]> {
  const keyOf = ({ account, feeMonth }: Line) => `${account} ${feeMonth}`
  const pairs = new Set(lines.map(keyOf))
  const isBackPayment = lines.some(({ expenseType }) => expenseType === 'supplement')
  const found = await work.read(expenseLineOf(family), {
    where: {
      account: lines.map(({ account }) => account),
      feeMonth: lines.map(({ feeMonth }) => feeMonth),
      stage: 'open',
    },
    lock: true,
  })
  const isMeant = ({ expenseType }: Line) =>
    !family.expense.masks.includes(2) || (expenseType === 'supplement') === isBackPayment
  return found.filter((line) => pairs.has(keyOf(line)) && isMeant(line))
}

/**
 * After a table of the bureau was imported: lines that it lacks are missing, and figures from an earlier table are
 * cleared. After an undo, which passes the lines as they were before it: nothing is compared with the table any more.
 */
export const reconcileExpenses = procedure<LineName>(async (work, { entity, records, before }) => {
  const family = familyOf(work, entity)
  const undone = before.filter((record) => record !== null)
  const isUndone = undone.length > 0 || before.length < records.length
  const affected = isUndone ? undone : records
  const read = new Set(isUndone ? [] : records.map(({ id }) => id))
  // If rows have no type, the person's other lines were compared together with the updated one.
  const heads = isUndone || !family.expense.masks.includes(2) ? [] : records
  const compared = new Set(heads.map(groupKey))
  const others = (await beside(work, family, affected)).filter(
    (line) => !read.has(line.id) && !(isBeside(line) && compared.has(groupKey(line))),
  )
  const tickets = new Set(isUndone ? [] : records.flatMap((line) => valueIn(line, 'supplement') ?? []))
  await work.changeAll(
    entity,
    others.map((record) => ({
      record,
      values: {
        ...nothing(family),
        ...(tickets.has(valueIn(record, 'supplement')) ? asDue(family, record) : absence(record, isUndone)),
      },
    })),
  )
  await deliver(
    work,
    family,
    others.filter(({ stage }) => stage === 'void'),
  )
  await noteTable(work, family, [...records, ...undone, ...others], {
    isBackPayment: affected.some(({ expenseType }) => expenseType === 'supplement'),
    isUndone,
  })
})

async function noteTable(
  work: ProcedureWork,
  family: Family,
  lines: readonly Line[],
  { isBackPayment, isUndone }: { isBackPayment: boolean; isUndone: boolean },
): Promise<void> {
  const name = expenseSummaryOf(family)
  const field = isBackPayment && family.expense.masks.includes(2) ? 'bigTableSupplementAt' : 'bigTableAt'
  const summaries = await work.read(name, {
    where: { id: lines.flatMap(({ summary }) => summary ?? []), status: openSummary },
    lock: true,
  })
  await work.changeAll(
    name,
    summaries.map((record) => ({
      record,
      values: { [field]: isUndone ? null : work.now, status: 'reconciling' as const },
    })),
  )
}
