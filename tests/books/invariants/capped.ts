import { Decimal } from 'decimal.js'
import type { RecordData } from '../../../engine/model/model.ts'
import type { Approved } from '../model/tables.ts'
import { fundCap } from '../model/tax.ts'
import type { World } from '../world.ts'
import { idOf, money, sum } from './Books.ts'

/**
 * By fee month, what a line of wages deducts of its person's provident fund beyond the cap of tax law, which applies to
 * each month of work, whatever charges and refunds it came in: the later fee months exceed it.
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
      .toSorted((a, b) => (String(a.feeMonth) < String(b.feeMonth) ? 1 : -1))
    const over = last ? sum(own, 'personalTotal').minus(fundCap(money(last.declaredBase))) : 0
    return all.plus(Decimal.max(0, over))
  }, new Decimal(0))
}
