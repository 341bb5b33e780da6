import { addMonths } from '../../../../engine/expression/index.ts'
import type { ProcedureWork } from '../../../../engine/server/procedure.ts'
import { enrolmentOf, expenseLineOf, type Enrolment, type Family, type Line } from '../handling/family.ts'
import { groupedBy } from '../groupedBy.ts'
import { readTicketContext } from '../handling/ticketContext.ts'
import { formerEnrolments } from '../handling/formerEnrolments.ts'
import { monthRange } from '../monthRange.ts'
import { usesYearSoFar } from '../yearSoFar.ts'
import { yearCharges } from './yearCharges.ts'
import { paidBackIn } from './paidBackIn.ts'
import { lockedAfter } from './renew.ts'
import { normalLine } from './normalLine.ts'

// If a month depends on the year so far, months are locked in order, so that what a locked one counted stays true.

/** A month of an enrolment that comes before one to be locked, and has no line. */
interface Missing {
  enrolment: Enrolment
  personName: string | null
  month: string
}

/** @throws Refusal notAllowed if an earlier month of a person's year is still open, or not created yet. */
export async function refuseUnordered(
  work: ProcedureWork,
  family: Family,
  locking: readonly Line[],
  summaries: readonly number[],
): Promise<void> {
  if (!usesYearSoFar(family.items)) return
  const normal = locking.filter(({ expenseType, enrolment }) => expenseType === 'normal' && enrolment !== null)
  const enrolments = await work.byId(
    enrolmentOf(family),
    normal.map(({ enrolment }) => enrolment),
  )
  const there = await work.read(expenseLineOf(family), {
    where: { enrolment: [...enrolments.keys()], expenseType: 'normal' },
    fields: ['enrolment', 'feeMonth', 'stage', 'summary'],
  })
  const lineOf = new Map(there.map((line) => [`${line.enrolment} ${line.feeMonth}`, line]))
  const missing = normal.flatMap(({ feeMonth, personName, enrolment: id }) => {
    const enrolment = enrolments.get(id!)!
    const begin = [`${feeMonth.slice(0, 4)}-01`, String(enrolment.feeFrom ?? enrolment.startMonth)].sort()[1]
    return monthRange(begin, addMonths(feeMonth, -1)!).flatMap((month): Missing[] => {
      const found = lineOf.get(`${id} ${month}`)
      if (found?.stage === 'open' && !summaries.includes(found.summary!))
        work.refuseCall({
          cn: `${personName}${month}的费用尚未确认，请先确认`,
          en: `The expenses of ${personName} for ${month} are still open: confirm them first`,
        })
      return found ? [] : [{ enrolment, personName, month }]
    })
  })
  await refuseMissing(work, family, missing)
}

/** @throws Refusal notAllowed if something is due in one of these months. */
async function refuseMissing(work: ProcedureWork, family: Family, missing: readonly Missing[]): Promise<void> {
  if (missing.length === 0) return
  const enrolments = [...new Set(missing.map(({ enrolment }) => enrolment))]
  const persons = enrolments.map(({ person }) => person)
  const context = await readTicketContext(work, family, persons)
  const months = [...new Set(missing.map(({ month }) => month))]
  const paidBack = await paidBackIn(work, family, persons, months)
  const then = await formerEnrolments(work, family, enrolments)
  for (const [year, ofYear] of groupedBy(missing, ({ month }) => month.slice(0, 4))) {
    const chargesIn = await yearCharges(work, family, enrolments, year)
    const due = ofYear.find(({ enrolment, month }) =>
      normalLine(context, then(enrolment, month), month, {
        soFar: chargesIn(enrolment.id, month),
        paidBack: paidBack(enrolment.person, month, false),
      }),
    )
    if (!due) continue
    const { personName, month } = due
    work.refuseCall({
      cn: `${personName}${month}的费用尚未生成，请先生成并确认`,
      en: `The expenses of ${personName} for ${month} have not been generated: generate and confirm them first`,
    })
  }
}

/** @throws Refusal notAllowed if a later month of a person's year is locked and has counted these lines. */
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
      en: `The locked expenses of ${line.personName} for ${month} depend on this month: undo their confirmation first`,
    })
  }
}
