import type { Value } from '../../../../engine/model/model.ts'
import { procedure, textIn } from '../../../../engine/server/procedure.ts'
import { decimal, money, total } from '../../money/amounts.ts'
import { groupedBy } from '../groupedBy.ts'
import { familyOf, type Family, type Line, type LineName } from '../handling/family.ts'
import { absence, asDue, groupKey, isBeside, nothing } from './tableFigures.ts'

/**
 * After the bureau's figures were written to a line: a row of the table may include differences and refunds that are
 * charged in the same month. It is compared with all of them if its total is nearer to theirs than to the line's own;
 * the others then count as they are due, and what is left is compared with the line. It is the normal one, or the first
 * of a person who has none.
 */
export const compareTogether = procedure<LineName>(async (work, { entity, records }) => {
  const family = familyOf(work, entity)
  const found = await work.read(entity, {
    where: {
      account: records.map(({ account }) => account),
      feeMonth: records.map(({ feeMonth }) => feeMonth),
      idNumber: records.map(({ idNumber }) => idNumber),
      stage: 'open',
    },
    lock: true,
  })
  const [besides, normal] = [
    groupedBy(found.filter(isBeside), groupKey),
    new Set(found.filter(({ expenseType }) => expenseType === 'normal').map(groupKey)),
  ]
  const changes = records.flatMap((record) => {
    const isNormal = record.expenseType === 'normal'
    const own = (besides.get(groupKey(record)) ?? []).filter(({ id }) => id !== record.id)
    if (own.length === 0 || (!isNormal && (!isBeside(record) || normal.has(groupKey(record))))) return []
    const isTogether = coversAll(record, own)
    // A file row covers all differences or is refused; a typed figure belongs to its own line.
    if (!isTogether && !isNormal) return []
    return [
      ...(isTogether ? [{ record, values: without(family, record, own) }] : []),
      ...own.map((line) => ({
        record: line,
        values: { ...nothing(family), ...(isTogether ? asDue(family, line) : absence(line, false)) },
      })),
    ]
  })
  await work.changeAll(entity, changes)
})

function coversAll(line: Line, own: readonly Line[]): boolean {
  const alone = decimal(line.actualTotal).minus(decimal(line.total))
  return alone
    .minus(total(own.map((each) => decimal(each.total))))
    .abs()
    .lessThan(alone.abs())
}

/** The figures of the row without those of the other lines. */
function without({ items, supplement }: Family, line: Line, own: readonly Line[]): Record<string, Value> {
  const left = (actual: string, due: string) =>
    money(decimal(textIn(line, actual)).minus(total(own.map((each) => decimal(textIn(each, due))))))
  const actualTotal = left('actualTotal', 'total')
  const sides = items.flatMap(({ key, hasCompany, hasPersonal }) => [
    ...(hasCompany ? [[`${key}ActualCompany`, `${key}Company`]] : []),
    ...(hasPersonal ? [[`${key}ActualPersonal`, `${key}Personal`]] : []),
  ])
  return {
    ...Object.fromEntries(sides.map(([actual, due]) => [actual, left(actual, due)])),
    ...(supplement?.lateFee === 'daily' && { actualLateFee: left('actualLateFee', 'lateFee') }),
    actualTotal,
    reconcileStatus: decimal(actualTotal).equals(decimal(line.total)) ? 'matched' : 'different',
  }
}
