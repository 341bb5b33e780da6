import { addDays, addMonths } from '../../../../engine/expression/index.ts'
import {
  type OpenValues,
  type ProcedureWork,
  rowsIn,
  type Stored,
  type Values,
} from '../../../../engine/server/procedure.ts'
import { vestedPercent } from '../vesting.ts'
import { policyItems } from './amounts.ts'
import type { Family, ReductionName } from './family.ts'

/** A reduction, or the form of one. */
type Reduction = Pick<Values<ReductionName>, 'person' | 'policy' | 'lastMonth' | 'leaveDate'>

/**
 * The share of the company's part that leavers keep, for each item with a vesting table in the policy: the percentage for
 * their years of service. The ticket's own formulas add up the amounts.
 */
export async function vestedRatesOf(
  work: ProcedureWork,
  family: Family,
  reductions: readonly Reduction[],
): Promise<(reduction: Reduction) => OpenValues> {
  const items = family.items.filter(({ hasCompany, vesting }) => hasCompany && vesting.length > 0)
  if (items.length === 0) return () => ({})
  const persons = await work.byId(
    'person',
    reductions.map(({ person }) => person ?? null),
    { fields: ['entryDate'] },
  )
  const policies = await work.byId(
    'policy',
    reductions.map(({ policy }) => policy ?? null),
  )
  return ({ person, policy, lastMonth, leaveDate }) => {
    const left = leaveDate ?? addDays(`${addMonths(String(lastMonth), 1)}-01`, -1)!
    const rows = policyItems(policies.get(policy!) ?? {}, family)
    return Object.fromEntries(
      items.map(({ key }) => {
        const row = rows.find(({ item }) => item === key)
        const steps = row ? rowsIn('policyVesting', row, 'vesting').map(stepOf) : []
        return [`${key}VestedRate`, vestedPercent(steps, persons.get(person!)?.entryDate ?? null, left)]
      }),
    )
  }
}

const stepOf = ({ years, percent }: Stored<'policyVesting'>) => ({ years: Number(years), percent: String(percent) })
