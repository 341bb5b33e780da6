import type { Part, ProcedureWork } from '../../../engine/server/procedure.ts'
import { januaryOf, ofAgent, type Withheld } from './payrollData.ts'
import type { Taxpayer } from './taxLine.ts'

type Person = Part<'person', 'taxStartMonth' | 'firstJobThisYear' | 'fullSixty' | 'taxRelief' | 'reliefRate'>

/** The taxpayer's data, from the person's record; `start`: the month in which they began at the agent this year. */
export const taxpayerOf = (person: Person, start?: string): Taxpayer => ({
  taxStartMonth: start !== undefined && start < person.taxStartMonth ? start : person.taxStartMonth,
  firstJobThisYear: person.firstJobThisYear === true,
  fullSixty: person.fullSixty === true,
  reliefRate: person.taxRelief === 'none' ? null : person.reliefRate,
})

/**
 * Whoever left the agent and came back within the year goes on with their tax: person → the month in which the first of
 * their stints there began, also for a month before they left that is paid only now.
 */
export async function readStarts(
  work: ProcedureWork,
  { taxMonth, ...agent }: Withheld & { taxMonth: string },
  people: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const stints = await work.read('employmentRecord', {
    where: {
      ...ofAgent(agent),
      person: people,
      leaveDate: { between: [`${januaryOf(taxMonth)}-01`, null] },
    },
    fields: ['person', 'taxStartMonth'],
  })
  const starts = new Map<number, string>()
  for (const { person, taxStartMonth } of stints) {
    const known = starts.get(person)
    if (taxStartMonth !== null && (known === undefined || taxStartMonth < known)) starts.set(person, taxStartMonth)
  }
  return starts
}
