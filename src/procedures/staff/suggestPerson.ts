import { procedure, type ProcedureWork, type Values } from '../../../engine/server/procedure.ts'
import { previewPlan } from './previewPlan.ts'
import { samePeople } from './samePeople.ts'

/**
 * The number of other people with this mobile or ID; for a new person also the customer's service contract that lasts
 * longest, and the monthly cost in each welfare family.
 */
export const suggestPerson = procedure<'person'>(async (work, { records, values, typed }) => {
  const same = await samePeople(work, values, records.at(0)?.id)
  if (records.length > 0) return { values: same }
  const { customer } = values
  const found: Values<'person'> =
    typeof customer === 'number' && !typed.has('serviceContract')
      ? { serviceContract: await contractOf(work, customer) }
      : {}
  return { values: { ...same, ...found, ...(await previewPlan(work, values)) } }
})

async function contractOf(work: ProcedureWork, customer: number): Promise<number | null> {
  const inForce = await work.read('contract', {
    where: {
      customer,
      category: 'service',
      stage: 'signed',
      startDate: { between: [null, work.today] },
      anyOf: [{ endDate: null }, { endDate: { between: [work.today, null] } }],
    },
    fields: ['endDate'],
    seen: true,
  })
  const [best] = inForce.sort((a, b) => (b.endDate ?? '9999').localeCompare(a.endDate ?? '9999'))
  return best?.id ?? null
}
