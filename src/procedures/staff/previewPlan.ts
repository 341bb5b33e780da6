import { type ProcedureWork, textIn, type Values } from '../../../engine/server/procedure.ts'
import type { Value } from '../../../engine/model/model.ts'
import { decimal } from '../money/amounts.ts'
import { familiesOf, plannedField } from '../welfare/handling/family.ts'
import { computeAddition } from '../welfare/handling/computeAddition.ts'
import { readTicketContext } from '../welfare/handling/ticketContext.ts'
import { isPlanned, planOf } from '../welfare/handling/plans.ts'

/** An id that nobody has, because the person does not exist yet. */
const nobody = 0

/**
 * The monthly cost in each family for the form as it is: a ticket for the future person is computed but not created.
 * Null if the person does not take part, no policy or account fits, or nothing is due yet. Amounts are in yuan.
 */
export async function previewPlan(work: ProcedureWork, given: Values<'person'>): Promise<Record<string, Value>> {
  const customers = await work.byId('customer', [given.customer], { fields: ['agency', 'insuranceAccountMode'] })
  const shown: Record<string, Value> = {}
  for (const family of familiesOf(work)) {
    const context = { ...(await readTicketContext(work, family, [])), persons: new Map([[nobody, given]]), customers }
    const found = isPlanned(family, given) ? computeAddition(context, { person: nobody, ...planOf(family, given) }) : {}
    // Before a base is known every amount is zero, which is not an estimate.
    const isKnown = (found.account ?? null) !== null && !decimal(found.total).isZero()
    shown[plannedField(family, 'companyPreview')] = isKnown ? textIn(found, 'companyTotal') : null
    shown[plannedField(family, 'personalPreview')] = isKnown ? textIn(found, 'personalTotal') : null
  }
  return shown
}
