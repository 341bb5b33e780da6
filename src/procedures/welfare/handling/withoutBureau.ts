import { type ProcedureWork, Refusal, type Stored, valueIn } from '../../../../engine/server/procedure.ts'
import { notifyUnfinished } from './missingTickets.ts'
import { familiesOf, type AdditionName, type Family, type ReductionName } from './family.ts'

// Families without a bureau: enrolment follows employment.

/** Not checked by type, because no family of the product demands anything of its tickets. */
const isIncomplete: string = 'incomplete'

/**
 * Finishes new tickets at once. If one is refused, for example because a month is locked, its handlers are notified of
 * the reason and finish it by hand; handlers already know of incomplete tickets.
 */
export async function finishAtOnce(
  work: ProcedureWork,
  { family, name }: { family: Family; name: AdditionName | ReductionName },
  made: readonly { id: number; person: Stored<'person'> }[],
): Promise<void> {
  if (made.length === 0) return
  const handleMonth = work.today.slice(0, 7)
  try {
    await work.attempt(() =>
      work.transitionAll<AdditionName | ReductionName>(
        name,
        'succeed',
        made.map(({ id }) => ({ id, values: { handleMonth } })),
      ),
    )
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const [{ id, person }] = made
    if (made.length > 1) {
      const half = Math.ceil(made.length / 2)
      await finishAtOnce(work, { family, name }, made.slice(0, half))
      await finishAtOnce(work, { family, name }, made.slice(half))
      return
    }
    const [ticket] = await work.read<AdditionName | ReductionName>(name, { where: { id } })
    if (valueIn(ticket, isIncomplete) !== true) await notifyUnfinished(work, family, person, error)
  }
}

/**
 * Reopens tickets that were finished at once, for a person who does not come, or stays, after all.
 * @throws Refusal notAllowed if its months are locked.
 */
export async function openAgain(
  work: ProcedureWork,
  nameOf: (family: Family) => AdditionName | ReductionName,
  people: readonly Stored<'person'>[],
): Promise<void> {
  for (const family of familiesOf(work).filter(({ bureau }) => !bureau)) {
    const name = nameOf(family) as AdditionName
    const tickets = await work.read(name, {
      where: { person: people.map(({ id }) => id), status: 'success', source: 'person' },
    })
    // Only a person's last ticket: earlier ones belong to former stints.
    const last = new Map(tickets.sort((a, b) => a.id - b.id).map(({ person, id }) => [person, id]))
    await work.transitionAll(
      name,
      'revoke',
      [...last.values()].map((id) => ({ id })),
    )
    const open = await work.read(name, { where: { id: [...last.values()] }, lock: true })
    await work.changeAll(
      name,
      open.map((record) => ({ record, values: { status: 'pending' } })),
    )
  }
}
