import type { ProcedureWork } from '../../../../engine/server/procedure.ts'
import type { Item } from '../contribution.ts'
import { groupedBy } from '../groupedBy.ts'
import { enrolmentOf, type Family } from './family.ts'

/** How many people of a customer are in the family in a month; null in families that do not need it. */
export type Headcounts = (customer: number | null | undefined, month: string) => string | null

const formulas = ['eligible', 'floor', 'cap', 'company', 'personal', 'bandBy'] as const

/** Whether a person's amounts depend on how many others there are. */
export const usesHeadcount = (items: readonly Pick<Item, (typeof formulas)[number]>[]): boolean =>
  items.some((item) => formulas.some((name) => /\bheadcount\b/.test(item[name] ?? '')))

/** For the current customers of these people, and those at their enrolment. */
export async function headcountsFor(
  work: ProcedureWork,
  family: Family,
  persons: readonly (number | null)[],
  customers: readonly (number | null | undefined)[],
): Promise<Headcounts> {
  if (!usesHeadcount(family.items)) return () => null
  const name = enrolmentOf(family)
  const own = await work.groups(name, { where: { person: persons.filter((id) => id !== null) }, by: ['customer'] })
  const allCustomers = new Set([...own.map(({ by }) => by.customer), ...customers])
  const spans = await work.groups(name, {
    where: { customer: [...allCustomers].filter((id) => typeof id === 'number'), status: { not: 'opening' } },
    by: ['customer', 'startMonth', 'endMonth'],
  })
  const byCustomer = groupedBy(spans, ({ by }) => by.customer)
  return (customer, month) => {
    const then = (byCustomer.get(customer ?? null) ?? []).filter(
      ({ by }) => String(by.startMonth) <= month && month <= (by.endMonth ?? '9999-12'),
    )
    // The person in question counts, even before their ticket is handled.
    return String(
      Math.max(
        1,
        then.reduce((sum, { count }) => sum + count, 0),
      ),
    )
  }
}

/** Everybody whose amounts change when these join or leave. */
export async function withColleagues(
  work: ProcedureWork,
  family: Family,
  enrolments: readonly number[],
): Promise<readonly number[]> {
  if (!usesHeadcount(family.items)) return enrolments
  const name = enrolmentOf(family)
  const customers = await work.groups(name, { where: { id: enrolments }, by: ['customer'] })
  const all = await work.read(name, {
    where: { customer: customers.flatMap(({ by }) => by.customer ?? []), status: { not: 'opening' } },
    fields: ['status'],
  })
  return [...new Set([...enrolments, ...all.map(({ id }) => id)])]
}
