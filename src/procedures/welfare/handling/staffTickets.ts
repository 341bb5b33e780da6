import { procedure, type ProcedureWork, type Stored } from '../../../../engine/server/procedure.ts'
import { dropEnrolments } from './additions.ts'
import { changeReductions } from './leaveChanged.ts'
import { additionOf, familiesOf, leaveNames, plannedField, reductionOf } from './family.ts'
import { tellMissing, type Missing } from './missingTickets.ts'
import { forget, forgetEntered, openAdditionsOf, openReductionsOf } from './openTickets.ts'
import { goOnWith } from './reductions.ts'
import { openAgain } from './withoutBureau.ts'
import { refuseInsured, refuseUninsured } from './withdrawals.ts'

type Person = Stored<'person'>

/**
 * Whoever joins is to be insured: a ticket of each family that their record says, or that takes them. It has what was
 * said of it at the entry; from then on the ticket tells that. Where none can be made, whoever handles them is told.
 * @throws Refusal invalid, at the person's field that is wrong.
 */
export async function openAdditions(work: ProcedureWork, records: readonly Person[]): Promise<void> {
  const families = familiesOf(work)
  const joining = records.filter(({ employmentStatus }) => employmentStatus !== 'cancelled')
  const missing: Missing[] = []
  for (const family of families) missing.push(...(await openAdditionsOf(work, family, joining)))
  await forgetEntered(work, families, records, missing)
  await tellMissing(work, 'addition', missing)
}

/**
 * Whoever leaves is to be taken off: a ticket of each family in which they are enrolled. Where none can be made, whoever
 * handles them is told. Of whoever was leaving already the tickets follow what is said now.
 * @throws Refusal invalid, as `openAdditions`; notAllowed, as `changeReductions`.
 */
export const openReductions = procedure<'person'>(async (work, { records, before }) => {
  const wasLeaving = (_: Person, index: number) => before[index]?.employmentStatus === 'leaving'
  await changeReductions(work, records.filter(wasLeaving))
  const leaving = records.filter((record, index) => !wasLeaving(record, index))
  const missing: Missing[] = []
  for (const family of familiesOf(work)) missing.push(...(await openReductionsOf(work, family, leaving)))
  await tellMissing(work, 'reduction', missing)
})

/**
 * What was opened for somebody who does not come after all is cancelled.
 * @throws Refusal notAllowed where one is under way, or has insured them.
 */
export async function dropAdditions(work: ProcedureWork, records: readonly Person[]): Promise<void> {
  await openAgain(work, additionOf, records)
  await refuseInsured(work, records)
  for (const family of familiesOf(work)) {
    const name = additionOf(family)
    const open = await work.read(name, { where: idleOf(records), lock: true })
    await work.tellOnce(name, open, { action: 'cancel' }, async () => {
      await work.changeAll(
        name,
        open.map((record) => ({ record, values: { status: 'cancelled' } })),
      )
      await dropEnrolments(work, name, open)
    })
  }
}

/** The same for whoever stays. @throws Refusal notAllowed where one is under way, or has taken them off. */
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
    ...family.said.leave.fields.map(({ name }) => name),
  ])
  await forget(
    work,
    records.map((person) => ({ person, fields })),
  )
})

/** Tickets of these people that nobody works on. */
const idleOf = (records: readonly Person[]) => ({
  person: records.map(({ id }) => id),
  status: ['pending', 'returned', 'failed'] as const,
})
