import { addMonths } from '../../../../engine/expression/index.ts'
import type { ProcedureWork, Stored } from '../../../../engine/server/procedure.ts'
import type { AdditionName, Family, ReductionName } from './family.ts'
import { formerAmong } from './formerAdditions.ts'
import { notifyMissing } from './missingTickets.ts'
import { forgetEntered, openAdditionsOf } from './openTickets.ts'

/** People who returned while the reduction of their former stint was open get an addition as soon as it is handled. */
export async function addReturners(
  work: ProcedureWork,
  family: Family,
  reductions: readonly Stored<ReductionName>[],
): Promise<void> {
  const lastOf = new Map(reductions.map((reduction) => [reduction.person, reduction]))
  const people = await work.read('person', {
    where: { id: [...lastOf.keys()], employmentStatus: ['pending', 'active'] },
  })
  const back = people.filter(({ id, entryDate }) => entryDate > (lastOf.get(id)!.leaveDate ?? entryDate))
  await addFor(work, family, back, ({ id }) => addMonths(lastOf.get(id)!.lastMonth, 1)!)
}

/** The same for people whose addition under a former employment is cancelled. */
export async function replaceFormer(
  work: ProcedureWork,
  family: Family,
  cancelled: readonly Stored<AdditionName>[],
): Promise<void> {
  const former = await formerAmong(work, cancelled)
  const people = await work.read('person', {
    where: { id: former.map(({ person }) => person), employmentStatus: ['pending', 'active'] },
  })
  await addFor(work, family, people)
}

async function addFor(
  work: ProcedureWork,
  family: Family,
  people: readonly Stored<'person'>[],
  from?: (person: Stored<'person'>) => string,
): Promise<void> {
  const missing = await openAdditionsOf(work, family, people, { from, haveWaited: true })
  await notifyMissing(work, 'addition', missing)
  await forgetEntered(work, [family], people)
}
