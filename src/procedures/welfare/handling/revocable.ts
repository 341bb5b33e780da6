import type { ProcedureWork, Stored } from '../../../../engine/server/procedure.ts'
import { differencesOf } from '../expenses/differences.ts'
import { changedFrom } from './adjustedEnrolment.ts'
import {
  adjustmentOf,
  expenseLineOf,
  expenseSummaryOf,
  backPaymentOf,
  type AdjustmentName,
  type Family,
} from './family.ts'
import type { TicketContext } from './ticketContext.ts'
import { byHandling, handledAdjustments } from './formerEnrolments.ts'

// What stands in the way of revoking a ticket: later tickets of its enrolment, and months locked with it.

type Adjustment = Stored<AdjustmentName>

/** Only the last adjustment of an enrolment can be revoked. @throws Refusal notAllowed, naming the one handled since. */
export async function refuseAdjustedSince(
  work: ProcedureWork,
  family: Family,
  handled: readonly Adjustment[],
): Promise<void> {
  const all = await handledAdjustments(
    work,
    family,
    handled.map(({ enrolment }) => enrolment),
  )
  for (const ticket of handled) {
    const since = all(ticket.enrolment).findLast((each) => each.id !== ticket.id && byHandling(each, ticket) > 0)
    if (since)
      work.refuseCall({
        cn: `之后办结的${since.ticketNo}仍然有效，请先撤回`,
        en: `${since.ticketNo}, which was handled later, still applies: revoke it first`,
      })
  }
}

/**
 * A month that was locked after an adjustment was handled is charged by it, without a line of its own: it would stay.
 * `handled`: the tickets before they were revoked. @throws Refusal notAllowed, naming the month.
 */
export async function refuseLockedSince(
  work: ProcedureWork,
  { family, ...context }: TicketContext,
  handled: readonly Adjustment[],
): Promise<void> {
  const changes = handled.map((ticket) => ({
    person: ticket.person,
    enrolment: ticket.enrolment!,
    effectiveMonth: changedFrom({ family, ...context }, ticket),
    handleMonth: ticket.handleMonth!,
    ticketNo: ticket.ticketNo,
  }))
  const differences = await differencesOf(work, family, changes)
  if (differences.length === 0) return
  const lines = await work.read(expenseLineOf(family), {
    where: {
      enrolment: differences.flatMap(({ enrolment }) => enrolment ?? []),
      belongMonth: differences.map(({ belongMonth }) => belongMonth),
      expenseType: 'normal',
      stage: 'locked',
    },
    fields: ['enrolment', 'belongMonth', 'summary'],
  })
  const summaries = await work.byId(
    expenseSummaryOf(family),
    lines.map(({ summary }) => summary),
    { fields: ['confirmedAt'] },
  )
  const stays = differences.find(({ enrolment, belongMonth, sourceNo }) => {
    const { handledAt } = handled.find(({ ticketNo }) => ticketNo === sourceNo)!
    const line = lines.find((each) => each.enrolment === enrolment && each.belongMonth === belongMonth)
    return line && (summaries.get(line.summary!)?.confirmedAt ?? '') >= (handledAt ?? '')
  })
  if (stays)
    work.refuseCall({
      cn: `${stays.belongMonth}的费用已按该调整锁定，请先取消确认，或另行调整`,
      en: `The expenses of ${stays.belongMonth} were locked as adjusted: undo their confirmation first, or make another adjustment`,
    })
}

const cancelFirst = { cn: '请先撤销', en: 'cancel it first' }
const revokeFirst = { cn: '请先撤回并撤销', en: 'revoke and cancel it first' }

/**
 * An enrolment whose addition is revoked starts over, so nothing else may have been done on it. Adjustments to a policy
 * that nobody has started go with it. @returns the enrolments that had one. @throws Refusal notAllowed, naming the
 * ticket.
 */
export async function dropPolicyTickets(
  work: ProcedureWork,
  family: Family,
  enrolment: readonly number[],
): Promise<readonly number[]> {
  const where = { enrolment, status: { not: 'cancelled' } } as const
  const refuse = (what: { cn: string; en: string }, { ticketNo, status }: { ticketNo: string; status: string }) => {
    const first = status === 'success' ? revokeFirst : cancelFirst
    work.refuseCall({
      cn: `该参保记录有${what.cn}任务${ticketNo}，${first.cn}`,
      en: `The enrolment has the ${what.en} ${ticketNo}: ${first.en}`,
    })
  }
  if (family.pages.supplement !== null) {
    const paidBack = await work.first(backPaymentOf(family), { where, fields: ['ticketNo', 'status'] })
    if (paidBack) refuse({ cn: '补缴', en: 'back-payment' }, paidBack)
  }
  if (family.pages.fm === null) return []
  const adjustments = await work.read(adjustmentOf(family), { where, lock: true })
  const isIdle = ({ source, status }: Adjustment) =>
    source === 'policy' && status !== 'processing' && status !== 'success'
  const done = adjustments.toSorted(byHandling).findLast((ticket) => !isIdle(ticket))
  if (done) refuse({ cn: '调整', en: 'adjustment' }, done)
  await work.changeAll(
    adjustmentOf(family),
    adjustments.map((record) => ({ record, values: { status: 'cancelled' } })),
    { action: 'cancel' },
  )
  return adjustments.flatMap((ticket) => ticket.enrolment ?? [])
}
