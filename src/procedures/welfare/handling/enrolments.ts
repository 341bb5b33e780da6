import type { ProcedureWork, Values } from '../../../../engine/server/procedure.ts'
import {
  enrolmentOf,
  type AdjustmentName,
  type Enrolment,
  type EnrolmentName,
  type Family,
  type SupplementName,
} from './family.ts'

/** Of a ticket that somebody still works on. */
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

/**
 * Those of the persons whom records are about, by person.
 * @throws Refusal invalid where one of them is not enrolled.
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

/** Changes an enrolment. @throws Refusal notAllowed where it is in none of these states. */
export async function changeEnrolment(
  work: ProcedureWork,
  family: Family,
  id: number | null,
  states: readonly Enrolment['status'][],
  changes: (enrolment: Enrolment) => Values<EnrolmentName>,
): Promise<void> {
  const name = enrolmentOf(family)
  const [found] = id === null ? [] : await work.read(name, { where: { id }, lock: true })
  if (!found || !states.includes(found.status))
    return work.refuseCall({ cn: '该人员的参保状态已变化', en: 'The enrolment has changed since' })
  await work.change(name, found, changes(found))
}

/** A ticket that the system makes of what it knows. @throws Refusal notAllowed where the person has an open one. */
export async function makeTicket<E extends AdjustmentName | SupplementName>(
  work: ProcedureWork,
  name: E,
  person: number,
  values: Values<E>,
): Promise<number> {
  const open = await work.first<AdjustmentName | SupplementName, 'ticketNo'>(name, {
    where: { person, status: openStates },
    fields: ['ticketNo'],
  })
  if (open)
    work.refuseCall({
      cn: `该人员有办理中的任务${open.ticketNo}`,
      en: `The person already has an open ticket: ${open.ticketNo}`,
    })
  const [{ id }] = await work.insert(name, [{ ...work.blank(name), ...values, status: 'pending' }], {
    action: 'create',
  })
  return id
}
