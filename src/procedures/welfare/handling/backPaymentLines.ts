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
import type { BackPaidMonth } from '../computeBackPayment.ts'
import { isNothing, monthTotals } from '../expenses/lineAmounts.ts'
import { dropTicketLines, linesFrom, writeTicketLines, type LineDraft } from '../expenses/ticketLines.ts'
import { backPaid, type BackPaymentInputs } from './backPaid.ts'
import { employedThenFor, ticketMonths } from './employedThen.ts'
import { makeTickets } from './enrolments.ts'
import {
  additionOf,
  enrolmentOf,
  backPaymentMonthOf,
  backPaymentOf,
  type AdditionName,
  type Enrolment,
  type EnrolmentName,
  type Family,
  type BackPaymentMonthName,
  type BackPaymentName,
} from './family.ts'
import { formerEnrolments } from './formerEnrolments.ts'
import { readTicketContext } from './ticketContext.ts'

type Ticket = Values<BackPaymentName>

/** The inputs of back-payments for these people. */
export async function inputsFor(
  work: ProcedureWork,
  family: Family,
  records: readonly Ticket[],
  handledOn: string | null = null,
): Promise<(record: Ticket) => BackPaymentInputs> {
  const persons = records.map(({ person }) => person!)
  const { context, employedIn, employedUnder } = await employedThenFor(
    work,
    await readTicketContext(work, family, persons),
  )
  const enrolmentOfAddition = await enrolmentsOf(
    work,
    family,
    records.map(({ addition = null }) => addition),
  )
  const lines = await linesFrom(work, family, { persons, from: '0000-01' })
  const then = await formerEnrolments(
    work,
    family,
    await work.read(enrolmentOf(family), { where: { person: persons } }),
  )
  return (record) => {
    const id = record.person!
    // The months missed by an addition belong to the enrolment that it has created, whatever happened to the
    // employment.
    const own = enrolmentOfAddition(record.addition ?? null)
    const months = ticketMonths(record, context.month)
    const { person, enrolment, problem } = own?.person === id ? employedUnder(own, months) : employedIn(id, months)
    // The ticket's own lines are not an obstacle.
    const others = lines.filter((line) => line.person === id && line.sourceNo !== (record.ticketNo ?? ''))
    return {
      context: { ...context, persons: new Map([[id, person]]) },
      enrolment,
      enrolmentIn: (month) => enrolment && then(enrolment, month),
      paid: monthTotals(family, others),
      charged: monthTotals(
        family,
        others.filter((line) => line.enrolment === enrolment?.id),
      ),
      problem,
      handledOn,
      today: work.today,
    }
  }
}

/** The enrolments that additions have created, also if they have ended since. */
async function enrolmentsOf(
  work: ProcedureWork,
  family: Family,
  ids: readonly (number | null)[],
): Promise<(addition: number | null) => Enrolment | undefined> {
  const additions = await work.byId(additionOf(family), ids, { fields: ['enrolment'] })
  const made = [...additions.values()].map(({ enrolment }) => enrolment)
  const enrolments = await work.byId(enrolmentOf(family), made)
  return (addition) => enrolments.get(additions.get(addition ?? 0)?.enrolment ?? 0)
}

/** A line for each month in which anything is due; the whole late fee is at the first. */
export function linesOf(
  family: Family,
  ticket: Ticket,
  months: readonly Values<BackPaymentMonthName>[],
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
const isPaid = ({ paid }: BackPaymentInputs, { month, amounts }: BackPaidMonth): boolean => {
  const before = paid.get(month)
  return before !== undefined && Object.keys(amounts).every((key) => !isNothing({ [key]: before[key] }))
}

/** The months missed under an enrolment, and the ticket with which that was found. */
export interface Missed {
  given: Ticket & { person: number; fromMonth: string; toMonth: string }
  /** The ticket's number, and the month of its lines if the family has no back-payments. */
  ticket: { ticketNo: string; handleMonth: string }
  reason: string
  /** Months for which nothing is due are not missed. */
  onlyDue?: true
}

/**
 * Pays back the months missed by additions: from the first paid one to that in which they were handled.
 * @throws Refusal notAllowed if somebody has an open one.
 */
export async function payBackAdditions(
  work: ProcedureWork,
  family: Family,
  additions: readonly Stored<AdditionName>[],
): Promise<void> {
  const missed = additions.flatMap((addition): Missed[] => {
    const { id, person, startMonth: fromMonth, handleMonth, ticketNo } = addition
    if (handleMonth === null || fromMonth >= handleMonth) return []
    const base: OpenValues = family.base.mode === 'none' ? {} : { base: textIn(addition, 'declaredBase') }
    const toMonth = addMonths(handleMonth, -1)!
    return [
      {
        given: { person, fromMonth, toMonth, source: 'addition', addition: id, ...base },
        ticket: { ticketNo, handleMonth },
        reason: `${family.cn}增员${ticketNo}`,
      },
    ]
  })
  await payBack(work, family, missed)
}

/**
 * Pays back the missed months, without those at either end that were paid back before. A separate ticket for each if the
 * family has back-payments, else lines at once. @throws Refusal notAllowed if somebody has an open one.
 */
export async function payBack(work: ProcedureWork, family: Family, missed: readonly Missed[]): Promise<void> {
  if (missed.length === 0) return
  const inputsOf = await inputsFor(
    work,
    family,
    missed.map(({ given }) => given),
  )
  const worked = missed.flatMap(({ given, onlyDue, ...found }) => {
    const inputs = inputsOf(given)
    const unpaid = backPaid(inputs, given).months.filter(
      (month) => !isPaid(inputs, month) && !(onlyDue && isNothing(month.amounts)),
    )
    if (unpaid.length === 0) return []
    const own = { ...given, fromMonth: unpaid[0].month, toMonth: unpaid.at(-1)!.month }
    return { ...found, given: own, inputs, ...backPaid(inputs, own) }
  })
  if (family.pages.supplement === null) {
    const lines = worked.flatMap(({ ticket, given, values, rows, inputs }) =>
      linesOf(family, { ...given, ...values, ...ticket }, rows, inputs.enrolment),
    )
    await writeTicketLines(work, family, lines)
    return
  }
  const backPayments = await makeTickets(
    work,
    backPaymentOf(family),
    worked.map(({ given, values, lateFee, reason }): Ticket & { person: number } => ({
      ...given,
      ...values,
      person: given.person,
      ...(family.supplement?.lateFee === 'daily' && { lateFee }),
      supplementType: family.supplementTypes![0].value,
      reason,
    })),
  )
  await work.insert(
    backPaymentMonthOf(family),
    worked.flatMap(({ rows }, index) => rows.map((row) => ({ ...row, supplement: backPayments[index] }))),
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
  const name = backPaymentOf(family)
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
