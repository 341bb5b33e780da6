import type { ProcedureWork, Stored, Values } from '../../../../engine/server/procedure.ts'
import { aboutFields, type MonthInputs } from '../about.ts'
import { groupedBy } from '../groupedBy.ts'
import { isForMonths } from '../yearly.ts'
import { policyItems } from './amounts.ts'
import { usesWage } from './usesWage.ts'
import { wagesByYear } from './averageWages.ts'
import { readMonthInputs } from './readMonthInputs.ts'
import { enrolledIn, enrolmentOf, type EnrolledIn, type EnrolmentName, type Family } from './family.ts'
import { headcountsFor, type Headcounts } from './headcounts.ts'
import { monthWagesOf } from './monthWages.ts'

type Policy = Stored<'policy'>

/** Only these fields of a person are read, because the others are formulas over many tables. */
const personFields = [
  ...aboutFields,
  'householdSince',
  'name',
  'idNumber',
  'customer',
  'agency',
  'serviceContract',
  'supportStaff',
  'insuranceCity',
  'workCity',
  'employmentForm',
  'leaveDate',
  'baseSalary',
] as const
export type TicketPerson = Pick<Values<'person'>, (typeof personFields)[number] | EnrolledIn> & {
  averageWages?: ReadonlyMap<number, string>
  monthWages?: ReadonlyMap<string, string>
}
/** The inputs for tickets of a family: their persons and customers, and the policies of its kind with their rows. */
export interface TicketContext {
  family: Family
  persons: ReadonlyMap<number, TicketPerson>
  customers: ReadonlyMap<number, Pick<Stored<'customer'>, 'agency' | 'insuranceAccountMode'>>
  policies: readonly Policy[]
  /** Monthly entries for these persons. */
  entered: ReadonlyMap<string, MonthInputs>
  headcountOf: Headcounts
  /** Person → enrolments that have ended, if an item is paid for several months at once and not given back. */
  ended: ReadonlyMap<number | null, readonly Stored<EnrolmentName>[]>
  month: string
  day: number
}

export async function readTicketContext(
  work: ProcedureWork,
  family: Family,
  personIds: readonly (number | null)[],
): Promise<TicketContext> {
  const persons = await personsFor(work, family, personIds)
  const customers = await work.byId(
    'customer',
    [...persons.values()].map(({ customer }) => customer),
    { fields: ['agency', 'insuranceAccountMode'] },
  )
  const policies = await work.read('policy', {
    where: { kind: family.policyKind, status: ['enabled', 'history'] },
  })
  return {
    family,
    policies,
    persons,
    customers,
    entered: await readMonthInputs(work, family, personIds),
    headcountOf: await headcountsFor(work, family, personIds, [...customers.keys()]),
    ended: await endedFor(work, family, policies, personIds),
    month: work.today.slice(0, 7),
    day: Number(work.today.slice(8)),
  }
}

async function endedFor(
  work: ProcedureWork,
  family: Family,
  policies: readonly Policy[],
  persons: readonly (number | null)[],
): Promise<TicketContext['ended']> {
  const isKept = policies
    .flatMap((policy) => policyItems(policy, family))
    .some((row) => isForMonths(row) && row.annualRefund !== 'prorata')
  if (!isKept) return new Map()
  const enrolments = await work.read(enrolmentOf(family), {
    where: { person: persons.filter((id) => id !== null), status: 'stopped' },
  })
  return groupedBy(enrolments, ({ person }) => person)
}

async function personsFor(
  work: ProcedureWork,
  { items, eligibility: { requiresFamily } }: Family,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<number, TicketPerson>> {
  const fields = [...personFields, ...(requiresFamily === null ? [] : [enrolledIn(requiresFamily)])]
  const persons: ReadonlyMap<number, TicketPerson> = await work.byId('person', ids, { fields })
  const [byYear, byMonth] = [usesWage(items, 'averageWage'), usesWage(items, 'monthWage')]
  if (!byYear && !byMonth) return persons
  const averages = byYear ? await wagesByYear(work, [...persons.keys()]) : undefined
  const wages = byMonth ? await monthWagesOf(work, [...persons.keys()]) : undefined
  return new Map(
    [...persons].map(([id, person]) => [
      id,
      { ...person, averageWages: averages?.get(id), monthWages: wages?.get(id) },
    ]),
  )
}
