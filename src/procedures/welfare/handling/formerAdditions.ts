import type { Label } from '../../../../engine/model/model.ts'
import type { ProcedureWork, Stored } from '../../../../engine/server/procedure.ts'
import type { AdditionName, Family } from './family.ts'
import type { Missing } from './missingTickets.ts'

// Additions that were still open when their employment ended: they do not insure the person in the next one.

type Addition = Pick<Stored<AdditionName>, 'customer' | 'serviceContract' | 'startMonth'>
type Employed = Pick<Stored<'person'>, 'customer' | 'serviceContract' | 'entryDate'>

/** Whether the person's present employment is the one that the addition is for. */
export const isForPresent = ({ customer, serviceContract, startMonth }: Addition, person: Employed): boolean =>
  customer === person.customer &&
  serviceContract === person.serviceContract &&
  startMonth >= person.entryDate.slice(0, 7)

/** @throws Refusal notAllowed, naming an addition that would insure a person at the expense of a former customer. */
export async function refuseFormer(work: ProcedureWork, additions: readonly Stored<AdditionName>[]): Promise<void> {
  const people = await work.byId(
    'person',
    additions.map(({ person }) => person),
    { fields: ['name', 'customer', 'serviceContract', 'entryDate'] },
  )
  const former = additions.find((addition) => !isForPresent(addition, people.get(addition.person)!))
  if (!former) return
  const { ticketNo } = former
  const { name } = people.get(former.person)!
  work.refuseCall({
    cn: `增员${ticketNo}不属于${name}的现任职：请撤销（办理中的先退回），随后自动生成现任职的增员`,
    en:
      `Addition ${ticketNo} is not for the present employment of ${name}: cancel it (have it returned first if it is ` +
      'being handled), and the addition for the present one follows',
  })
}

/** The cancelled additions whose first months belong to an employment that has ended, to be told. */
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
