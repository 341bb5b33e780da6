import type { Value } from '../../../../engine/model/model.ts'
import { textIn, type Values } from '../../../../engine/server/procedure.ts'
import type { Family, Line, LineName } from '../handling/family.ts'

/** A line that a row of the table may include with the person's normal line: such a table has no column for the type. */
export const isBeside = ({ expenseType }: Line): boolean => expenseType === 'difference' || expenseType === 'refund'
export const groupKey = ({ account, feeMonth, idNumber }: Line): string => `${account} ${feeMonth} ${idNumber}`

/** The figures of a line that no table has. */
export const nothing = ({ items, base, supplement }: Family): Record<string, null> => ({
  actualTotal: null,
  ...(base.mode === 'shared' && { actualBase: null }),
  ...(supplement?.lateFee === 'daily' && { actualLateFee: null }),
  ...Object.fromEntries(
    items.flatMap(({ key, hasCompany, hasPersonal }) =>
      [
        ...(base.mode === 'perItem' ? [`${key}ActualBase`] : []),
        ...(hasCompany ? [`${key}ActualCompany`] : []),
        ...(hasPersonal ? [`${key}ActualPersonal`] : []),
      ].map((name) => [name, null]),
    ),
  ),
})

/**
 * One row of the table covers several lines, such as the months of a back-payment. It is compared at the first line;
 * the others count as due.
 */
export const asDue = ({ items, supplement }: Family, line: Line): Record<string, Value> => ({
  ...Object.fromEntries(
    items.flatMap(({ key, hasCompany, hasPersonal }) =>
      [...(hasCompany ? ['Company'] : []), ...(hasPersonal ? ['Personal'] : [])].map((side) => [
        `${key}Actual${side}`,
        textIn(line, `${key}${side}`),
      ]),
    ),
  ),
  ...(supplement?.lateFee === 'daily' && { actualLateFee: textIn(line, 'lateFee') }),
  actualTotal: line.total,
  reconcileStatus: 'matched',
})

/** The state of a line that the table lacks. */
export function absence(
  { reconcileStatus, adjustReason, enrolment, sourceNo }: Line,
  isUndone: boolean,
): Values<LineName> {
  if (isUndone) return reconcileStatus === 'accepted' || adjustReason !== null ? {} : { reconcileStatus: 'unchecked' }
  if (enrolment === null && sourceNo === null) return { stage: 'void' }
  // The bureau has charged nothing for it.
  return { reconcileStatus: 'missing', actualTotal: '0.00' }
}
