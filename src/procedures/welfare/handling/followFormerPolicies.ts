import { type OpenValues, type ProcedureWork, type Stored, textIn } from '../../../../engine/server/procedure.ts'
import { recomputeOpen, writeTicketLines } from '../expenses/ticketLines.ts'
import { groupedBy } from '../groupedBy.ts'
import { newestOf } from './accountFor.ts'
import { adjustmentOf, enrolmentOf, familiesOf, householdChangeOf, type AdjustmentName, type Family } from './family.ts'
import { lateDifferences } from './lateDifferences.ts'
import { rememberEnrolments } from './formerEnrolments.ts'
import { formerPlace } from './householdChanges.ts'
import { isForHousehold } from './insuredPerson.ts'
import { readTicketContext } from './ticketContext.ts'

type Ticket = Stored<AdjustmentName>

/** A policy that applied to an enrolment until a month, and the record that knows it as its `formerPolicy`. */
interface Former {
  entity: AdjustmentName
  record: Ticket
  enrolment: number
  until: string
}

/**
 * A version that comes into force for months before a person moved to another household type applies to those at once:
 * they are under another policy by now, so no ticket of its own brings it.
 */
export async function followFormerPolicies(work: ProcedureWork, policy: Stored<'policy'>): Promise<void> {
  const versions = await work.read('policy', { where: { policyNo: policy.policyNo }, fields: ['policyNo'] })
  const formerPolicy = versions.map(({ id }) => id).filter((id) => id !== policy.id)
  if (formerPolicy.length === 0) return
  for (const family of familiesOf(work).filter(({ policyKind }) => policyKind === policy.kind)) {
    if (family.pages.fm === null) {
      await takeNewer(work, family, await changesFrom(work, family, formerPolicy))
      continue
    }
    const where = { formerPolicy, householdType: { empty: false }, status: 'success' } as const
    await takeVersions(work, family, await work.read(adjustmentOf(family), { where, lock: true }))
  }
}

/** The changes of household types that ended these policies, in a family without adjustments. */
async function changesFrom(work: ProcedureWork, family: Family, formerPolicy: readonly number[]): Promise<Former[]> {
  // Enrolments and their rows have the fields of the same names.
  const where = { formerPolicy }
  const [own, earlier] = [enrolmentOf(family) as AdjustmentName, householdChangeOf(family)]
  const last = await work.read(own, { where, lock: true })
  const rows = await work.read(earlier, { where, lock: true })
  const until = (record: OpenValues) => textIn(record, formerPlace.since)!
  return [
    ...last.map((record) => ({ entity: own, record, enrolment: record.id, until: until(record) })),
    ...rows.map((record) => ({ entity: earlier, record, enrolment: record.enrolment!, until: until(record) })),
  ]
}

/** The same for versions that could not be brought while a ticket was open. */
export const takeVersions = (work: ProcedureWork, family: Family, tickets: readonly Ticket[]): Promise<void> =>
  takeNewer(
    work,
    family,
    tickets.filter(isForHousehold).map((record) => ({
      entity: adjustmentOf(family),
      record,
      enrolment: record.enrolment!,
      until: record.effectiveMonth,
    })),
  )

async function takeNewer(work: ProcedureWork, family: Family, all: readonly Former[]): Promise<void> {
  if (all.length === 0) return
  const enrolments = await work.byId(
    enrolmentOf(family),
    all.map(({ enrolment }) => enrolment),
  )
  const context = await readTicketContext(
    work,
    family,
    [...enrolments.values()].map(({ person }) => person),
  )
  const late = all.flatMap((each) => {
    const former = context.policies.find(({ id }) => id === each.record.formerPolicy)
    const policy = former && newestOf(context, former)
    return policy && policy !== former && policy.effectiveFrom < each.until ? [{ ...each, policy }] : []
  })
  if (late.length === 0) return
  const formerly = await rememberEnrolments(work, family, [...enrolments.values()])
  for (const [entity, own] of groupedBy(late, (each) => each.entity))
    await work.changeAll(
      entity,
      own.map(({ record, policy }) => ({ record, values: { formerPolicy: policy.id } })),
    )
  await recomputeOpen(
    work,
    family,
    late.map(({ enrolment }) => enrolment),
  )
  for (const { enrolment, policy } of late) {
    const change = { policy, from: policy.effectiveFrom, enrolments: [enrolments.get(enrolment)!], formerly }
    await writeTicketLines(work, family, await lateDifferences(work, context, change))
  }
}
