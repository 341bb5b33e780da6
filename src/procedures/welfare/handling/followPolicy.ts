import type { ProcedureWork, Stored, Values } from '../../../../engine/server/procedure.ts'
import { recomputeOpen, writeTicketLines } from '../expenses/ticketLines.ts'
import { adjustedFor } from './adjustedEnrolment.ts'
import { computeAdjustment } from './computeAdjustment.ts'
import { enrolmentValues, openStates } from './enrolments.ts'
import { choicesUnder, keptChoices } from './amounts.ts'
import {
  additionOf,
  adjustmentOf,
  enrolmentOf,
  familiesOf,
  reductionOf,
  type AdditionName,
  type AdjustmentName,
  type Enrolment,
  type EnrolmentName,
  type Family,
} from './family.ts'
import { rememberEnrolments } from './formerEnrolments.ts'
import { lateDifferences } from './lateDifferences.ts'
import { insuredPerson } from './insuredPerson.ts'
import { accountFor, accountIn } from './accountFor.ts'
import { amountsIn, computeAddition } from './computeAddition.ts'
import { readTicketContext, type TicketPerson, type TicketContext } from './ticketContext.ts'
import { policyFor } from './policyFor.ts'
import { changesAmounts, makePolicyTickets, policyType } from './policyTickets.ts'
import { takenOf } from './takenOf.ts'

type Policy = Stored<'policy'>

/**
 * Applies a policy that came into force to everybody whom it fits. If it changes what a person pays, an adjustment is
 * created, and the enrolment and its lines follow once that is handled; an open adjustment includes it. Everybody else
 * changes to it at once, with the rates and tiers that it has: open lines of expenses and open tickets are recomputed,
 * and locked months from its first on get differences.
 */
export async function followPolicy(work: ProcedureWork, policy: Policy): Promise<void> {
  for (const family of familiesOf(work).filter(({ policyKind }) => policyKind === policy.kind)) {
    const enrolments = await work.read(enrolmentOf(family), {
      where: {
        // People who stopped since were still insured under it.
        anyOf: [{ status: { not: 'stopped' } }, { endMonth: { between: [policy.effectiveFrom, null] } }],
        ...(policy.city !== null && { city: policy.city }),
      },
      lock: true,
    })
    const context = await readTicketContext(
      work,
      family,
      enrolments.map(({ person }) => person),
    )
    await moveTo(
      work,
      context,
      policy,
      enrolments.filter(({ status }) => status !== 'opening'),
    )
    await followAdditions(
      work,
      context,
      enrolments.filter(({ status }) => status === 'opening'),
    )
    await followReductions(work, family, enrolments)
  }
}

/** Moves the enrolments of tickets to policies that came into force while the tickets were open, each to its own. */
export async function followNewer(
  work: ProcedureWork,
  family: Family,
  tickets: readonly { enrolment: number | null }[],
): Promise<void> {
  const ids = tickets.flatMap(({ enrolment }) => enrolment ?? [])
  const enrolments = await work.read(enrolmentOf(family), {
    where: { id: ids, status: { not: 'opening' } },
    lock: true,
  })
  const context = await readTicketContext(
    work,
    family,
    enrolments.map(({ person }) => person),
  )
  for (const policy of context.policies.filter(({ status }) => status === 'enabled')) {
    const newer = enrolments.filter(
      (enrolment) =>
        enrolment.policy !== policy.id &&
        policy.effectiveFrom <= (enrolment.endMonth ?? '9999-12') &&
        enrolledUnder(context, policy, enrolment),
    )
    if (newer.length > 0) await moveTo(work, context, policy, newer)
  }
}

async function moveTo(
  work: ProcedureWork,
  context: TicketContext,
  policy: Policy,
  enrolments: readonly Enrolment[],
): Promise<void> {
  const { family } = context
  const moved = new Map(
    enrolments.flatMap((record): [number, Values<EnrolmentName>][] => {
      const values = enrolledUnder(context, policy, record)
      return values ? [[record.id, values]] : []
    }),
  )
  // People about to leave are not adjusted.
  const isAdjusted = (record: Enrolment) =>
    policyType(family) !== undefined &&
    record.status === 'enrolled' &&
    changesAmounts(context, record, moved.get(record.id)!)
  const [byTicket, direct] = [true, false].map((needsTicket) =>
    enrolments.filter((record) => moved.has(record.id) && isAdjusted(record) === needsTicket),
  )
  const formerly = await rememberEnrolments(work, family, direct)
  await work.changeAll(
    enrolmentOf(family),
    direct.map((record) => ({ record, values: moved.get(record.id)! })),
  )
  await recomputeOpen(
    work,
    family,
    direct.map(({ id }) => id),
  )
  await writeTicketLines(
    work,
    family,
    await lateDifferences(work, context, {
      policy,
      from: policy.effectiveFrom,
      enrolments: direct.filter((enrolment) => enrolment.policy === policy.id),
      formerly,
    }),
  )
  if (family.pages.fm === null) return
  const open = new Set((await followAdjustments(work, context, enrolments)).map(({ person }) => person))
  await makePolicyTickets(
    work,
    context,
    policy,
    byTicket.filter(({ person }) => !open.has(person!)),
  )
}

