import { addMonths } from '../../../../engine/expression/index.ts'
import type { FieldProblem, Label } from '../../../../engine/model/model.ts'
import type { Part, ProcedureWork, Values } from '../../../../engine/server/procedure.ts'
import { groupedBy } from '../groupedBy.ts'
import { monthRange } from '../monthRange.ts'
import { enrolmentOf, type Enrolment, type Family, type BackPaymentName } from './family.ts'
import type { TicketPerson, TicketContext } from './ticketContext.ts'

/** A person's employment in some months. */
export interface EmployedThen {
  /** The person with that employment. */
  person: TicketPerson
  /** Their enrolment under that employment. */
  enrolment: Enrolment | undefined
  /** Months that belong to no employment, or to two. */
  problem: FieldProblem | null
  /** Whether no employment that is known had begun. */
  isTooEarly: boolean
}

interface Months {
  fromMonth: string
  toMonth: string
}

/** The ticket's months, else the previous month. */
export function ticketMonths(record: Values<BackPaymentName>, present: string): Months {
  const last = addMonths(present, -1)!
  const fromMonth = record.fromMonth ?? last
  return { fromMonth, toMonth: record.toMonth ?? (last < fromMonth ? fromMonth : last) }
}

const splitText = (month: string): Label => ({
  cn: `${month}起属于另一段任职，由其客户承担，请分开补缴`,
  en: `From ${month} on, the months belong to another employment and are borne by its customer: pay them back separately`,
})
const outsideText = (month: string): Label => ({
  cn: `补缴月份${month}该人员不在职`,
  en: `The person was not employed in ${month}`,
})

const endedText = (month: string): Label => ({
  cn: `该参保已于${month}停缴，请缩短补缴月份或撤销补缴`,
  en: `The enrolment was last paid for ${month}: pay back fewer months, or cancel the back-payment`,
})

const stintFields = ['person', 'customer', 'serviceContract', 'agency', 'entryDate', 'leaveDate', 'baseSalary'] as const
type Stint = Part<'employmentRecord', (typeof stintFields)[number]>

const entered = ({ entryDate }: { entryDate?: string | null }): string => String(entryDate ?? '').slice(0, 7)
const isIn = (month: string, stint: { entryDate?: string | null; leaveDate?: string | null }): boolean =>
  entered(stint) <= month && month <= (stint.leaveDate ?? '9999-12').slice(0, 7)

/**
 * The employment that the paid-back months belong to: months before the current employment belong to the earlier one,
 * with its customer, contract and entity. Adds their customers to `context`.
 */
export async function employedThenFor(
  work: ProcedureWork,
  context: TicketContext,
): Promise<{
  context: TicketContext
  employedIn: (person: number, months: Months) => EmployedThen
  /** The same for the months of an enrolment, which belong to the employment in which it began. */
  employedUnder: (enrolment: Enrolment, months: Months) => EmployedThen
}> {
  const { family, persons } = context
  const ids = [...persons.keys()]
  const ended = await work.read('employmentRecord', {
    where: { person: ids, leaveDate: { empty: false } },
    fields: stintFields,
    order: 'entryDate',
  })
  const customers = await work.byId(
    'customer',
    ended.map(({ customer }) => customer),
    { fields: ['agency', 'insuranceAccountMode', 'supportStaff'] },
  )
  const stints = groupedBy(ended, ({ person }) => person)
  const enrolments = await enrolmentsOf(work, family, ids)
  const asStint = (person: TicketPerson, { customer, serviceContract, agency, baseSalary }: Stint): TicketPerson => ({
    ...person,
    customer,
    serviceContract,
    agency: agency ?? person.agency,
    supportStaff: customers.get(customer)?.supportStaff ?? person.supportStaff,
    baseSalary: baseSalary ?? person.baseSalary,
  })
  return {
    context: { ...context, customers: new Map([...customers, ...context.customers]) },
    employedIn(id, { fromMonth, toMonth }) {
      const person = persons.get(id)!
      const own = stints.get(id) ?? []
      const ofMonth = (month: string): Stint | TicketPerson | undefined =>
        isIn(month, person) ? person : own.findLast((stint) => isIn(month, stint))
      const months = monthRange(fromMonth, toMonth).map((month) => ({ month, by: ofMonth(month) }))
      const hasBegun = ({ entryDate }: Stint | TicketPerson) => (entryDate ?? '9999').slice(0, 7) <= fromMonth
      // Outside any employment, what is still due is the last one's.
      const last = hasBegun(person) ? person : own.findLast(hasBegun)
      const found = months.find((month) => month.by !== undefined)?.by ?? last
      const by = found ?? person
      const stint = own.find((each) => each === by)
      const employed = stint ? asStint(person, stint) : person
      const outside = months.find((month) => month.by === undefined)?.month
      const other = months.find(
        (month) => month.by && (month.by.customer !== by.customer || month.by.serviceContract !== by.serviceContract),
      )?.month
      return {
        person: employed,
        enrolment: enrolmentIn(enrolments.get(id) ?? [], person, stint),
        isTooEarly: found === undefined,
        problem:
          outside !== undefined
            ? { field: 'fromMonth', code: 'outside', message: outsideText(outside) }
            : other !== undefined
              ? { field: 'toMonth', code: 'employment', message: splitText(other) }
              : null,
      }
    },
    employedUnder(enrolment, { toMonth }) {
      const person = persons.get(enrolment.person!)!
      const { customer, endMonth } = enrolment
      const isOf = (stint: Stint | TicketPerson) =>
        stint.customer === customer && isIn(String(enrolment.startMonth), stint)
      const stint = isOf(person) ? undefined : stints.get(enrolment.person!)?.findLast(isOf)
      return {
        person: stint ? asStint(person, stint) : person,
        enrolment,
        isTooEarly: false,
        problem:
          endMonth !== null && endMonth < toMonth
            ? { field: 'toMonth', code: 'ended', message: endedText(endMonth) }
            : null,
      }
    },
  }
}

async function enrolmentsOf(work: ProcedureWork, family: Family, persons: readonly number[]) {
  const all = await work.read(enrolmentOf(family), { where: { person: persons }, order: 'startMonth' })
  return groupedBy(all, ({ person }) => person!)
}

/** Under a former employment: the last enrolment that began in it. Under the current one: one that has not ended. */
function enrolmentIn(own: readonly Enrolment[], person: TicketPerson, stint: Stint | undefined): Enrolment | undefined {
  if (!stint) return own.findLast(({ status, customer }) => status !== 'stopped' && customer === person.customer)
  return own.findLast(
    ({ customer, startMonth }) => customer === stint.customer && startMonth !== null && isIn(startMonth, stint),
  )
}
