import type { FieldName, Part, ProcedureWork } from '../../../engine/server/procedure.ts'
import { groupedBy } from '../welfare/groupedBy.ts'
import { agentOf, januaryOf, ofAgent, type Withheld } from './payrollData.ts'
import type { Taxpayer } from './taxLine.ts'

/** The fields of a person's record that tax depends on. */
export const taxpayerFields = [
  'taxSubject',
  'agency',
  'customer',
  'taxStartMonth',
  'firstJobThisYear',
  'fullSixty',
  'taxRelief',
  'reliefRate',
] as const satisfies readonly FieldName<'person'>[]
type Person = Part<'person', (typeof taxpayerFields)[number]>

const stintFields = ['person', 'taxStartMonth', 'leaveDate', 'fullSixty'] as const
type Stint = Part<'employmentRecord', (typeof stintFields)[number]>

/** The state of one year at the agent before this tax. */
export interface YearOf {
  taxMonth: string
  /** What was approved before, and in which month it was taxed. */
  earlier: {
    payrolls: ReadonlyMap<number, { taxMonth: string }>
    lines: readonly { payroll: number; person: number }[]
  }
}

/** The taxpayer data of these people at the agent; for an agent that they have left since, from their stints there. */
export async function readTaxpayers(
  work: ProcedureWork,
  agent: Withheld,
  people: readonly Pick<Person, 'id'>[],
  { taxMonth, earlier: { payrolls, lines } }: YearOf,
): Promise<(person: Person) => Taxpayer> {
  const ended = await work.read('employmentRecord', {
    where: { ...ofAgent(agent), person: people.map(({ id }) => id), leaveDate: { empty: false } },
    fields: stintFields,
    order: 'entryDate',
  })
  const stints = groupedBy(ended, ({ person }) => person)
  const paidFrom = new Map<number, string>()
  for (const { payroll, person } of lines) {
    const paid = payrolls.get(payroll)!.taxMonth
    if (paid < (paidFrom.get(person) ?? taxMonth)) paidFrom.set(person, paid)
  }
  const january = januaryOf(taxMonth)
  return (person) => {
    const own = stints.get(person.id) ?? []
    const isThere = agentOf(person) === agentOf(agent) || own.length === 0
    const inYear = own.filter(({ leaveDate }) => leaveDate! >= `${january}-01`)
    const began = isThere ? person.taxStartMonth : (own.at(-1)!.taxStartMonth ?? person.taxStartMonth)
    return {
      taxStartMonth: startOf(began, (paidFrom.get(person.id) ?? taxMonth) < began ? own : inYear),
      firstJobThisYear: isThere && person.firstJobThisYear === true,
      fullSixty: (isThere && person.fullSixty === true) || inYear.some((stint) => stint.fullSixty === true),
      reliefRate: person.taxRelief === 'none' ? null : person.reliefRate,
    }
  }
}

/**
 * People who left the agent and returned continue with their tax from the month in which the first of their stints
 * there began, even for a month before they left that is only paid now. So do people who left in the previous year and
 * were paid for it in this one, before they returned.
 */
const startOf = (began: string, stints: readonly Stint[]): string =>
  stints.reduce(
    (first, { taxStartMonth }) => (taxStartMonth !== null && taxStartMonth < first ? taxStartMonth : first),
    began,
  )
