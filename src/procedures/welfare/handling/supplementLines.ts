import { addMonths } from '../../../../engine/expression/index.ts'
import {
  type OpenValues,
  type ProcedureWork,
  type Stored,
  textIn,
  type Values,
  valueIn,
} from '../../../../engine/server/procedure.ts'
import { decimal } from '../../money/amounts.ts'
import type { BackPaidMonth } from '../backPayment.ts'
import { isNothing, paidIn } from '../expenses/paid.ts'
import { dropTicketLines, linesFrom, writeTicketLines, type LineDraft } from '../expenses/ticketLines.ts'
import { backPaid, type Asked } from './backPaid.ts'
import { employedThenFor, monthsAsked } from './employedThen.ts'
import { makeTickets, presentEnrolments } from './enrolments.ts'
import {
  supplementMonthOf,
  supplementOf,
  type AdditionName,
  type EnrolmentName,
  type Family,
  type SupplementMonthName,
  type SupplementName,
} from './family.ts'
import { fittingFor } from './fitting.ts'

type Ticket = Values<SupplementName>

/** The inputs of back-payments for these people. */
export async function askedFor(
  work: ProcedureWork,
  family: Family,
  records: readonly Ticket[],
  handledOn: string | null = null,
): Promise<(record: Ticket) => Asked> {
  const persons = records.map(({ person }) => person!)
  const { fitting, employedIn } = await employedThenFor(work, await fittingFor(work, family, persons))
  const enrolments = await presentEnrolments(work, family, persons)
  const lines = await linesFrom(work, family, { persons, from: '0000-01' })
  return (record) => {
    const id = record.person!
    const { fromMonth, toMonth } = monthsAsked(record, fitting.month)
    // The months missed by an addition belong to the enrolment that it has created, whatever happened to the
    // employment.
    const { person, enrolment, problem } =
      record.source === 'addition'
        ? { person: fitting.persons.get(id)!, enrolment: enrolments.get(id), problem: null }
        : employedIn(id, { fromMonth, toMonth })
    // The ticket's own lines are not an obstacle.
    const own = lines.filter((line) => line.person === id && line.sourceNo !== (record.ticketNo ?? ''))
    return {
      fitting: { ...fitting, persons: new Map([[id, person]]) },
      enrolment,
      paid: paidIn(family, own),
      charged: paidIn(
        family,
        own.filter((line) => line.enrolment === enrolment?.id),
      ),
      problem,
      handledOn,
      today: work.today,
    }
  }
}

/** A line for each month in which anything is due; the whole late fee is at the first. */
export function linesOf(
  family: Family,
  ticket: Ticket,
  months: readonly Values<SupplementMonthName>[],
  enrolment: Values<EnrolmentName> | undefined,
): LineDraft[] {
  const own = ['serviceContract', 'supportStaff', 'policy', 'enrolment', 'lateFeeBearer']
  const amounts = family.items.flatMap(({ key }) => [`${key}Base`, `${key}Company`, `${key}Personal`])
  const due = months.filter((month) => !decimal(month.total).isZero())
  return due.map((month, index) => ({
    ...Object.fromEntries(own.filter((name) => name in ticket).map((name) => [name, valueIn(ticket, name)])),
    ...Object.fromEntries(
      ['base', ...amounts].filter((name) => name in month).map((name) => [name, valueIn(month, name)]),
    ),
    ...(family.base.mode !== 'none' && { declaredBase: textIn(ticket, 'base') }),
    ...(family.supplement?.lateFee === 'daily' && {
      lateFee: index === 0 ? (textIn(ticket, 'lateFee') ?? '0.00') : '0.00',
    }),
    person: ticket.person!,
    customer: ticket.customer ?? null,
    city: ticket.city ?? null,
    account: ticket.account!,
    personalAccountNo: enrolment?.personalAccountNo ?? null,
    feeMonth: String(ticket.handleMonth),
    belongMonth: String(month.month),
    expenseType: 'supplement',
    sourceNo: String(ticket.ticketNo),
    ...('id' in ticket && { supplement: ticket.id }),
  }))
}

/** Whether everything that is due for the month was paid before. */
const isPaid = ({ paid }: Asked, { month, amounts }: BackPaidMonth): boolean => {
  const before = paid.get(month)
  return before !== undefined && Object.keys(amounts).every((key) => !isNothing({ [key]: before[key] }))
}

/**
 * Pays back the months missed by additions: from the first paid one to that in which they were handled, without those
 * at either end that were paid back before. A separate ticket for each if the family has back-payments, else lines at
 * once. @throws Refusal notAllowed if somebody has an open one.
 */
export async function payBackAdditions(
  work: ProcedureWork,
  family: Family,
  additions: readonly Stored<AdditionName>[],
): Promise<void> {
  const late = additions.filter(({ startMonth, handleMonth }) => handleMonth !== null && startMonth < handleMonth)
  if (late.length === 0) return
  const given = late.map((addition) => {
    const base: OpenValues = family.base.mode === 'none' ? {} : { base: textIn(addition, 'declaredBase') }
    const { person, startMonth: fromMonth, handleMonth } = addition
    return { person, fromMonth, toMonth: addMonths(handleMonth!, -1)!, source: 'addition' as const, ...base }
  })
  const askedOf = await askedFor(work, family, given)
  const worked = late.flatMap((addition, index) => {
    const asked = askedOf(given[index])
    const unpaid = backPaid(asked, given[index]).months.filter((month) => !isPaid(asked, month))
    if (unpaid.length === 0) return []
    const own = { ...given[index], fromMonth: unpaid[0].month, toMonth: unpaid.at(-1)!.month }
    return { addition, given: own, asked, ...backPaid(asked, own) }
  })
  if (family.pages.supplement === null) {
    const lines = worked.flatMap(({ addition: { handleMonth, ticketNo }, given: own, values, rows, asked }) =>
      linesOf(family, { ...own, ...values, handleMonth, ticketNo }, rows, asked.enrolment),
    )
    await writeTicketLines(work, family, lines)
    return
  }
  const supplements = await makeTickets(
    work,
    supplementOf(family),
    worked.map(({ addition, given: own, values, lateFee }): Ticket & { person: number } => ({
      ...own,
      ...values,
      person: own.person,
      ...(family.supplement?.lateFee === 'daily' && { lateFee }),
      supplementType: family.supplementTypes![0].value,
      reason: `${family.cn}增员${addition.ticketNo}`,
      addition: addition.id,
    })),
  )
  await work.insert(
    supplementMonthOf(family),
    worked.flatMap(({ rows }, index) => rows.map((row) => ({ ...row, supplement: supplements[index] }))),
  )
}

/**
 * Removes the back-payments of additions that are not handled after all. @throws Refusal notAllowed if one is in
 * progress.
 */
export async function dropBackPayments(
  work: ProcedureWork,
  family: Family,
  additions: readonly Stored<AdditionName>[],
): Promise<void> {
  await dropTicketLines(work, family, additions)
  if (family.pages.supplement === null) return
  const name = supplementOf(family)
  const addition = additions.map(({ id }) => id)
  const tickets = await work.read(name, { where: { addition, status: { not: 'cancelled' } }, lock: true })
  const begun = tickets.find(({ status }) => status === 'processing' || status === 'success')
  if (begun)
    work.refuseCall({
      cn: `补缴任务${begun.ticketNo}已受理，不能撤回`,
      en: `Back-payment ${begun.ticketNo} is already in progress`,
    })
  await work.changeAll(
    name,
    tickets.map((record) => ({ record, values: { status: 'cancelled' } })),
    { action: 'cancel' },
  )
}
