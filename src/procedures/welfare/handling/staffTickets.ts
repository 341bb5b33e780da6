import { procedure, type ProcedureWork, type Stored } from '../../../../engine/server/procedure.ts'
import { dropEnrolments } from './additions.ts'
import { changeReductions } from './leaveChanged.ts'
import {
  additionOf,
  familiesOf,
  leaveNames,
  plannedField,
  reductionOf,
  type AdditionName,
  type Family,
} from './family.ts'
import { missedBy } from './formerAdditions.ts'
import { notifyMissing, type Missing } from './missingTickets.ts'
import { forget, forgetEntered, openAdditionsOf, openReductionsOf } from './openTickets.ts'
import { goOnWith } from './reductions.ts'
import { openAgain } from './withoutBureau.ts'
import { refuseInsured, refuseUninsured } from './withdrawals.ts'

type Person = Stored<'person'>

/**
 * People who join are to be insured: a ticket in each family that their record names, or that takes them by default,
 * with the values entered when joining, which the ticket stores from then on. It replaces one of a former employment
 * that nobody has begun. If one cannot be created, its handlers are notified.
 * @throws Refusal invalid, at the invalid field of the person.
 */
export async function openAdditions(work: ProcedureWork, records: readonly Person[]): Promise<void> {
  const families = familiesOf(work)
  const joining = records.filter(({ employmentStatus }) => employmentStatus !== 'cancelled')
  const missing: Missing[] = []
  const former: Missing[] = []
  for (const family of families) {
    former.push(...(await missedBy(work, family, joining, await cancelIdle(work, family, joining))))
    missing.push(...(await openAdditionsOf(work, family, joining)))
  }
  await notifyMissing(work, 'addition', missing)
  await forgetEntered(work, families, records, missing)
  await notifyMissing(work, 'former', former)
}

/**
 * People who leave are to be removed: a ticket in each family in which they are enrolled. If one cannot be created, its
 * handlers are notified. For people already leaving, the tickets are updated.
 * @throws Refusal invalid, as `openAdditions`; notAllowed, as `changeReductions`.
 */
export const openReductions = procedure<'person'>(async (work, { records, before }) => {
  const wasLeaving = (_: Person, index: number) => before[index]?.employmentStatus === 'leaving'
  await changeReductions(work, records.filter(wasLeaving))
  const leaving = records.filter((record, index) => !wasLeaving(record, index))
  const missing: Missing[] = []
  for (const family of familiesOf(work)) missing.push(...(await openReductionsOf(work, family, leaving)))
  await notifyMissing(work, 'reduction', missing)
})

/**
 * Cancels the tickets of people who do not join after all.
 * @throws Refusal notAllowed if one is in progress, or has insured them.
 */
export async function dropAdditions(work: ProcedureWork, records: readonly Person[]): Promise<void> {
  await openAgain(work, additionOf, records)
  await refuseInsured(work, records)
  for (const family of familiesOf(work)) await cancelIdle(work, family, records)
}

/** Cancels the additions of these people that nobody has started. @returns them */
async function cancelIdle(
  work: ProcedureWork,
  family: Family,
  people: readonly Person[],
): Promise<Stored<AdditionName>[]> {
  const name = additionOf(family)
  const open = await work.read(name, { where: idleOf(people), lock: true })
  await work.recordOnce(name, open, { action: 'cancel' }, async () => {
    await work.changeAll(
      name,
      open.map((record) => ({ record, values: { status: 'cancelled' } })),
    )
    await dropEnrolments(work, name, open)
  })
  return open
}

/** The same for people who stay. @throws Refusal notAllowed if one is in progress, or has removed them. */
export const dropReductions = procedure<'person'>(async (work, { records }) => {
  await openAgain(work, reductionOf, records)
  await refuseUninsured(work, records)
  const families = familiesOf(work)
  for (const family of families) {
    const name = reductionOf(family)
    const open = await work.read(name, { where: idleOf(records), lock: true })
    await work.changeAll(
      name,
      open.map((record) => ({ record, values: { status: 'cancelled' } })),
      { action: 'cancel' },
    )
    await goOnWith(work, family, open)
  }
  const fields = families.flatMap((family) => [
    ...leaveNames.map((name) => plannedField(family, name)),
    ...family.personFields.leave.fields.map(({ name }) => name),
  ])
  await forget(
    work,
    records.map((person) => ({ person, fields })),
  )
})

/** Tickets of these people that nobody has started. */
const idleOf = (records: readonly Person[]) => ({
  person: records.map(({ id }) => id),
  status: ['pending', 'returned', 'failed'] as const,
})
