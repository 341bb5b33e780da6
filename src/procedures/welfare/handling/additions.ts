import {
  type OpenValues,
  procedure,
  type ProcedureWork,
  type Stored,
  textIn,
  type Values,
} from '../../../../engine/server/procedure.ts'
import { releaseLines } from '../expenses/adoptLines.ts'
import { refuseLockedMonths } from '../expenses/lockedMonths.ts'
import { recomputeOpen, refuseLocked } from '../expenses/ticketLines.ts'
import { additionProblems } from './additionProblems.ts'
import { amountsOf } from './computeAdjustment.ts'
import { enrolmentValues, paidUntil } from './enrolments.ts'
import { enrolmentOf, familyOf, type AdditionName, type EnrolmentName, type Family } from './family.ts'
import { computeAddition } from './computeAddition.ts'
import { readTicketContext } from './ticketContext.ts'
import { followAdditions } from './followPolicy.ts'
import { dropHouseholdChanges } from './householdChanges.ts'
import { refuseFormer } from './formerAdditions.ts'
import { reduceLeavers } from './openTickets.ts'
import { dropReductionsOfLeavers } from './reductions.ts'
import { replaceFormer } from './returners.ts'
import { dropPolicyTickets } from './revocable.ts'
import { dropBackPayments, payBackAdditions } from './backPaymentLines.ts'

type Addition = Stored<AdditionName>

/** Suggestions for an addition from the person: owner, city, policy, account, base, and the monthly amounts. */
export const suggestWelfareAddition = procedure<AdditionName>(async (work, { entity, values: given, typed }) => {
  if (typeof given.person !== 'number') return { values: {} }
  const context = await readTicketContext(work, familyOf(work, entity), [given.person])
  const follows = typed.has('person') && !typed.has('city')
  // For another person, city, policy and base are suggested again, but the user's input stays.
  const kept: Values<AdditionName> = Object.fromEntries(
    Object.entries(given).filter(([name]) => !follows || typed.has(name) || name === 'person'),
  )
  const unpaidFrom = (await paidUntil(work, context.family, [given.person])).get(given.person) ?? ''
  const first = computeAddition(context, kept)
  const isPaid = !typed.has('startMonth') && String(first.startMonth) < unpaidFrom
  const found = isPaid ? computeAddition(context, { ...kept, startMonth: unpaidFrom }) : first
  return {
    values: Object.fromEntries(
      Object.entries(found).filter(([name]) => !typed.has(name) || name === 'policy' || name === 'account'),
    ),
  }
})

/**
 * Completes a new or changed addition from its person and policy, and opens the enrolment.
 * @throws Refusal invalid.
 */
export const writeWelfareAddition = procedure<AdditionName>(async (work, { entity, records, before }) => {
  const family = familyOf(work, entity)
  const context = await readTicketContext(
    work,
    family,
    records.map(({ person }) => person),
  )
  const unpaidFrom = await paidUntil(
    work,
    family,
    records.map(({ person }) => person),
  )
  const changes = records.map((record) => ({ record, values: computeAddition(context, record) }))
  for (const { record, values } of changes) {
    const problems = additionProblems(context, { ...record, ...values }, unpaidFrom.get(record.person))
    if (problems.length > 0) work.refuse(entity, problems)
  }
  await work.changeAll(entity, changes)
  const added = records.filter((_, index) => !before[index])
  const enrolments = await openEnrolments(work, family, added)
  await work.changeAll(
    entity,
    added.map((record, index) => ({ record, values: { enrolment: enrolments[index] } })),
  )
  const changed = records.filter((_, index) => before[index])
  await followTickets(
    work,
    family,
    changed.map((ticket) => ({ ticket })),
  )
})

/** @returns the ids of the enrolments, in the order of the tickets */
async function openEnrolments(work: ProcedureWork, family: Family, tickets: readonly Addition[]): Promise<number[]> {
  const name = enrolmentOf(family)
  const where = { person: tickets.map(({ person }) => person), status: { not: 'stopped' } } as const
  if (await work.first(name, { where, fields: ['person'] }))
    work.refuse(name, [
      {
        field: 'person',
        code: 'enrolled',
        message: {
          cn: `该人员已参加${family.cn}，不能重复增员`,
          en: `The person is already enrolled in ${family.en}`,
        },
      },
    ])
  const [blank, kept] = [work.blank(name), work.keptFields(name)]
  const opened = tickets.map((ticket) => ({ ...blank, ...enrolmentValues(ticket, kept), status: 'opening' }) as const)
  return (await work.insert(name, opened, { action: 'create' })).map(({ id }) => id)
}

/** Updates the enrolments of the tickets, with additional changes. */
async function followTickets(
  work: ProcedureWork,
  family: Family,
  tickets: readonly { ticket: Addition; changes?: Values<EnrolmentName> }[],
): Promise<void> {
  const name = enrolmentOf(family)
  const kept = work.keptFields(name)
  const ids = tickets.flatMap(({ ticket: { enrolment } }) => enrolment ?? [])
  const found = await work.byId(name, ids, { lock: true })
  await work.changeAll(
    name,
    tickets.flatMap(({ ticket, changes }) => {
      const record = ticket.enrolment === null ? undefined : found.get(ticket.enrolment)
      return record ? [{ record, values: { ...enrolmentValues(ticket, kept), ...changes } }] : []
    }),
  )
}

