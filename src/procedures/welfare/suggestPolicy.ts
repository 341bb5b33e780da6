import { procedure, type ProcedureWork, rowsIn, type Stored, type Values } from '../../../engine/server/procedure.ts'
import { homeCurrency } from '../../../engine/widgets/money/currencies.ts'
import { baseLimits } from './baseLimits.ts'
import { familiesOf } from './handling/family.ts'
import { trialOf } from './trial.ts'

/** From a city's average wage, suggests the limits of every item without any; and the amounts for a trial base. */
export const suggestPolicy = procedure<'policy'>(async (work, { values }) => {
  const limits = await limitsOf(work, values)
  const { kind, trialBase } = values
  const filled = { ...values, ...limits }
  const own = familiesOf(work).filter(({ policyKind }) => policyKind === kind)
  return { values: { ...limits, trial: typeof trialBase === 'string' ? trialOf(own, filled, trialBase) : [] } }
})

type Row = Stored<'policyItem'>

/** The items with their limits filled in, by the field of each family. */
async function limitsOf(work: ProcedureWork, values: Values<'policy'>): Promise<Record<string, Row[]>> {
  const { kind, city, avgMonthlyWage } = values
  const policyKind = work.families<{ key: string; floorFrom: string }>('policy').find(({ key }) => key === kind)
  if (typeof avgMonthlyWage !== 'string' || !policyKind) return {}
  const minimum =
    typeof city === 'string' ? await work.first('minimumWage', { where: { city }, fields: ['amount'] }) : undefined
  const { baseFloor, baseCeiling } = baseLimits(avgMonthlyWage, policyKind.floorFrom, minimum?.amount)
  const filled = (row: Row): Row =>
    row.amountMode === 'fixed'
      ? row
      : { ...row, baseFloor: row.baseFloor ?? baseFloor, baseCeiling: row.baseCeiling ?? baseCeiling }
  // The average wage is in yuan.
  const own = familiesOf(work).filter(
    ({ policyKind: familyKind, base, currency }) =>
      familyKind === kind && base.mode !== 'none' && currency === homeCurrency,
  )
  return Object.fromEntries(
    own
      .map(({ key }) => `${key}Items`)
      .filter((name) => Object.hasOwn(values, name))
      .map((name) => [name, rowsIn('policyItem', values, name).map(filled)]),
  )
}
