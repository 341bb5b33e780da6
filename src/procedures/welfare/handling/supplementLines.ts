import { sql } from 'kysely'
import { addMonths } from '../../../../engine/expression/index.ts'
import { Refusal } from '../../../../engine/server/errors.ts'
import { writeHistories } from '../../../../engine/server/records/history.ts'
import type { Context, Db } from '../../../../engine/server/runtime.ts'
import { insertRecords } from '../../../../engine/server/records/write.ts'
import type { RecordData, Value } from '../../../../engine/schema/model.ts'
import { decimal, type Amount } from '../../settlement/amounts.ts'
import { changeRecord, column, entityOf, isAnyOf, readAll } from '../../settlement/stored.ts'
import { paidIn } from '../expenses/paid.ts'
import { dropTicketLines, linesFrom, writeTicketLines, type LineDraft } from '../expenses/ticketLines.ts'
import { backPaid, type Asked } from './backPaid.ts'
import { makeTicket, presentEnrolments } from './enrolments.ts'
import { supplementMonthOf, supplementOf, type Family } from './family.ts'
import { fittingFor } from './fitting.ts'

/** What back-payments of these people are worked out from. */
export async function askedFor(
  context: Context,
  db: Db,
  family: Family,
  records: readonly RecordData[],
  handledOn: string | null = null,
): Promise<(record: RecordData) => Asked> {
  const persons = records.map(({ person }) => person as number)
  const [fitting, enrolments] = [
    await fittingFor(context, db, family, persons),
    await presentEnrolments(context, db, family, persons),
  ]
  // What the ticket itself has made is no reason against it.
  const lines = await linesFrom(context, db, family, { persons, from: '0000-01' })
  const paidOf = (record: RecordData) =>
    paidIn(
      family,
      lines.filter(
        ({ person, sourceNo }) => person === record.person && (sourceNo ?? null) !== (record.ticketNo ?? ''),
      ),
    )
  return (record) => ({
    fitting,
    enrolment: enrolments.get(record.person as number),
    paid: paidOf(record),
    handledOn,
    today: context.now.slice(0, 10),
  })
}

/** A line for each month of which anything is due; the whole late fee stands at the first. */
export function linesOf(
  family: Family,
  ticket: RecordData,
  months: readonly RecordData[],
  enrolment: RecordData | undefined,
): LineDraft[] {
  const own = [
    'person',
    'customer',
    'serviceContract',
    'supportStaff',
    'city',
    'policy',
    'account',
    'enrolment',
    'lateFeeBearer',
  ]
  const amounts = family.items.flatMap(({ key }) => [`${key}Base`, `${key}Company`, `${key}Personal`])
  const due = months.filter((month) => !decimal(month.total as Amount).isZero())
  return due.map(
    (month, index) =>
      ({
        ...Object.fromEntries(own.filter((name) => name in ticket).map((name) => [name, ticket[name] ?? null])),
        personalAccountNo: enrolment?.personalAccountNo ?? null,
        ...Object.fromEntries(
          ['base', ...amounts].filter((name) => name in month).map((name) => [name, month[name] ?? null]),
        ),
        ...(family.base.mode !== 'none' && { declaredBase: ticket.base ?? null }),
        ...(family.supplement?.lateFee === 'daily' && { lateFee: index === 0 ? (ticket.lateFee ?? '0.00') : '0.00' }),
        feeMonth: String(ticket.handleMonth),
        belongMonth: String(month.month),
        expenseType: 'supplement',
        sourceNo: String(ticket.ticketNo),
        supplement: ticket.id ?? null,
      }) as unknown as LineDraft,
  )
}

/**
 * What an addition has missed: the months from its first paid one to that in which it was handled. A ticket of its own
 * where the family has back-payments, else lines at once. @throws Refusal notAllowed where the person has an open one.
 */
export async function payBackAddition(context: Context, db: Db, family: Family, addition: RecordData): Promise<void> {
  const [fromMonth, handleMonth] = [String(addition.startMonth), String(addition.handleMonth)]
  if (fromMonth >= handleMonth) return
  const given: RecordData = {
    person: addition.person!,
    fromMonth,
    toMonth: addMonths(handleMonth, -1)!,
    ...(family.base.mode !== 'none' && { base: addition.declaredBase ?? null }),
  }
  const asked = (await askedFor(context, db, family, [given]))(given)
  const { values, rows, lateFee } = backPaid(asked, given)
  if (family.pages.supplement === null) {
    await writeTicketLines(
      context,
      db,
      family,
      linesOf(
        family,
        { ...given, ...values, handleMonth: addition.handleMonth!, ticketNo: addition.ticketNo! } as RecordData,
        rows,
        asked.enrolment,
      ),
    )
    return
  }
  const ticket = await makeTicket(context, db, supplementOf(family), {
    ...(given as Record<string, Value>),
    ...values,
    ...(family.supplement?.lateFee === 'daily' && { lateFee }),
    supplementType: family.supplementTypes![0].value,
    reason: `${family.cn}增员${String(addition.ticketNo)}`,
    source: 'addition',
    addition: addition.id!,
  })
  await insertRecords(
    context,
    db,
    entityOf(context, supplementMonthOf(family)),
    rows.map((row) => ({ ...row, supplement: ticket.id! })),
  )
}

/** The addition is not handled after all. @throws Refusal notAllowed where its back-payment is under way. */
export async function dropAdditionsBackPayment(
  context: Context,
  db: Db,
  family: Family,
  addition: RecordData,
): Promise<void> {
  await dropTicketLines(context, db, family, String(addition.ticketNo))
  if (family.pages.supplement === null) return
  const entity = entityOf(context, supplementOf(family))
  for (const ticket of await readAll(
    context,
    db,
    entity.name,
    [isAnyOf('addition', [addition.id!]), sql<boolean>`${column('status')} <> 'cancelled'`],
    undefined,
    true,
  )) {
    if (ticket.status === 'processing' || ticket.status === 'success') {
      throw new Refusal('notAllowed', {
        text: {
          cn: `补缴任务${String(ticket.ticketNo)}已受理，不能撤回`,
          en: `The back-payment ${String(ticket.ticketNo)} is under way already`,
        },
      })
    }
    const old = { ...ticket }
    await changeRecord(context, db, entity, ticket, { status: 'cancelled' })
    await writeHistories(context, db, entity, [{ action: 'cancel', record: ticket, old }])
  }
}
