import { sql } from 'kysely'
import { addMonths, Decimal } from '../../../engine/expression/index.ts'
import { insertMany } from '../../../engine/server/records/insertMany.ts'
import { ProcedureWork } from '../../../engine/server/procedure.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import { tableOf } from '../../../engine/server/identity/scope.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import { computeAdjustment, changeOf } from '../../procedures/welfare/handling/computeAdjustment.ts'
import { succeedWelfareAdjustment } from '../../procedures/welfare/handling/adjustments.ts'
import {
  adjustmentOf,
  enrolmentOf,
  expenseLineOf,
  expenseSummaryOf,
  familiesOf,
  reductionOf,
  type Enrolment,
  type Family,
} from '../../procedures/welfare/handling/family.ts'
import { openStates } from '../../procedures/welfare/handling/enrolments.ts'
import { fittingFor } from '../../procedures/welfare/handling/fitting.ts'
import { succeedWelfareReduction, takenOf } from '../../procedures/welfare/handling/reductions.ts'
import type { Resolve } from '../Resolve.ts'

/** Of each family. */
const [adjustments, reductions] = [3, 1]

/**
 * Changes that are learnt too late: changed bases, and people who were insured elsewhere, since a month that is locked.
 * The tickets are handled this month, which has the lines of difference and refund.
 */
export async function writeLateChanges(
  context: Context,
  db: Db,
  resolve: Resolve,
  sample: number | undefined,
): Promise<void> {
  const present = context.now.slice(0, 7)
  const since = addMonths(present, -3)!
  const clerk = Number(resolve('user', 'welfareClerk'))
  const as: Context = { ...context, user: { ...context.user, id: clerk } }
  const handled = {
    status: 'success',
    result: 'success',
    source: 'manual',
    handler: clerk,
    acceptedAt: context.now,
    handledAt: context.now,
    handleMonth: present,
    createdBy: clerk,
    updatedBy: clerk,
    createdAt: context.now,
    updatedAt: context.now,
  }
  const work = new ProcedureWork(as, db)
  for (const family of familiesOf(work)) {
    const chosen = await insuredSince(as, db, family, { since, present, without: sample })
    // Only reductions that need no more than a date and a reason.
    const reason = family.extras.some(({ on, required }) => on.includes('reduction') && required !== 'N')
      ? undefined
      : family.reductionReasons.find(({ leaveReasons }) => leaveReasons.length === 0)
    const moved = reason ? chosen.slice(0, reductions) : []
    await openReductions(
      as,
      db,
      family,
      moved.map((enrolment): RecordData => ({
        person: enrolment.person,
        ...takenOf(family, enrolment),
        lastMonth: since,
        leaveDate: null,
        reductionReason: reason!.value,
        ...handled,
      })),
    )
    const type = family.adjustTypes?.find(
      ({ value }) => value !== 'policy' && value !== 'annual' && changeOf(family, value) === 'base',
    )
    if (!type) continue
    const fitting = await fittingFor(
      work,
      family,
      chosen.map(({ person }) => person),
    )
    const tickets = chosen
      .slice(moved.length)
      .flatMap((enrolment): RecordData[] => {
        const asked: RecordData = {
          adjustType: type.value,
          effectiveMonth: since,
          newBase: new Decimal(String(enrolment.declaredBase)).plus(1500).toFixed(2),
        }
        const values = computeAdjustment(fitting, enrolment, asked)
        // Below a floor, another base changes nothing.
        return Number(values.companyDiff ?? 0) === 0
          ? []
          : [{ person: enrolment.person, ...asked, ...values, ...handled }]
      })
      .slice(0, adjustments)
    const ids = await insertMany(as, db, as.derived.catalog.entities[adjustmentOf(family)], tickets)
    await succeedWelfareAdjustment({
      context: as,
      db,
      entity: adjustmentOf(family),
      records: await new ProcedureWork(as, db).read(adjustmentOf(family), { where: { id: ids } }),
      values: {},
    })
  }
}

async function openReductions(context: Context, db: Db, family: Family, tickets: RecordData[]): Promise<void> {
  const ids = await insertMany(context, db, context.derived.catalog.entities[reductionOf(family)], tickets)
  // As creating the tickets would have done, without inventing their history.
  await sql`update ${tableOf(context, context.derived.catalog.entities[enrolmentOf(family)])} set status = 'stopping' where id = any(${tickets.map(({ enrolment }) => enrolment)}::bigint[])`.execute(
    db,
  )
  await succeedWelfareReduction({
    context,
    db,
    entity: reductionOf(family),
    records: await new ProcedureWork(context, db).read(reductionOf(family), { where: { id: ids } }),
    values: {},
  })
}

/** Enrolments with a locked line in each month since then, no open ticket, and unlocked expenses of this month. */
async function insuredSince(
  context: Context,
  db: Db,
  family: Family,
  { since, present, without }: { since: string; present: string; without: number | undefined },
): Promise<Enrolment[]> {
  const work = new ProcedureWork(context, db)
  const lines = await work.read(expenseLineOf(family), {
    where: { belongMonth: { between: [since, present] }, expenseType: 'normal' },
    fields: ['enrolment', 'belongMonth', 'stage', 'summary'],
  })
  const summaries = await work.read(expenseSummaryOf(family), {
    where: { feeMonth: present, status: 'open' },
    fields: ['status'],
  })
  const open = new Set<number | null>(summaries.map(({ id }) => id))
  const unfinished = { where: { status: openStates }, fields: ['enrolment'] } as const
  const waiting = [
    ...(family.pages.fm === null ? [] : await work.read(adjustmentOf(family), unfinished)),
    ...(await work.read(reductionOf(family), unfinished)),
  ]
  const busy = new Set<number | null>(waiting.map(({ enrolment }) => enrolment))
  const locked = new Map<number | null, number>()
  for (const { enrolment, stage, belongMonth } of lines)
    if (stage === 'locked' && belongMonth !== present) locked.set(enrolment, (locked.get(enrolment) ?? 0) + 1)
  const now = new Set(
    lines
      .filter(({ belongMonth, summary }) => belongMonth === present && open.has(summary))
      .map(({ enrolment }) => enrolment),
  )
  const enrolments = await work.read(enrolmentOf(family), { where: { status: 'enrolled' } })
  return enrolments.filter(
    ({ id, person }) => person !== without && !busy.has(id) && now.has(id) && (locked.get(id) ?? 0) >= 2,
  )
}
