import type { ProcedureWork, Stored } from '../../../../engine/server/procedure.ts'
import { recomputeOpen, writeTicketLines } from '../expenses/ticketLines.ts'
import { newestOf } from './accountFor.ts'
import { adjustmentOf, enrolmentOf, familiesOf, type AdjustmentName, type Family } from './family.ts'
import { lateDifferences } from './followPolicy.ts'
import { isForHousehold } from './insuredPerson.ts'
import { readTicketContext } from './ticketContext.ts'

type Ticket = Stored<AdjustmentName>

/**
 * A version that comes into force for months before a person moved to another household type applies to those at once:
 * they are under another policy by now, so no ticket of its own brings it.
 */
export async function followFormerPolicies(work: ProcedureWork, policy: Stored<'policy'>): Promise<void> {
  const versions = await work.read('policy', { where: { policyNo: policy.policyNo }, fields: ['policyNo'] })
  const formerPolicy = versions.map(({ id }) => id).filter((id) => id !== policy.id)
  for (const family of familiesOf(work)) {
    if (family.policyKind !== policy.kind || family.pages.fm === null || formerPolicy.length === 0) continue
    const where = { formerPolicy, householdType: { empty: false }, status: 'success' } as const
    await takeVersions(work, family, await work.read(adjustmentOf(family), { where, lock: true }))
  }
}

/** The same for versions that could not be brought while a ticket was open. */
export async function takeVersions(work: ProcedureWork, family: Family, tickets: readonly Ticket[]): Promise<void> {
  const moved = tickets.filter(isForHousehold)
  if (moved.length === 0) return
  const context = await readTicketContext(
    work,
    family,
    moved.map(({ person }) => person),
  )
  const late = moved.flatMap((record) => {
    const former = context.policies.find(({ id }) => id === record.formerPolicy)
    const policy = former && newestOf(context, former)
    return policy && policy !== former && policy.effectiveFrom < record.effectiveMonth ? [{ record, policy }] : []
  })
  await work.changeAll(
    adjustmentOf(family),
    late.map(({ record, policy }) => ({ record, values: { formerPolicy: policy.id } })),
  )
  const enrolments = await work.byId(
    enrolmentOf(family),
    late.map(({ record }) => record.enrolment),
  )
  await recomputeOpen(work, family, [...enrolments.keys()])
  for (const { record, policy } of late) {
    const enrolment = enrolments.get(record.enrolment!)!
    const before = new Map([[enrolment.id, enrolment]])
    const change = { policy, from: policy.effectiveFrom, enrolments: [enrolment], before }
    await writeTicketLines(work, family, await lateDifferences(work, context, change))
  }
}
