import type { Label } from '../../../../engine/model/model.ts'
import type { ProcedureWork, Stored } from '../../../../engine/server/procedure.ts'
import type { AdditionName, Family } from './family.ts'
import type { Missing } from './missingTickets.ts'

// Additions that were still open when their employment ended: they do not insure the person in the next one.

/**
 * Those that are not for the person's present employment: for another customer or contract, or for months of a stint
 * that has ended. A later hire date alone makes none former.
 */
export async function formerAmong(
  work: ProcedureWork,
  additions: readonly Stored<AdditionName>[],
): Promise<Stored<AdditionName>[]> {
  const person = additions.map((addition) => addition.person)
  // Waits for a simultaneous rehire, and reads its stint after that.
  const people = await work.byId('person', person, {
    fields: ['customer', 'serviceContract', 'entryDate'],
    lock: true,
  })
  const ended = await work.read('employmentRecord', {
    where: { person, leaveDate: { empty: false } },
    fields: ['person', 'leaveDate'],
  })
  return additions.filter(({ person: id, customer, serviceContract, startMonth }) => {
    const employed = people.get(id)!
    const isBefore =
      startMonth < employed.entryDate.slice(0, 7) &&
      ended.some((stint) => stint.person === id && startMonth <= stint.leaveDate!.slice(0, 7))
    return isBefore || customer !== employed.customer || serviceContract !== employed.serviceContract
  })
}

/** @throws Refusal notAllowed, naming an addition that would insure a person at the expense of a former customer. */
export async function refuseFormer(work: ProcedureWork, additions: readonly Stored<AdditionName>[]): Promise<void> {
  const [former] = await formerAmong(work, additions)
  if (!former) return
  const { ticketNo } = former
  const people = await work.byId('person', [former.person], { fields: ['name'] })
  const { name } = people.get(former.person)!
  work.refuseCall({
    cn: `增员${ticketNo}不属于${name}的现任职：请撤销（办理中的先退回），随后自动生成现任职的增员`,
    en:
      `Addition ${ticketNo} is not for the present employment of ${name}: cancel it (have it returned first if it is ` +
      'being handled), and the addition for the present one follows',
  })
}

/** The cancelled additions whose first months belong to an employment that has ended, so that they are reported. */
export async function missedBy(
  work: ProcedureWork,
  family: Family,
  people: readonly Stored<'person'>[],
  cancelled: readonly Stored<AdditionName>[],
): Promise<Missing[]> {
  const ended = await work.read('employmentRecord', {
    where: { person: cancelled.map(({ person }) => person), leaveDate: { empty: false } },
    fields: ['person', 'leaveDate'],
  })
  return cancelled.flatMap(({ person: id, startMonth, ticketNo }): Missing[] => {
    const isMissed = ended.some(({ person, leaveDate }) => person === id && startMonth <= leaveDate!.slice(0, 7))
    const person = people.find((each) => each.id === id)!
    return isMissed ? [{ person, family, reasons: [neverInsured(ticketNo, startMonth)] }] : []
  })
}

const neverInsured = (ticketNo: string, startMonth: string): Label => ({
  cn: `增员${ticketNo}已撤销，前一段任职自${startMonth}起未参保，需要参保的请补缴`,
  en: `addition ${ticketNo} was cancelled, so the former employment was not insured from ${startMonth} on: pay it back if it should have been`,
})
