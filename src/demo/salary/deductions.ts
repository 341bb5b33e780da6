import { addMonths } from '../../../engine/expression/index.ts'
import { recompute } from '../../../engine/server/records/effects.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import { insertRecords } from '../../../engine/server/records/write.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import { deductionItems, deductionLimits, type DeductionItem } from '../../procedures/salary/specialDeduction.ts'
import type { Employed } from '../staff/employed.ts'
import { Random } from '../random.ts'

const seed = 20260320

/** The monthly increase of each item. */
export type MonthlyDeductions = Partial<Record<DeductionItem, number>>

export const monthsOfYear = (taxMonth: string, { entryDate }: Employed): number => {
  const first = [entryDate.slice(0, 7), `${taxMonth.slice(0, 4)}-01`].sort().at(-1)!
  return first > taxMonth ? 0 : Number(taxMonth.slice(5)) - Number(first.slice(5)) + 1
}

export const deductionTotal = (monthly: MonthlyDeductions, months: number): number =>
  Object.entries(monthly).reduce(
    (sum, [item, amount]) => (item === 'cumPersonalPension' ? sum : sum + amount * months),
    0,
  )

/** Seven of ten have some; one has more than they earn, and one exactly three thousand a month. */
export function deductionsOf(
  people: readonly Employed[],
  { most, sample }: { most?: number; sample?: number },
): Map<number, MonthlyDeductions> {
  const random = new Random(seed)
  return new Map(
    people.flatMap(({ id }): [number, MonthlyDeductions][] => {
      const chosen: MonthlyDeductions = {}
      const home = random.weighted([
        ['rent', 30],
        ['loan', 20],
        ['none', 50],
      ] as const)
      if (home === 'rent') chosen.cumHousingRent = random.pick([800, 1100, 1500])
      if (home === 'loan') chosen.cumHousingLoan = 1000
      if (random.chance(0.35)) chosen.cumChildEducation = random.pick([1000, 2000, 2000])
      if (random.chance(0.4)) chosen.cumElderlySupport = random.pick([1500, 3000])
      if (random.chance(0.12)) chosen.cumInfantCare = random.pick([1000, 2000])
      if (random.chance(0.05)) chosen.cumContinuingEducation = 400
      const has = random.chance(0.85) && Object.keys(chosen).length > 0
      if (id === most)
        return [
          [
            id,
            {
              cumChildEducation: 4000,
              cumInfantCare: 2000,
              cumHousingRent: 1500,
              cumElderlySupport: 3000,
              cumContinuingEducation: 400,
              cumPersonalPension: 1000,
            },
          ],
        ]
      if (id === sample) return [[id, { cumElderlySupport: 3000 }]]
      return has ? [[id, chosen]] : []
    }),
  )
}

/** A row for each tax month, cumulative since January; those of filed months are locked. */
export async function writeDeductions(
  context: Context,
  db: Db,
  people: readonly Employed[],
  known: ReadonlyMap<number, MonthlyDeductions>,
  { months, filed }: { months: readonly string[]; filed: string },
): Promise<void> {
  const entity = context.derived.catalog.entities.specialDeduction
  for (const month of months) {
    const made = people.flatMap((person): RecordData[] => {
      const monthly = known.get(person.id)
      const count = monthsOfYear(month, person)
      if (!monthly || count === 0 || (person.leaveDate !== null && person.leaveDate < `${addMonths(month, -1)!}-01`))
        return []
      const amounts = Object.fromEntries(
        deductionItems.map((item) => [item, capped(item, (monthly[item] ?? 0) * count, Number(month.slice(5)))]),
      )
      const record: RecordData = {
        person: person.id,
        personName: person.name,
        customer: person.customer,
        agency: person.agency,
        taxSubject: person.taxSubject,
        taxMonth: month,
        ...amounts,
        source: month === months.at(-1) && person.id % 5 === 0 ? 'carry' : 'import',
        status: month <= filed ? 'locked' : 'valid',
        remark: null,
      }
      recompute(context, entity, record)
      return [record]
    })
    const now = `${month}-03 09:40:00`
    await insertRecords({ ...context, now: now < context.now ? now : context.now }, db, entity, made)
  }
}

const capped = (item: DeductionItem, amount: number, months: number): string =>
  `${Math.min(amount, deductionLimits[item]?.(months) ?? Infinity)}.00`
