import { type ProcedureWork, textIn } from '../../../engine/server/procedure.ts'
import { normalLine } from '../welfare/expenses/normalLine.ts'
import { groupedBy } from '../welfare/groupedBy.ts'
import { type Enrolment, enrolmentOf, type Family } from '../welfare/handling/family.ts'
import { readTicketContext, type TicketContext } from '../welfare/handling/ticketContext.ts'
import { decimal, zero } from '../money/amounts.ts'
import { type PlannedColumn, plannedColumns } from './computeBudget.ts'
import type { BilledFamily } from './feeItems.ts'
import type { Insured, Share } from './roster.ts'

/**
 * Customer → what it and these persons pay in a month by the policies in force, according to their enrolments and
 * pending additions. People unknown to all families are missing.
 */
export async function insuredIn(
  work: ProcedureWork,
  persons: readonly number[],
  month: string,
): Promise<ReadonlyMap<number, Insured>> {
  const families = work.families<Family & BilledFamily>('handling')
  const all = new Map<number, Map<number, Partial<Record<PlannedColumn, Share>>>>()
  const columns = new Set<PlannedColumn>()
  for (const family of families) {
    const column = `${family.settlement.feeCategory}Amount` as PlannedColumn
    if (!plannedColumns.includes(column)) continue
    columns.add(column)
    const context = await readTicketContext(work, family, persons)
    const enrolments = await work.read(enrolmentOf(family), { where: { person: persons }, order: 'startMonth' })
    for (const [customer, there] of groupedBy(enrolments, (each) => each.customer!)) {
      const ofPerson = all.get(customer) ?? new Map()
      all.set(customer, ofPerson)
      for (const [person, own] of groupedBy(there, (each) => each.person!)) {
        const amounts = ofPerson.get(person) ?? {}
        const { company, personal } = amounts[column] ?? nothing
        const due = amountOf(context, own.at(-1)!, month)
        const sum = { company: company.plus(due.company), personal: personal.plus(due.personal) }
        ofPerson.set(person, { ...amounts, [column]: sum })
      }
    }
  }
  // A person enrolled in only some families has chosen that.
  const none = Object.fromEntries([...columns].map((column) => [column, nothing]))
  return new Map(
    [...all].map(([customer, ofPerson]) => [
      customer,
      new Map([...ofPerson].map(([person, amounts]) => [person, { ...none, ...amounts }])),
    ]),
  )
}

const nothing: Share = { company: zero, personal: zero }

function amountOf(context: TicketContext, enrolment: Enrolment, month: string): Share {
  const status = enrolment.status === 'opening' ? 'enrolled' : enrolment.status
  const line = normalLine(context, { ...enrolment, status }, month)
  return line
    ? { company: decimal(textIn(line, 'companyTotal')), personal: decimal(textIn(line, 'personalTotal')) }
    : nothing
}
