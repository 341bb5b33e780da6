import { Decimal } from 'decimal.js'
import type { RecordData } from '../../../engine/model/model.ts'
import type { Approved } from '../model/tables.ts'
import { fundCap } from '../model/tax.ts'
import type { World } from '../world.ts'
import { idOf, money, sum } from './Books.ts'

/**
 * By fee month, the part of the provident fund that a line of wages deducts and tax law does not. The cap is of each
 * month of work, so a charge or refund that comes later counts as beyond it in the fee month in which it came.
 * @param before the person's wages that were approved earlier
 */
export async function capped(
  world: World,
  { id, person, welfareMonth }: RecordData,
  before: readonly Approved[],
): Promise<Approved['beyondCap']> {
  const { welfare } = await world.get('/salary/payrollLine/detail', { id })
  const feeMonths = (welfare as RecordData[]).flatMap(({ family, feeMonth }) =>
    family === 'accumulationfund' ? [String(feeMonth ?? welfareMonth)] : [],
  )
  if (feeMonths.length === 0) return new Map()
  const lines = await world.all('/welfare/accumulationfundExpenseLine', { person: { equals: idOf(person) } })
  const charges = lines.filter(({ lineStatus }) => lineStatus !== 'void')
  return new Map(
    feeMonths.map((month) => {
      const until = beyond(charges.filter(({ feeMonth }) => String(feeMonth) <= month))
      const previously = beyond(charges.filter(({ feeMonth }) => String(feeMonth) < month))
      const earlier = before.reduce((all, { beyondCap }) => all.plus(beyondCap.get(month) ?? 0), new Decimal(0))
      return [month, until.minus(previously).minus(earlier)]
    }),
  )
}

/** What these charges exceed the caps of their months by. */
function beyond(charges: readonly RecordData[]): Decimal {
  const months = new Set(charges.map(({ belongMonth }) => belongMonth))
  return [...months].reduce((all, month) => {
    const own = charges.filter(({ belongMonth }) => belongMonth === month)
    const [last] = own
      .filter(({ declaredBase }) => declaredBase !== null)
      .toSorted((a, b) => String(b.feeMonth).localeCompare(String(a.feeMonth)) || b.id! - a.id!)
    const over = last ? sum(own, 'personalTotal').minus(fundCap(money(last.declaredBase))) : 0
    return all.plus(Decimal.max(0, over))
  }, new Decimal(0))
}
