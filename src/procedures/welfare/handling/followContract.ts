import type { ProcedureWork, Stored } from '../../../../engine/server/procedure.ts'
import { recomputeOpen } from '../expenses/ticketLines.ts'
import { openStates } from './enrolments.ts'
import { additionOf, enrolmentOf, familiesOf } from './family.ts'

/**
 * The contract that bills somebody bills what they cost from the open months on: their enrolments, and additions that are
 * still to be handled, are of it. Locked months stay with the contract that they were locked for.
 */
export async function followContract(work: ProcedureWork, people: readonly Stored<'person'>[]): Promise<void> {
  if (people.length === 0) return
  const contractOf = new Map(people.map(({ id, serviceContract }) => [id as number, serviceContract]))
  const person = [...contractOf.keys()]
  const moved = <R extends { person: number | null }>(records: readonly R[]) =>
    records.map((record) => ({ record, values: { serviceContract: contractOf.get(record.person!)! } }))
  for (const family of familiesOf(work)) {
    const additions = await work.read(additionOf(family), { where: { person, status: openStates }, lock: true })
    await work.changeAll(additionOf(family), moved(additions))
    const enrolments = await work.read(enrolmentOf(family), {
      where: { person, status: { not: 'stopped' } },
      lock: true,
    })
    await work.changeAll(enrolmentOf(family), moved(enrolments))
    await recomputeOpen(
      work,
      family,
      enrolments.map(({ id }) => id),
    )
  }
}
