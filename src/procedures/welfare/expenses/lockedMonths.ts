import type { ProcedureWork } from '../../../../engine/server/procedure.ts'
import {
  expenseSummaryOf,
  type AdditionName,
  type AdjustmentName,
  type Family,
  type ReductionName,
  type BackPaymentName,
} from '../handling/family.ts'
import { isOpen } from './summaries.ts'

type TicketName = AdditionName | ReductionName | AdjustmentName | BackPaymentName
interface Handled {
  account: number | null
  customer: number | null
  handleMonth: string | null
}

/**
 * Lines of a ticket belong to the month in which it is handled, so that one must be open. `goesOn`: also every month
 * from a first one on, whose lines are still to be created.
 * @throws Refusal invalid.
 */
export async function refuseLockedMonths<T extends Handled>(
  work: ProcedureWork,
  { family, entity }: { family: Family; entity: TicketName },
  tickets: readonly T[],
  goesOn: (ticket: T) => string | null = () => null,
): Promise<void> {
  const from = tickets.flatMap(({ handleMonth }) => handleMonth ?? []).sort()[0]
  if (from === undefined) return
  const summaries = await work.read(expenseSummaryOf(family), {
    where: { account: tickets.map(({ account }) => account), feeMonth: { between: [from, null] } },
    fields: ['account', 'customer', 'feeMonth', 'status'],
    order: 'feeMonth',
  })
  const locked = summaries.filter((summary) => !isOpen(summary))
  for (const ticket of tickets) {
    const own = locked.filter(({ account, customer }) => account === ticket.account && customer === ticket.customer)
    const first = goesOn(ticket)
    const month = own
      .map(({ feeMonth }) => feeMonth)
      .findLast((feeMonth) => feeMonth === ticket.handleMonth || (first !== null && feeMonth >= first))
    if (month !== undefined)
      work.refuse<TicketName>(entity, [
        {
          field: 'handleMonth',
          code: 'locked',
          message: {
            cn: `${month}的费用已锁定，请选择之后的办理月份`,
            en: `The expenses of ${month} are locked: choose a later handling month`,
          },
        },
      ])
  }
}