/**
 * An enrolment's values under the policy; undefined if it already has them, another policy applies to the person, or no
 * account fits.
 */
function enrolledUnder(
  context: TicketContext,
  { id, effectiveFrom }: Policy,
  record: Enrolment,
): Values<EnrolmentName> | undefined {
  const { family } = context
  const person = insuredPerson(context, record)
  const month = [context.month, effectiveFrom, String(record.startMonth)].sort().at(-1)!
  const city = String(record.city)
  const policy = person && policyFor(context, person, city, month)
  const account =
    policy?.id === id && (accountIn(policy!, family, record.account) ?? accountFor(context, person!, policy!))
  if (!account || isLater(context, record, person!, policy!)) return undefined
  const choices = choicesUnder(family, policy!, record)
  return {
    policy: policy!.id,
    account: account.id,
    ...choices,
    ...amountsIn(context, { person: person!, city, month }, policy!, account, { ...record, ...choices }),
  }
}

/** Whether the enrolment already has a policy that begins later and applies to the person from then on. */
function isLater(context: TicketContext, record: Enrolment, person: TicketPerson, policy: Policy): boolean {
  const own = context.policies.find(({ id, status }) => id === record.policy && status === 'enabled')
  return (
    own !== undefined &&
    own.effectiveFrom > [policy.effectiveFrom, context.month].sort()[1] &&
    policyFor(context, person, String(record.city), own.effectiveFrom)?.id === own.id
  )
}

/** Recomputes additions, and updates what they have opened. */
export async function followAdditions(
  work: ProcedureWork,
  context: TicketContext,
  opened: readonly Enrolment[],
): Promise<void> {
  const { family, policies } = context
  const addition = additionOf(family)
  const tickets = await work.read(addition, { where: openOf(opened), lock: true })
  const values = (ticket: Stored<AdditionName>): Values<AdditionName> => {
    const anew = { ...ticket, policy: null }
    const policy = policies.find(({ id }) => id === computeAddition(context, anew).policy)
    return policy ? computeAddition(context, { ...anew, ...keptChoices(family, policy, ticket) }) : {}
  }
  await work.changeAll(
    addition,
    tickets.map((record) => ({ record, values: values(record) })),
  )
  const ticketOf = new Map(tickets.map((ticket) => [ticket.enrolment, ticket]))
  const enrolment = enrolmentOf(family)
  const names = work.keptFields(enrolment)
  await work.changeAll(
    enrolment,
    opened.flatMap((record) => {
      const ticket = ticketOf.get(record.id)
      return ticket ? [{ record, values: enrolmentValues(ticket, names) }] : []
    }),
  )
}

const openOf = (enrolments: readonly Enrolment[]) => ({
  enrolment: enrolments.map(({ id }) => id),
  status: openStates,
})

/** Updates reductions from their enrolments. */
async function followReductions(work: ProcedureWork, family: Family, enrolments: readonly Enrolment[]): Promise<void> {
  const reduction = reductionOf(family)
  const tickets = await work.read(reduction, { where: openOf(enrolments), lock: true })
  const byId = new Map(enrolments.map((record) => [record.id, record]))
  await work.changeAll(
    reduction,
    tickets.map((record) => ({ record, values: takenOf(family, byId.get(record.enrolment!)!) })),
  )
}

/** Recomputes open adjustments by the policy of their month. @returns them */
async function followAdjustments(
  work: ProcedureWork,
  context: TicketContext,
  enrolments: readonly Enrolment[],
): Promise<Stored<AdjustmentName>[]> {
  const adjustment = adjustmentOf(context.family)
  const tickets = await work.read(adjustment, { where: openOf(enrolments), lock: true })
  const byId = new Map(enrolments.map((record) => [record.id, record]))
  const found = await adjustedFor(work, context, enrolments)
  await work.changeAll(
    adjustment,
    tickets.map((record) => {
      const enrolment = found(byId.get(record.enrolment!)!, record.effectiveMonth)
      return { record, values: computeAdjustment(context, enrolment, record) }
    }),
  )
  return tickets
}
