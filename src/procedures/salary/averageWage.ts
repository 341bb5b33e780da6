import { sql } from 'kysely'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import type { Value } from '../../../engine/schema/model.ts'
import type { Amount } from '../settlement/amounts.ts'
import { column, readAll } from '../settlement/stored.ts'

/** What is needed of a policy. Months are `yyyy-MM`; a city of null is the whole country. */
export interface WagePolicy {
  city: Value
  effectiveFrom: Value
  effectiveTo: Value
  avgMonthlyWage: Value
}

/**
 * City → its average monthly wage in a month: of the policies in force there, the one that came last says it. Who has
 * none of their own has the country's.
 */
export function averageWagesIn(
  policies: readonly WagePolicy[],
  cities: readonly string[],
  month: string,
): Map<string, Amount> {
  const inForce = policies
    .filter(
      ({ effectiveFrom, effectiveTo }) =>
        String(effectiveFrom) <= month && ((effectiveTo ?? null) === null || month <= String(effectiveTo)),
    )
    .sort((a, b) => String(b.effectiveFrom).localeCompare(String(a.effectiveFrom)))
  return new Map(
    cities.flatMap((city): [string, Amount][] => {
      const found =
        inForce.find((policy) => policy.city === city) ?? inForce.find((policy) => (policy.city ?? null) === null)
      return found ? [[city, found.avgMonthlyWage as Amount]] : []
    }),
  )
}

export async function readAverageWages(
  context: Context,
  db: Db,
  cities: readonly string[],
  month: string,
): Promise<Map<string, Amount>> {
  const policies = (await readAll(
    context,
    db,
    'policy',
    [
      sql<boolean>`(${column('status')} in ('enabled', 'history') and (${column('city')} is null or ${column('city')} = any(${[...cities]}::text[])))`,
    ],
    ['city', 'effectiveFrom', 'effectiveTo', 'avgMonthlyWage'],
  )) as unknown as WagePolicy[]
  return averageWagesIn(policies, cities, month)
}
