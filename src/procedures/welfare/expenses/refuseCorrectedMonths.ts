import type { ProcedureWork } from '../../../../engine/server/procedure.ts'
import { expenseLineOf, type Enrolment, type Family, type Line } from '../handling/family.ts'

/**
 * Refuses to unlock a month that a later one compensates for: its lines would follow what is in force now, and the
 * person would be charged for the change twice.
 * @throws Refusal notAllowed, with the ticket that must be revoked first.
 */
export async function refuseCorrectedMonths(
  work: ProcedureWork,
  family: Family,
  lines: readonly Line[],
): Promise<void> {
  const keyOf = ({ enrolment, belongMonth }: Pick<Line, 'enrolment' | 'belongMonth'>) => `${enrolment} ${belongMonth}`
  const normal = lines.filter(({ expenseType }) => expenseType === 'normal')
  const months = new Set(normal.map(keyOf))
  const later = await work.read(expenseLineOf(family), {
    where: {
      enrolment: normal.map(({ enrolment }) => enrolment),
      belongMonth: [...new Set(normal.map(({ belongMonth }) => belongMonth))],
      expenseType: ['difference', 'refund'],
      stage: ['open', 'locked'],
    },
    fields: ['enrolment', 'belongMonth', 'personName', 'sourceNo'],
  })
  // Those that are unlocked as well can still be revoked.
  const own = new Set(lines.map(({ id }) => id))
  const found = later.find((line) => months.has(keyOf(line)) && !own.has(line.id))
  if (!found) return
  const { personName, belongMonth, sourceNo } = found
  work.refuseCall({
    cn: `${personName}${belongMonth}的费用已由${sourceNo}补差或退费，请先撤回该任务`,
    en: `${sourceNo} has already corrected the expenses of ${personName} for ${belongMonth}: revoke that ticket first`,
  })
}

/**
 * The enrolments whose charge for a month a ticket has corrected, so that it stays. What a reduction gives back of a
 * longer cycle, in its last month, corrects nothing of that month.
 */
export async function correctedIn(
  work: ProcedureWork,
  family: Family,
  enrolments: readonly Pick<Enrolment, 'id' | 'endMonth'>[],
  belongMonth: string,
): Promise<ReadonlySet<number | null>> {
  const ends = new Map(enrolments.map(({ id, endMonth }) => [id, endMonth]))
  const lines = await work.read(expenseLineOf(family), {
    where: {
      enrolment: [...ends.keys()],
      belongMonth,
      expenseType: ['difference', 'refund'],
      stage: ['open', 'locked'],
    },
    fields: ['enrolment', 'expenseType'],
  })
  return new Set(
    lines.flatMap(({ enrolment, expenseType }) =>
      expenseType === 'refund' && ends.get(enrolment!) === belongMonth ? [] : [enrolment],
    ),
  )
}
