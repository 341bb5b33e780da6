import { sql } from 'kysely'
import type { Procedure } from '../../../engine/server/runtime.ts'
import type { RecordData, Value } from '../../../engine/schema/model.ts'
import { column, readAll } from '../settlement/stored.ts'
import { baseLimits } from './baseLimits.ts'
import { familiesOf } from './handling/family.ts'
import { trialOf } from './trial.ts'

/** Of the average wage of a city the limits of every item that has none yet, and what a base that is tried comes to. */
export const suggestPolicy: Procedure = async (call) => {
  const { values: limits } = await limitsOf(call)
  const { kind, trialBase } = call.values
  const filled = { ...call.values, ...limits } as RecordData
  const own = familiesOf(call.context).filter(({ policyKind }) => policyKind === kind)
  return {
    values: {
      ...limits,
      trial: typeof trialBase === 'string' ? (trialOf(own, filled, trialBase) as unknown as Value) : [],
    },
  }
}

async function limitsOf({ context, db, values }: Parameters<Procedure>[0]): Promise<{ values: Record<string, Value> }> {
  const { kind, city, avgMonthlyWage } = values
  const { families } = context.derived.catalog
  const policyKind = families.policy.find(({ key }) => key === kind)
  if (typeof avgMonthlyWage !== 'string' || !policyKind) return { values: {} }
  const [minimum] =
    typeof city === 'string'
      ? await readAll(context, db, 'minimumWage', [sql<boolean>`${column('city')} = ${city}`])
      : []
  const { baseFloor, baseCeiling } = baseLimits(
    avgMonthlyWage,
    String(policyKind.floorFrom),
    minimum?.amount as string | undefined,
  )
  const filled = (row: RecordData): RecordData =>
    row.amountMode === 'fixed'
      ? row
      : { ...row, baseFloor: row.baseFloor ?? baseFloor, baseCeiling: row.baseCeiling ?? baseCeiling }
  const own = families.handling.filter(
    ({ policyKind: of, base }) => of === kind && (base as RecordData).mode !== 'none',
  )
  return {
    values: Object.fromEntries(
      own.flatMap(({ key }): [string, Value][] => {
        const rows = values[`${String(key)}Items`]
        return Array.isArray(rows) ? [[`${String(key)}Items`, (rows as RecordData[]).map(filled) as Value]] : []
      }),
    ),
  }
}
