import type { ProcedureWork } from '../../../../engine/server/procedure.ts'
import type { Contribution } from '../contribution.ts'
import { groupedBy } from '../groupedBy.ts'
import { enrolmentOf, type Family, type Line } from '../handling/family.ts'
import { readTicketContext } from '../handling/ticketContext.ts'
import { enrolmentsIn } from '../handling/formerEnrolments.ts'
import { difference } from '../reconciliation.ts'
import type { YearSoFar } from '../soFar.ts'
import { usesYearSoFar, soFarBefore } from '../yearSoFar.ts'
import { yearLines } from './yearCharges.ts'
import { isDecided } from './isDecided.ts'
import { asPaidBack, contributionsIn, isNothing, monthTotals, sum } from './lineAmounts.ts'
import { normalLine } from './normalLine.ts'

/** Lines that are not updated automatically: normal lines that are locked or decided by hand, and back-payments. */
export const isFinal = (line: Line): boolean =>
  line.expenseType === 'supplement' || (line.expenseType === 'normal' && (line.stage === 'locked' || isDecided(line)))

/** The changed amount of a locked month, because an earlier month has changed. */
interface MonthChange {
  line: Line
  amounts: Record<string, Contribution>
}

/**
 * The effect of ticket lines on the later locked months of their years, if those depend on the year so far: amounts
 * with the lines minus amounts without them, or the reverse if they are removed. Months with a line of the same ticket
 * already include it.
 */
export async function laterMonthChanges(
  work: ProcedureWork,
  family: Family,
  own: readonly Pick<Line, 'enrolment' | 'belongMonth' | 'sourceNo'>[],
  { goes }: { goes: boolean },
): Promise<MonthChange[]> {
  if (!usesYearSoFar(family.items)) return []
  const ids = own.flatMap(({ enrolment }) => enrolment ?? [])
  const enrolments = await work.read(enrolmentOf(family), { where: { id: ids } })
  const context = await readTicketContext(
    work,
    family,
    enrolments.map(({ person }) => person),
  )
  const changes: MonthChange[] = []
  for (const [year, ofYear] of groupedBy(own, ({ belongMonth }) => belongMonth.slice(0, 4))) {
    const lines = groupedBy(await yearLines(work, family, ids, year), ({ enrolment }) => enrolment)
    for (const enrolment of enrolments) {
      const made = ofYear.filter((line) => line.enrolment === enrolment.id)
      const tickets = new Set(made.map(({ sourceNo }) => sourceNo))
      const first = made.map(({ belongMonth }) => belongMonth).sort()[0]
      const all = lines.get(enrolment.id) ?? []
      const isOfTicket = ({ sourceNo }: Line) => sourceNo !== null && tickets.has(sourceNo)
      const [withThem, without] = [all, all.filter((line) => !isOfTicket(line))].map((each) =>
        monthTotals(family, each),
      )
      const [before, after] = goes ? [withThem, without] : [without, withThem]
      for (const [month, then] of groupedBy(all, ({ belongMonth }) => belongMonth)) {
        const normal = then.find(({ expenseType }) => expenseType === 'normal')
        const line = normal ?? then.find(isFinal)
        if (first === undefined || month <= first || !line || !isFinal(line) || then.some(isOfTicket)) continue
        const [asOf] = await enrolmentsIn(work, family, [enrolment], month)
        const due = (soFar: YearSoFar): Record<string, Contribution> => {
          const found = normalLine(context, normal ? asOf : asPaidBack(asOf, line), month, { soFar })
          return found ? contributionsIn(family, found) : {}
        }
        const amounts = difference(due(soFarBefore(month, before)), due(soFarBefore(month, after)))
        if (isNothing(amounts)) continue
        after.set(month, sum(after.get(month) ?? amounts, amounts))
        changes.push({ line, amounts })
      }
    }
  }
  return changes
}
