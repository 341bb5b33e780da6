import { sql } from 'kysely'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import { tableOf } from '../../../engine/server/identity/scope.ts'
import { lastDay } from '../../procedures/months.ts'

/** What payroll and welfare read of somebody who works, or has worked, for a customer. */
export interface Employed {
  id: number
  name: string
  customer: number
  agency: number
  city: string
  workCity: string
  employmentForm: string
  taxSubject: string
  baseSalary: string
  entryDate: string
  leaveDate: string | null
  taxStartMonth: string
  firstJobThisYear: boolean | null
  fullSixty: boolean | null
  taxRelief: string
  reliefRate: string | null
  card: number | null
}
interface ServiceTerm {
  id: number
  customer: number
  startDate: string
  lastDay: string | null
}

export interface Workforce {
  people: Employed[]
  /** The service contract of a customer that is in force in a month. */
  contractOf(customer: number, month: string): number | undefined
  isThere(person: Employed, month: string): boolean
}

export async function readEmployed(context: Context, db: Db): Promise<Workforce> {
  const { entities } = context.derived.catalog
  const { rows: people } =
    await sql<Employed>`select p.id, p.name, p.customer, p.agency, p."insuranceCity" as city, p."workCity", p."employmentForm", p."taxSubject", p."baseSalary"::text as "baseSalary", p."entryDate", p."leaveDate",
      p."taxStartMonth", p."firstJobThisYear", p."fullSixty", p."taxRelief", p."reliefRate"::text as "reliefRate", (select max(c.id) from ${tableOf(context, entities.personBankCard)} as c where c.person = p.id and c."isDefault" and c.status = 'enabled') as card
    from ${tableOf(context, entities.person)} as p where p."deletedAt" is null and p."employmentStatus" <> 'cancelled' order by p.id`.execute(
      db,
    )
  const { rows: terms } =
    await sql<ServiceTerm>`select id, customer, "startDate", "lastDay" from ${tableOf(context, entities.contract)}
    where category = 'service' and stage in ('signed', 'terminated') order by "startDate"`.execute(db)
  return {
    people,
    contractOf: (customer, month) =>
      terms.findLast(
        (term) =>
          term.customer === customer && term.startDate <= lastDay(month) && (term.lastDay ?? '9999') >= `${month}-01`,
      )?.id,
    isThere: ({ entryDate, leaveDate }, month) =>
      entryDate <= lastDay(month) && (leaveDate === null || leaveDate >= `${month}-01`),
  }
}
