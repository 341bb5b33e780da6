import { addMonths } from '../../../engine/expression/index.ts'
import { procedure, type ProcedureWork, textIn } from '../../../engine/server/procedure.ts'
import { expenseLineOf, familiesOf } from '../welfare/handling/family.ts'
import { averageBase, type InsuredMonth } from './averageBase.ts'

/**
 * The average insured wage: the mean base of work injury insurance in the twelve months before the accident. The user's
 * input stays.
 */
export const suggestInjury = procedure<'workInjury'>(async (work, { records, values, typed }) => {
  const { person, accidentTime } = { ...records.at(0), ...values }
  if (typeof person !== 'number' || typeof accidentTime !== 'string' || typed.has('avgWage12')) return { values: {} }
  const accident = accidentTime.slice(0, 7)
  return { values: { avgWage12: averageBase(await insuredMonths(work, person, accident), accident) } }
})

/**
 * The bases of work injury insurance by month, in any family: back-payments only count for months without other
 * payments.
 */
export async function insuredMonths(work: ProcedureWork, person: number, accident: string): Promise<InsuredMonth[]> {
  const found: InsuredMonth[] = []
  for (const family of familiesOf(work)) {
    const insuring = family.items.filter(({ insures }) => insures === 'workInjury')
    if (insuring.length === 0) continue
    const lines = await work.read(expenseLineOf(family), {
      where: {
        person,
        stage: { not: 'void' },
        belongMonth: { between: [addMonths(accident, -12), addMonths(accident, -1)] },
      },
      // What was paid at a former customer stays with its staff.
      seen: true,
    })
    for (const type of ['supplement', 'normal']) {
      for (const line of lines.filter(({ expenseType }) => expenseType === type)) {
        // An unpaid item may state a base, too.
        const paid = insuring.find(
          ({ key }) => Number(textIn(line, `${key}Company`)) + Number(textIn(line, `${key}Personal`)) !== 0,
        )
        const base = paid ? (textIn(line, `${paid.key}Base`) ?? textIn(line, 'base')) : null
        if (base !== null) found.push({ month: line.belongMonth, base })
      }
    }
  }
  return found
}
