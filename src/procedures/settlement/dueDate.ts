import { addDays, addMonths } from '../../../engine/expression/index.ts'

export interface PaymentTerms {
  paymentTerms: string
  paymentDay: number | null
}

/**
 * When a statement is due. `confirmed`: the date of the confirmation, or before that the expected date.
 * @returns yyyy-MM-dd
 */
export function dueDate({ paymentTerms, paymentDay }: PaymentTerms, billMonth: string, confirmed: string): string {
  if (paymentTerms === 'prepaid') return dayOf(billMonth, paymentDay ?? 31)
  if (paymentTerms === 'fixedDay') return dayOf(addMonths(billMonth, 1)!, paymentDay ?? 31)
  const days = /^net(\d+)$/.exec(paymentTerms)
  return days ? addDays(confirmed, Number(days[1]))! : dayOf(billMonth, 31)
}

/** How many days customers usually take to confirm. */
const usualConfirmation = 3
/** The date by which a statement of this day is expected to be confirmed. */
export const expectedConfirmation = (created: string): string => addDays(created.slice(0, 10), usualConfirmation)!

/** A day beyond the month's end is its last. */
function dayOf(month: string, day: number): string {
  const last = addDays(addMonths(`${month}-01`, 1)!, -1)!
  const wanted = `${month}-${String(day).padStart(2, '0')}`
  return wanted < last ? wanted : last
}
