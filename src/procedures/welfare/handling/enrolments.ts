import { addMonths } from '../../../../engine/expression/index.ts'
import type { ProcedureWork, Stored, Values } from '../../../../engine/server/procedure.ts'
import {
  enrolmentOf,
  type AdditionName,
  type AdjustmentName,
  type Enrolment,
  type EnrolmentName,
  type Family,
  type ReductionName,
  type BackPaymentName,
} from './family.ts'

/** States of a ticket in progress. */
export const openStates = ['pending', 'processing', 'returned', 'failed'] as const

/** The enrolments of these persons that have not ended, by person. */
export async function presentEnrolments(
  work: ProcedureWork,
  family: Family,
  persons: readonly number[],
): Promise<Map<number, Enrolment>> {
  const found = await work.read(enrolmentOf(family), { where: { person: persons, status: { not: 'stopped' } } })
  return new Map(found.map((enrolment) => [enrolment.person!, enrolment]))
}

/** The values that an enrolment takes from the ticket that opened it. `names`: the stored fields of enrolments. */
export function enrolmentValues(ticket: Values<AdditionName>, names: readonly string[]): Values<EnrolmentName> {
  const own = new Set([
    'id',
    'revision',
    'status',
    'createdAt',
    'createdBy',
    'updatedAt',
    'updatedBy',
    'deletedAt',
    'personName',
    'idNumber',
    'mobile',
    'personCustomer',
  ])
  return Object.fromEntries(Object.entries(ticket).filter(([name]) => !own.has(name) && names.includes(name)))
}

/** Person → the month after the last paid one of a former stint, because no month is paid twice. */
export async function paidUntil(
  work: ProcedureWork,
  family: Family,
  persons: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const stopped = await work.read(enrolmentOf(family), {
    where: { person: persons, status: 'stopped', endMonth: { empty: false } },
    fields: ['person', 'endMonth'],
    order: 'endMonth',
  })
  return new Map(stopped.map(({ person, endMonth }) => [person!, addMonths(endMonth!, 1)!]))
}

/**
 * The enrolments of the records' persons, by person.
 * @throws Refusal invalid if one of them is not enrolled.
 */
export async function demandEnrolled(
  work: ProcedureWork,
  family: Family,
  records: readonly { person: number }[],
): Promise<(record: { person: number }) => Enrolment> {
  const found = await presentEnrolments(
    work,
    family,
    records.map(({ person }) => person),
  )
  if (records.some(({ person }) => found.get(person)?.status !== 'enrolled'))
    work.refuse(enrolmentOf(family), [
      { field: 'person', code: 'enrolment', message: { cn: '该人员未参保', en: 'The person is not enrolled' } },
    ])
  return ({ person }) => found.get(person)!
}

/**
 * The enrolments that adjustments change: a ticket keeps its own, also after that has ended; a new one, or one whose
 * person is being changed, is for the present enrolment. Undefined for people who are not enrolled.
 */
export async function adjustedEnrolments(
  work: ProcedureWork,
  family: Family,
  tickets: readonly { person: number; enrolment?: number | null }[],
): Promise<(ticket: { person: number; enrolment?: number | null }) => Enrolment | undefined> {
  const found = await work.byId(
    enrolmentOf(family),
    tickets.flatMap(({ enrolment }) => enrolment ?? []),
  )
  const ownOf = ({ person, enrolment = null }: (typeof tickets)[number]) => {
    const own = enrolment === null ? undefined : found.get(enrolment)
    return own?.person === person ? own : undefined
  }
  const begun = tickets.filter((ticket) => !ownOf(ticket))
  const present = await presentEnrolments(
    work,
    family,
    begun.map(({ person }) => person),
  )
  return (ticket) => ownOf(ticket) ?? present.get(ticket.person)
}

/**
 * Changes the enrolments of tickets, each differently. @throws Refusal notAllowed if one is in none of these states.
 */
export async function changeEnrolments<T extends Stored<AdjustmentName> | Stored<ReductionName>>(
  work: ProcedureWork,
  family: Family,
  tickets: readonly T[],
  states: readonly Enrolment['status'][],
  changes: (enrolment: Enrolment, ticket: T) => Values<EnrolmentName>,
): Promise<void> {
  const name = enrolmentOf(family)
  const ids = tickets.map(({ enrolment }) => enrolment)
  const found = await work.byId(name, ids, { lock: true })
  await work.changeAll(
    name,
    tickets.map((ticket) => {
      const record = found.get(ticket.enrolment ?? 0)
      if (!record || !states.includes(record.status))
        return work.refuseCall({ cn: '该人员的参保状态已变化', en: 'The enrolment has changed since' })
      return { record, values: changes(record, ticket) }
    }),
  )
}

/**
 * Creates tickets automatically, each for another person.
 * @param within what may have only one open ticket at a time
 * @returns their ids, in order
 * @throws Refusal notAllowed if one of them has an open one.
 */
export async function makeTickets<E extends AdjustmentName | BackPaymentName>(
  work: ProcedureWork,
  name: E,
  tickets: readonly (Values<E> & { person: number })[],
  within: 'person' | 'enrolment' = 'person',
): Promise<number[]> {
  const open = await work.first<AdjustmentName | BackPaymentName, 'ticketNo'>(name, {
    where: { [within]: tickets.map((ticket) => ticket[within] ?? null), status: openStates },
    fields: ['ticketNo'],
  })
  if (open)
    work.refuseCall({
      cn: `该人员有办理中的任务${open.ticketNo}`,
      en: `The person already has an open ticket: ${open.ticketNo}`,
    })
  const blank = work.blank(name)
  const made = await work.insert(
    name,
    tickets.map((values) => ({ ...blank, ...values, status: 'pending' })),
    { action: 'create' },
  )
  return made.map(({ id }) => id)
}
