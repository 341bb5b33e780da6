import type { Context, Db } from '../../../engine/server/runtime.ts'
import type { RecordData, Value } from '../../../engine/schema/model.ts'
import { type Amount, decimal } from '../settlement/amounts.ts'
import { isAnyOf, readAll } from '../settlement/stored.ts'
import { familiesOf, plannedField } from '../welfare/handling/family.ts'
import { fitted, fittingFor } from '../welfare/handling/fitting.ts'
import { planOf, takes } from '../welfare/handling/staffTickets.ts'

/** Nobody has this id: the person is not there yet. */
const nobody = 0

/**
 * What each family would cost a month as the form stands: the ticket of somebody who is not there yet, worked out like
 * one, and not made. Null where the person does not take part, where no policy or account fits, and where nothing is
 * due yet. Amounts are in yuan.
 */
export async function previewPlan(context: Context, db: Db, given: RecordData): Promise<Record<string, Value>> {
  const customers = new Map(
    (
      await readAll(
        context,
        db,
        'customer',
        [isAnyOf('id', [(given.customer ?? null) as number | null])],
        ['agency', 'insuranceAccountMode'],
      )
    ).map((customer) => [customer.id!, customer]),
  )
  const shown: Record<string, Value> = {}
  for (const family of familiesOf(context)) {
    const isPlanned = (given[plannedField(family, 'needed')] ?? takes(family, given)) === true
    const fitting = { ...(await fittingFor(context, db, family, [])), persons: new Map([[nobody, given]]), customers }
    const { account, companyTotal, personalTotal, total } = isPlanned
      ? fitted(fitting, { person: nobody, ...planOf(family, given) })
      : {}
    // Before a base is known all comes to nothing, which is no estimate.
    const isKnown = (account ?? null) !== null && !decimal((total ?? null) as Amount).isZero()
    shown[plannedField(family, 'companyPreview')] = isKnown ? (companyTotal ?? null) : null
    shown[plannedField(family, 'personalPreview')] = isKnown ? (personalTotal ?? null) : null
  }
  return shown
}
