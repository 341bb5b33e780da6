import type { ProcedureWork, Stored } from '../../../../engine/server/procedure.ts'
import { recomputeOpen } from '../expenses/ticketLines.ts'
import { openStates } from './enrolments.ts'
import { additionOf, enrolmentOf, familiesOf } from './family.ts'

/**
 * After a person's contract changed: it bills their costs from the open months on, so the enrolments of the employment,
 * even ended ones, and open additions move to it. Locked months keep their contract.
 */
export async function followContract(work: ProcedureWork, people: readonly Stored<'person'>[]): Promise<void> {
  if (people.length === 0) return
  const byId = new Map(people.map((each) => [each.id as number, each]))
  const person = [...byId.keys()]
  const moved = <R extends { person: number | null }>(records: readonly R[]) =>
    records.map((record) => ({ record, values: { serviceContract: byId.get(record.person!)!.serviceContract } }))
  for (const family of familiesOf(work)) {
    const additions = await work.read(additionOf(family), { where: { person, status: openStates }, lock: true })
    const own = additions.filter(({ person: id, customer }) => customer === byId.get(id)!.customer)
    await work.changeAll(additionOf(family), moved(own))
    const all = await work.read(enrolmentOf(family), { where: { person }, lock: true })
    const enrolments = all.filter(({ person: id, customer, status, startMonth }) => {
      const { customer: present, entryDate } = byId.get(id!)!
      return customer === present && (status !== 'stopped' || (startMonth ?? '') >= entryDate.slice(0, 7))
    })
    await work.changeAll(enrolmentOf(family), moved(enrolments))
    await recomputeOpen(
      work,
      family,
      enrolments.map(({ id }) => id),
    )
  }
}
