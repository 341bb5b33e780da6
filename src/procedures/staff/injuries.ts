import { sql } from 'kysely'
import { addMonths } from '../../../engine/expression/index.ts'
import type { Context, Db, Procedure } from '../../../engine/server/runtime.ts'
import type { Value } from '../../../engine/schema/model.ts'
import { column, isAnyOf, readAll } from '../settlement/stored.ts'
import { expenseLineOf, familiesOf } from '../welfare/handling/family.ts'
import { averageBase, type InsuredMonth } from './averageBase.ts'

/**
 * The average insured wage: the mean base of what insures work injuries, in the twelve months before the accident. What
 * was typed stays.
 */
export const suggestInjury: Procedure = async ({ context, db, records, values, form }) => {
  const { person, accidentTime } = { ...records.at(0), ...values }
  if (typeof person !== 'number' || typeof accidentTime !== 'string' || form?.typed.includes('avgWage12'))
    return { values: {} }
  const accident = accidentTime.slice(0, 7)
  return { values: { avgWage12: averageBase(await insuredMonths(context, db, person, accident), accident) } }
}

/**
 * What was insured against work injuries, by month, whatever family does so: what was paid back later counts where
 * nothing else was paid.
 */
export async function insuredMonths(
  context: Context,
  db: Db,
  person: number,
  accident: string,
): Promise<InsuredMonth[]> {
  const found: InsuredMonth[] = []
  for (const family of familiesOf(context)) {
    const insuring = family.items.filter(({ insures }) => insures === 'workInjury')
    if (insuring.length === 0) continue
    const lines = await readAll(context, db, expenseLineOf(family), [
      isAnyOf('person', [person]),
      sql<boolean>`(${column('stage')} <> 'void' and ${column('belongMonth')} >= ${addMonths(accident, -12)} and ${column('belongMonth')} < ${accident})`,
    ])
    for (const type of ['supplement', 'normal']) {
      for (const line of lines.filter(({ expenseType }) => expenseType === type)) {
        // A base is told of an item that is not paid for, too.
        const paid = insuring.find(
          ({ key }) => Number(line[`${key}Company`] ?? 0) + Number(line[`${key}Personal`] ?? 0) !== 0,
        )
        const base: Value = paid ? (line[`${paid.key}Base`] ?? line.base ?? null) : null
        if (base !== null) found.push({ month: String(line.belongMonth), base: String(base) })
      }
    }
  }
  return found
}
