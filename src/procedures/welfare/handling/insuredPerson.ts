import type { Values } from '../../../../engine/server/procedure.ts'
import type { AdjustmentName, EnrolmentName } from './family.ts'
import type { TicketContext, TicketPerson } from './ticketContext.ts'

/** A person as an enrolment insures them: of the household type that it is for, until a ticket brings another. */
export function insuredPerson(
  { persons }: Pick<TicketContext, 'persons'>,
  { person: id, householdType = null }: Values<EnrolmentName>,
): TicketPerson | undefined {
  const person = persons.get(id!)
  return person && householdType !== null && householdType !== person.householdType
    ? { ...person, householdType }
    : person
}

/** Whether a ticket is for another household type of its person. */
export const isForHousehold = ({ householdType = null }: Values<AdjustmentName>): boolean => householdType !== null
