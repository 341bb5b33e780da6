import { type OpenValues, type ProcedureWork, type Stored, textIn } from '../../../../engine/server/procedure.ts'
import { isOpen } from '../expenses/summaries.ts'
import { linesFrom } from '../expenses/ticketLines.ts'
import { openStates } from './enrolments.ts'
import {
  additionOf,
  enrolmentOf,
  expenseSummaryOf,
  backPaymentOf,
  type Enrolment,
  type Family,
  type ReductionName,
} from './family.ts'
import { payBack, type Missed } from './backPaymentLines.ts'

/**
 * Pays back the months that were locked without an enrolment while it had ended, if it did not end then after all: its
 * reduction was revoked, and is given up or has a later last month. @throws Refusal notAllowed if somebody has an open
 * back-payment for other months.
 */
export async function payBackLocked(
  work: ProcedureWork,
  family: Family,
  reductions: readonly Stored<ReductionName>[],
): Promise<void> {
  const ids = reductions.map(({ enrolment }) => enrolment)
  const enrolments = await work.byId(enrolmentOf(family), ids)
  const all = [...enrolments.values()]
  const missing = await missingMonths(work, family, all)
  const made = await work.read(additionOf(family), {
    where: { enrolment: all.map(({ id }) => id), status: 'success' },
    fields: ['enrolment', 'ticketNo'],
  })
  await payBack(
    work,
    family,
    reductions.flatMap(({ enrolment: id, ticketNo, handleMonth }): Missed[] => {
      const enrolment = enrolments.get(id ?? 0)
      const months = enrolment ? missing(enrolment) : []
      if (!enrolment || months.length === 0) return []
      const addition = made.find((each) => each.enrolment === id)
      const base: OpenValues = family.base.mode === 'none' ? {} : { base: textIn(enrolment, 'declaredBase') }
      const [fromMonth, toMonth] = [months[0], months.at(-1)!]
      const from = addition ? ({ source: 'addition', addition: addition.id } as const) : { source: 'person' as const }
      return [
        {
          given: { person: enrolment.person!, fromMonth, toMonth, ...from, ...base },
          // They go where the enrolment goes.
          ticket: { ticketNo: addition?.ticketNo ?? ticketNo, handleMonth: handleMonth ?? work.today.slice(0, 7) },
          reason: `${family.cn}减员${ticketNo}之后继续参保`,
          onlyDue: true,
        },
      ]
    }),
  )
}

/** The locked months of enrolments in which the person has no line, and no open back-payment. */
async function missingMonths(work: ProcedureWork, family: Family, enrolments: readonly Enrolment[]) {
  const from = enrolments.map(firstOf).sort()[0] ?? '9999-12'
  const summaries = await work.read(expenseSummaryOf(family), {
    where: { account: enrolments.map(({ account }) => account), feeMonth: { between: [from, null] } },
    fields: ['account', 'customer', 'feeMonth', 'status'],
    order: 'feeMonth',
  })
  const locked = summaries.filter((summary) => !isOpen(summary))
  const persons = enrolments.flatMap(({ person }) => person ?? [])
  const lines = locked.length === 0 ? [] : await linesFrom(work, family, { persons, from })
  const open =
    locked.length === 0 || family.pages.supplement === null
      ? []
      : await work.read(backPaymentOf(family), {
          where: { person: persons, status: openStates },
          fields: ['person', 'fromMonth', 'toMonth'],
        })
  return (enrolment: Enrolment): string[] => {
    const { person, account, customer, endMonth } = enrolment
    const isHere = (month: string) => firstOf(enrolment) <= month && month <= (endMonth ?? '9999-12')
    const isCovered = (month: string) =>
      lines.some((line) => line.person === person && line.belongMonth === month) ||
      open.some((each) => each.person === person && each.fromMonth <= month && month <= each.toMonth)
    return locked
      .filter((summary) => summary.account === account && summary.customer === customer)
      .map(({ feeMonth }) => feeMonth)
      .filter((month) => isHere(month) && !isCovered(month))
  }
}

const firstOf = ({ feeFrom, startMonth }: Enrolment): string => String(feeFrom ?? startMonth)
