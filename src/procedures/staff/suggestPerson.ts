import { visibleConditions } from '../../../engine/server/read.ts'
import type { Procedure } from '../../../engine/server/runtime.ts'
import { entityOf, isAnyOf, readAll } from '../settlement/stored.ts'

/** Of a customer that is chosen for somebody new: the service contract in force that goes on longest. */
export const suggestPerson: Procedure = async ({ context, db, records, values, form }) => {
  const customer = values.customer as number | null | undefined
  if (typeof customer !== 'number' || records.length > 0 || form?.typed.includes('serviceContract')) return { values: {} }
  const today = context.now.slice(0, 10)
  const contracts = await readAll(context, db, 'contract', [isAnyOf('customer', [customer]), ...visibleConditions(context, entityOf(context, 'contract'))])
  const inForce = contracts.filter(({ category, stage, startDate, endDate }) =>
    category === 'service' && stage === 'signed' && String(startDate) <= today && (endDate === null || String(endDate) >= today))
  const [best] = inForce.sort((a, b) => String(b.endDate ?? '9999').localeCompare(String(a.endDate ?? '9999')))
  return { values: { serviceContract: best?.id ?? null } }
}
