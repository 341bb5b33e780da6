import { addMonths } from '../../../../engine/expression/index.ts'
import type { ProcedureWork } from '../../../../engine/server/procedure.ts'
import { enrolmentOf, expenseLineOf, type Family, type Line } from '../handling/family.ts'
import { groupedBy } from '../groupedBy.ts'
import { fittingFor } from '../handling/fitting.ts'
import { enrolmentsIn } from '../handling/formerly.ts'
import { monthRange } from '../months.ts'
import { asksOfYear } from '../yearSoFar.ts'
import { chargedBefore } from './charged.ts'
import { lockedAfter, normalLine } from './renew.ts'

// Where a month depends on the year so far, months are locked in order, so that what a locked one counted stays true.

/** @throws Refusal notAllowed where an earlier month of somebody's year is still open, or not made yet. */
export async function refuseUnordered(
  work: ProcedureWork,
  family: Family,
  locking: readonly Line[],
  summaries: readonly number[],
): Promise<void> {
  if (!asksOfYear(family.items)) return
  const normal = locking.filter(({ expenseType, enrolment }) => expenseType === 'normal' && enrolment !== null)
  const enrolments = await work.byId(
    enrolmentOf(family),
    normal.map(({ enrolment }) => enrolment),
  )
  const fitting = await fittingFor(
    work,
    family,
    normal.map(({ person }) => person),
  )
  const there = await work.read(expenseLineOf(family), {
    where: { enrolment: [...enrolments.keys()], expenseType: 'normal' },
    fields: ['enrolment', 'feeMonth', 'stage', 'summary'],
  })
  const lineOf = new Map(there.map((line) => [`${line.enrolment} ${line.feeMonth}`, line]))
  for (const line of normal) {
    const { feeMonth, personName } = line
    const enrolment = enrolments.get(line.enrolment!)!
    const begin = [`${feeMonth.slice(0, 4)}-01`, String(enrolment.feeFrom ?? enrolment.startMonth)].sort()[1]
    for (const month of monthRange(begin, addMonths(feeMonth, -1)!)) {
      const found = lineOf.get(`${enrolment.id} ${month}`)
      if (found?.stage === 'open' && !summaries.includes(found.summary!))
        work.refuseCall({
          cn: `${personName}${month}的费用尚未确认，请先确认`,
          en: `The expenses of ${personName} for ${month} are still open: confirm them first`,
        })
      if (found) continue
      const soFar = await chargedBefore(work, family, [enrolment], month)
      const [then] = await enrolmentsIn(work, family, [enrolment], month)
      if (normalLine(fitting, then, month, soFar(enrolment.id)))
        work.refuseCall({
          cn: `${personName}${month}的费用尚未生成，请先生成并确认`,
          en: `The expenses of ${personName} for ${month} have not been generated: generate and confirm them first`,
        })
    }
  }
}

/** @throws Refusal notAllowed where a later month of somebody's year is locked and has counted these lines. */
export async function refuseCounted(work: ProcedureWork, family: Family, lines: readonly Line[]): Promise<void> {
  for (const [belongMonth, own] of groupedBy(lines, (line) => line.belongMonth)) {
    const locked = await lockedAfter(
      work,
      family,
      belongMonth,
      own.flatMap(({ enrolment }) => enrolment ?? []),
    )
    const line = own.find(({ enrolment }) => enrolment !== null && locked.has(enrolment))
    if (!line) continue
    const month = locked.get(line.enrolment!)!
    work.refuseCall({
      cn: `${line.personName}${month}的费用已锁定，并计入了本年累计，请先取消确认`,
      en: `The locked expenses of ${line.personName} for ${month} depend on this month: reopen them first`,
    })
  }
}