/**
 * Enrols the person from the ticket's first month on, with the base that the bureau has actually used.
 * @throws Refusal invalid if a month from the handling month on is locked; notAllowed if the person is employed
 * otherwise since.
 */
export const succeedWelfareAddition = procedure<AdditionName>(async (work, { entity, records }) => {
  const family = familyOf(work, entity)
  await refuseFormer(work, records)
  await follow(
    work,
    entity,
    records.filter((record) => textIn(record, 'actualBase') !== null),
  )
  await refuseLockedMonths(work, { family, entity }, records, feeFromOf)
  const taken = records.map(asTaken)
  await followTickets(
    work,
    family,
    taken.map((ticket) => ({ ticket, changes: { status: 'enrolled', feeFrom: feeFromOf(ticket) } })),
  )
  await payBackAdditions(work, family, taken)
  await recomputeOpen(
    work,
    family,
    records.map(({ enrolment }) => enrolment),
  )
  await reduceLeavers(
    work,
    family,
    records.map(({ person }) => person),
  )
})

/** The first month that is charged normally; earlier ones are paid back. */
const feeFromOf = ({ handleMonth, startMonth }: Addition): string =>
  handleMonth !== null && handleMonth > startMonth ? handleMonth : startMonth

/** The ticket, as if the bureau's base had been declared. */
function asTaken(record: Addition): Addition {
  const taken: OpenValues = { declaredBase: textIn(record, 'actualBase') }
  return taken.declaredBase === null ? record : { ...record, ...taken }
}

/** Bases and amounts of tickets follow the bureau's base. */
async function follow(work: ProcedureWork, entity: AdditionName, records: readonly Addition[]): Promise<void> {
  if (records.length === 0) return
  const family = familyOf(work, entity)
  const context = await readTicketContext(
    work,
    family,
    records.map(({ person }) => person),
  )
  await work.changeAll(
    entity,
    records.map((record) => ({ record, values: amountsOf(family, computeAddition(context, asTaken(record))) })),
  )
}

/** A ticket that was never handled leaves no enrolment behind; one of a former employment made way for the present's. */
export const cancelWelfareAddition = procedure<AdditionName>(async (work, { entity, records }) => {
  await dropEnrolments(work, entity, records)
  await replaceFormer(work, familyOf(work, entity), records)
})

/** Deletes the enrolments opened by tickets that are not handled after all. */
export async function dropEnrolments(
  work: ProcedureWork,
  entity: AdditionName,
  records: readonly Addition[],
): Promise<void> {
  const name = enrolmentOf(familyOf(work, entity))
  const ids = records.flatMap(({ enrolment }) => enrolment ?? [])
  await work.changeAll(
    entity,
    records.map((record) => ({ record, values: { enrolment: null } })),
  )
  await work.delete(name, await work.read(name, { where: { id: ids, status: 'opening' }, fields: ['status'] }))
}

/** Restores the state before it was handled. @throws Refusal notAllowed if the enrolment has changed since. */
export const revokeWelfareAddition = procedure<AdditionName>(async (work, { entity, records, before }) => {
  const family = familyOf(work, entity)
  await follow(
    work,
    entity,
    records.filter((_, index) => before[index] && textIn(before[index], 'actualBase') !== null),
  )
  const ids = records.map(({ enrolment }) => enrolment!)
  await dropReductionsOfLeavers(work, family, ids)
  const found = await work.byId(enrolmentOf(family), ids, { fields: ['status', 'serviceContract', 'policy'] })
  if (ids.some((id) => found.get(id)?.status !== 'enrolled'))
    work.refuseCall({ cn: '该人员的参保状态已变化，不能撤回', en: 'The enrolment has changed since' })
  await refuseLocked(work, family, ids)
  await dropBackPayments(work, family, records)
  const waited = await dropPolicyTickets(work, family, ids)
  const unchanged = await dropHouseholdChanges(work, family, ids)
  // The person may have moved to another contract since.
  await work.changeAll(
    entity,
    records.map((record) => ({
      record,
      values: { serviceContract: found.get(record.enrolment!)?.serviceContract ?? null },
    })),
  )
  await followTickets(
    work,
    family,
    records.map((ticket) => ({ ticket, changes: { ...unchanged, status: 'opening', feeFrom: null } })),
  )
  // A policy may have come into force since, as while the ticket is open.
  const moved = records.filter(
    ({ enrolment, policy }) => waited.includes(enrolment!) || found.get(enrolment!)?.policy !== policy,
  )
  const opened = await work.byId(
    enrolmentOf(family),
    moved.map(({ enrolment }) => enrolment),
    { lock: true },
  )
  const context = await readTicketContext(
    work,
    family,
    moved.map(({ person }) => person),
  )
  await followAdditions(work, context, [...opened.values()])
  await recomputeOpen(work, family, ids)
  await releaseLines(work, family, ids)
})
