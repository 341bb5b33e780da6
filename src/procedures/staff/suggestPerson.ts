import { visibleConditions } from '../../../engine/server/read.ts'
import type { Context, Db, Procedure } from '../../../engine/server/runtime.ts'
import type { Value } from '../../../engine/schema/model.ts'
import { entityOf, isAnyOf, readAll } from '../settlement/stored.ts'
import { previewPlan } from './previewPlan.ts'

/**
 * Of somebody new: the service contract of the customer that goes on longest, and what each family of welfare would
 * cost a month.
 */
export const suggestPerson: Procedure = async ({ context, db, records, values, form }) => {
  if (records.length > 0) return { values: {} }
  const found: Record<string, Value> =
    typeof values.customer === 'number' && !form?.typed.includes('serviceContract')
      ? { serviceContract: await contractOf(context, db, values.customer) }
      : {}
  return { values: { ...found, ...(await previewPlan(context, db, values)) } }
}

async function contractOf(context: Context, db: Db, customer: number): Promise<number | null> {
  const today = context.now.slice(0, 10)
  const contracts = await readAll(context, db, 'contract', [
    isAnyOf('customer', [customer]),
    ...visibleConditions(context, entityOf(context, 'contract')),
  ])
  const inForce = contracts.filter(
    ({ category, stage, startDate, endDate }) =>
      category === 'service' &&
      stage === 'signed' &&
      String(startDate) <= today &&
      (endDate === null || String(endDate) >= today),
  )
  const [best] = inForce.sort((a, b) => String(b.endDate ?? '9999').localeCompare(String(a.endDate ?? '9999')))
  return best?.id ?? null
}
