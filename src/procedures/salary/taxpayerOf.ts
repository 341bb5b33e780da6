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

/** Of one year at the agent, what the tax begins with. */
export interface YearOf {
  taxMonth: string
  /** What was approved before, and in which month it was taxed. */
  earlier: {
    payrolls: ReadonlyMap<number, { taxMonth: string }>
    lines: readonly { payroll: number; person: number }[]
  }
}

/**
 * Whoever left the agent and came back within the year goes on with their tax: person → the month in which the first of
 * their stints there began, also for a month before they left that is paid only now. So does who left in the year before
 * and was paid for it in this one, before they came back.
 */
export async function readStarts(
  work: ProcedureWork,
  agent: Withheld,
  people: readonly Pick<Person, 'id' | 'taxStartMonth'>[],
  { taxMonth, earlier: { payrolls, lines } }: YearOf,
): Promise<ReadonlyMap<number, string>> {
  const stints = await work.read('employmentRecord', {
    where: { ...ofAgent(agent), person: people.map(({ id }) => id), leaveDate: { empty: false } },
    fields: ['person', 'taxStartMonth', 'leaveDate'],
  })
  const paidFrom = new Map<number, string>()
  for (const { payroll, person } of lines) {
    const paid = payrolls.get(payroll)!.taxMonth
    if (paid < (paidFrom.get(person) ?? taxMonth)) paidFrom.set(person, paid)
  }
  const wasPaid = new Set(
    people
      .filter(({ id, taxStartMonth }) => (paidFrom.get(id) ?? taxMonth) < taxStartMonth)
      .map(({ id }) => id as number),
  )
  const starts = new Map<number, string>()
  for (const { person, taxStartMonth, leaveDate } of stints) {
    const isOfYear = leaveDate! >= `${januaryOf(taxMonth)}-01`
    const known = starts.get(person)
    if (taxStartMonth === null || !(isOfYear || wasPaid.has(person))) continue
    if (known === undefined || taxStartMonth < known) starts.set(person, taxStartMonth)
  }
  return starts
}
