import type { Part, ProcedureWork } from '../../../engine/server/procedure.ts'
import type { Amount } from '../money/amounts.ts'

/** The required fields of a policy. Months are `yyyy-MM`; city null means the whole country. */
export type WagePolicy = Omit<Part<'policy', 'city' | 'effectiveFrom' | 'effectiveTo' | 'avgMonthlyWage'>, 'id'>

/**
 * City → its average monthly wage in a month, from the latest policy in force there. A city without one uses the
 * country's.
 */
export function averageWagesIn(
  policies: readonly WagePolicy[],
  cities: readonly string[],
  month: string,
): Map<string, Amount> {
  const inForce = policies
    .filter(
      ({ effectiveFrom, effectiveTo }) => effectiveFrom <= month && (effectiveTo === null || month <= effectiveTo),
    )
    .sort((a, b) => b.effectiveFrom.localeCompare(a.effectiveFrom))
  return new Map(
    cities.flatMap((city): [string, Amount][] => {
      const found = inForce.find((policy) => policy.city === city) ?? inForce.find((policy) => policy.city === null)
      return found ? [[city, found.avgMonthlyWage]] : []
    }),
  )
}

export async function readAverageWages(
  work: ProcedureWork,
  cities: readonly string[],
  month: string,
): Promise<Map<string, Amount>> {
  const policies = await work.read('policy', {
    where: { status: ['enabled', 'history'], anyOf: [{ city: null }, { city: cities }] },
    fields: ['city', 'effectiveFrom', 'effectiveTo', 'avgMonthlyWage'],
  })
  return averageWagesIn(policies, cities, month)
}
