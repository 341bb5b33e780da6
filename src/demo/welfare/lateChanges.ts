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
import { groupedBy } from '../../procedures/welfare/groupedBy.ts'
import { openStates } from '../../procedures/welfare/handling/enrolments.ts'
import { readTicketContext } from '../../procedures/welfare/handling/ticketContext.ts'
import { succeedWelfareReduction } from '../../procedures/welfare/handling/reductions.ts'
import { takenOf } from '../../procedures/welfare/handling/takenOf.ts'
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
  const as = clerkIn(context, resolve)
  const handled = handledBy(as, present)
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
    await changeBases(as, db, family, { enrolments: chosen.slice(moved.length), since, handled, most: adjustments })
  }
}

/**
 * Changes of the base that are learnt after last month's wages were approved, while its expenses are open: of some people
 * of one customer, whose next payroll is not calculated yet. Nothing has deducted the difference so far.
 */
export async function writeChangesAfterWages(
  context: Context,
  db: Db,
  resolve: Resolve,
  sample: number | undefined,
): Promise<void> {
  const present = context.now.slice(0, 7)
  const since = addMonths(present, -1)!
  const as = clerkIn(context, resolve)
  const work = new ProcedureWork(as, db)
  const next = await work.read('payrollLine', {
    where: { incomeType: 'wage', batchStatus: 'draft', welfareMonth: present },
    fields: ['person', 'customer'],
    order: 'id',
  })
  const wages = await work.read('payrollLine', {
    where: { incomeType: 'wage', batchStatus: ['approved', 'paid'], welfareMonth: since },
    fields: ['person'],
  })
  const paid = new Set(wages.map(({ person }) => person))
  for (const family of familiesOf(work)) {
    const insured = await insuredIn(as, db, family, { since, present })
    const ofCustomers = groupedBy(
      next.filter(({ person }) => person !== sample && paid.has(person) && insured.has(person)),
      ({ customer }) => customer,
    )
    for (const people of ofCustomers.values()) {
      const enrolments = people.map(({ person }) => insured.get(person)!)
      const handled = handledBy(as, present)
      const made = await changeBases(as, db, family, { enrolments, since, handled, most: adjustments })
      if (made > 0) return
    }
  }
}

/**
 * Person → their enrolment without an open ticket, with an open line in the month from which the change applies, and no
 * locked line in the month of handling.
 */
async function insuredIn(
  context: Context,
  db: Db,
  family: Family,
  { since, present }: { since: string; present: string },
): Promise<Map<number, Enrolment>> {
  const work = new ProcedureWork(context, db)
  const lines = await work.read(expenseLineOf(family), {
    where: { feeMonth: [since, present], expenseType: 'normal' },
    fields: ['enrolment', 'feeMonth', 'stage'],
  })
  const open = new Set(
    lines.flatMap((line) => (line.feeMonth === since && line.stage === 'open' ? [line.enrolment] : [])),
  )
  for (const line of lines) if (line.feeMonth === present && line.stage !== 'open') open.delete(line.enrolment)
  const busy = await busyIn(work, family)
  const enrolments = await work.read(enrolmentOf(family), { where: { status: 'enrolled' } })
  return new Map(
    enrolments.flatMap((enrolment): [number, Enrolment][] =>
      open.has(enrolment.id) && !busy.has(enrolment.id) ? [[enrolment.person!, enrolment]] : [],
    ),
  )
}

interface Changed {
  enrolments: readonly Enrolment[]
  since: string
  handled: RecordData
  most: number
}

/** Adjustments of this many bases, handled. @returns how many there were */
async function changeBases(
  context: Context,
  db: Db,
  family: Family,
  { enrolments, since, handled, most }: Changed,
): Promise<number> {
  const type = family.adjustTypes?.find(
    ({ value }) => value !== 'policy' && value !== 'annual' && changeOf(family, value) === 'base',
  )
  if (!type) return 0
  const ticketContext = await readTicketContext(
    new ProcedureWork(context, db),
    family,
    enrolments.map(({ person }) => person),
  )
  const tickets = enrolments
    .flatMap((enrolment): RecordData[] => {
      const entered: RecordData = {
        adjustType: type.value,
        effectiveMonth: since,
        newBase: new Decimal(String(enrolment.declaredBase)).plus(1500).toFixed(2),
      }
      const values = computeAdjustment(ticketContext, enrolment, entered)
      // Below a floor, another base changes nothing.
      return Number(values.companyDiff ?? 0) === 0
        ? []
        : [{ person: enrolment.person, ...entered, ...values, ...handled }]
    })
    .slice(0, most)
  const ids = await insertMany(context, db, context.derived.catalog.entities[adjustmentOf(family)], tickets)
  await succeedWelfareAdjustment({
    context,
    db,
    entity: adjustmentOf(family),
    records: await new ProcedureWork(context, db).read(adjustmentOf(family), { where: { id: ids } }),
    values: {},
  })
  return tickets.length
}

const clerkIn = (context: Context, resolve: Resolve): Context => ({
  ...context,
  user: { ...context.user, id: Number(resolve('user', 'welfareClerk')) },
})

/** The fields of a ticket that its handler has just completed. */
const handledBy = ({ now, user: { id } }: Context, handleMonth: string): RecordData => ({
  status: 'success',
  result: 'success',
  source: 'manual',
  handler: id,
  acceptedAt: now,
  handledAt: now,
  handleMonth,
  createdBy: id,
  updatedBy: id,
  createdAt: now,
  updatedAt: now,
})

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

/** Enrolments with an open ticket. */
async function busyIn(work: ProcedureWork, family: Family): Promise<Set<number | null>> {
  const unfinished = { where: { status: openStates }, fields: ['enrolment'] } as const
  const waiting = [
    ...(family.pages.fm === null ? [] : await work.read(adjustmentOf(family), unfinished)),
    ...(await work.read(reductionOf(family), unfinished)),
  ]
  return new Set(waiting.map(({ enrolment }) => enrolment))
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
  const busy = await busyIn(work, family)
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
