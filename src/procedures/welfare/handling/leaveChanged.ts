import type { ProcedureWork, Stored } from '../../../../engine/server/procedure.ts'
import { familiesOf, reductionOf } from './family.ts'
import { leavingWith } from './openTickets.ts'

/**
 * After the last working day or the last months changed: updates the tickets of the offboarding that nobody has
 * started. @throws Refusal notAllowed if the bureau already has one.
 */
export async function changeReductions(work: ProcedureWork, people: readonly Stored<'person'>[]): Promise<void> {
  if (people.length === 0) return
  const byId = new Map(people.map((person) => [person.id, person]))
  for (const family of familiesOf(work)) {
    const name = reductionOf(family)
    const tickets = await work.read(name, {
      where: { person: [...byId.keys()], status: { not: 'cancelled' } },
      lock: true,
    })
    const own = tickets.flatMap((ticket) => {
      const person = byId.get(ticket.person)!
      // Tickets of a former employment ended before this one began.
      return ticket.leaveDate !== null && ticket.leaveDate < person.entryDate ? [] : [{ ticket, person }]
    })
    const handled = own.find(({ ticket: { status } }) => status === 'processing' || status === 'success')
    if (handled)
      work.refuseCall({
        cn: `该人员的${family.cn}减员${handled.ticket.ticketNo}已办理，不能修改`,
        en: `The ${family.en} reduction ${handled.ticket.ticketNo} is already handled and cannot be changed`,
      })
    await work.changeAll(
      name,
      own.map(({ ticket, person }) => ({
        record: ticket,
        values: leavingWith(work, family, person, ticket.firstMonth ?? person.entryDate.slice(0, 7)),
      })),
    )
  }
}
