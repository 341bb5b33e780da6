import { procedure, type ProcedureWork, type Stored, type Values } from '../../../../engine/server/procedure.ts'
import type { Value } from '../../../../engine/model/model.ts'
import { refuseLockedMonths } from '../expenses/lockedMonths.ts'
import { refundsOf } from '../expenses/refunds.ts'
import { dropTicketLines, recomputeOpen, writeTicketLines } from '../expenses/ticketLines.ts'
import { changeEnrolments, demandEnrolled, presentEnrolments } from './enrolments.ts'
import { familyOf, reductionOf, type Family, type ReductionName } from './family.ts'
import { followHouseholds } from './followHousehold.ts'
import { payBackLocked } from './lockedWithout.ts'
import { reasonFor } from './plans.ts'
import { addReturners } from './returners.ts'
import { takenOf } from './takenOf.ts'
import { vestedRatesOf } from './vestedRates.ts'
import { refuseLeavers } from './withdrawals.ts'

/** Suggestions from the person: the enrolment, and the reason and date of leaving. */
export const suggestWelfareReduction = procedure<ReductionName>(async (work, { entity, values, typed }) => {
  const { person: id, lastMonth, leaveDate } = values
  if (typeof id !== 'number') return { values: {} }
  const family = familyOf(work, entity)
  const person = await work.first('person', { where: { id }, fields: ['leaveDate', 'leaveReason'] })
  const enrolment = (await presentEnrolments(work, family, [id])).get(id)
  const found: Record<string, Value> = {
    ...(enrolment && takenOf(family, enrolment)),
    leaveDate: person?.leaveDate ?? null,
    reductionReason: reasonFor(family, person?.leaveReason),
    lastMonth: (person?.leaveDate ?? work.today).slice(0, 7),
  }
  const reduction = {
    ...found,
    person: id,
    lastMonth: typed.has('lastMonth') ? lastMonth : found.lastMonth,
    leaveDate: typed.has('leaveDate') ? leaveDate : found.leaveDate,
  } as Values<ReductionName>
  const vested = enrolment ? (await vestedRatesOf(work, family, [reduction]))(reduction) : {}
  const all = { ...found, ...vested }
  return { values: Object.fromEntries(Object.entries(all).filter(([name]) => !typed.has(name))) }
})

/** A reduction takes over the current enrolment, which from now on is about to end. @throws Refusal invalid. */
export const writeWelfareReduction = procedure<ReductionName>(async (work, { entity, records, before }) => {
  const family = familyOf(work, entity)
  const made = records.filter((_, index) => !before[index])
  const enrolledIn = await demandEnrolled(work, family, made)
  const taken = made.map((record) => {
    const enrolment = enrolledIn(record)
    if (record.lastMonth < String(enrolment.startMonth))
      work.refuse(entity, [
        {
          field: 'lastMonth',
          code: 'lastMonth',
          message: { cn: '停缴月份早于起缴月份', en: 'Last paid month is before the first paid month' },
        },
      ])
    return { record, values: takenOf(family, enrolment) }
  })
  await work.changeAll(entity, taken)
  await writeVested(work, family, entity, records)
  await changeEnrolments(work, family, made, ['enrolled'], () => ({ status: 'stopping' }))
})

/**
 * Ends the enrolment with the last paid month: payments beyond it are refunded in the month in which it was handled.
 * @throws Refusal invalid if that is locked.
 */
export const succeedWelfareReduction = procedure<ReductionName>(async (work, { entity, records }) => {
  const family = familyOf(work, entity)
  await refuseLockedMonths(work, { family, entity }, records)
  await changeEnrolments(work, family, records, ['stopping'], (_, { lastMonth }) => ({
    status: 'stopped',
    endMonth: lastMonth,
  }))
  await recomputeOpen(
    work,
    family,
    records.map(({ enrolment }) => enrolment),
  )
  await payBackLocked(work, family, records)
  await writeTicketLines(work, family, await refundsOf(work, family, records))
  await addReturners(work, family, records)
})

/** The share of the company's part that leavers keep. */
async function writeVested(
  work: ProcedureWork,
  family: Family,
  entity: ReductionName,
  reductions: readonly Stored<ReductionName>[],
): Promise<void> {
  if (family.items.every(({ vesting }) => vesting.length === 0)) return
  const records = await work.read(entity, { where: { id: reductions.map(({ id }) => id) }, lock: true })
  const vested = await vestedRatesOf(work, family, records)
  await work.changeAll(
    entity,
    records.map((record) => ({ record, values: vested(record) })),
  )
}

/** The enrolment continues. @throws Refusal notAllowed if its person leaves, or has left. */
export const cancelWelfareReduction = procedure<ReductionName>(async (work, { entity, records }) => {
  const family = familyOf(work, entity)
  await refuseLeavers(work, family, records)
  await goOnWith(work, family, records)
})

/**
 * Continues enrolments whose reductions are not carried out; those whose person has another household type since follow
 * it. @throws Refusal notAllowed if one is not about to end.
 */
export async function goOnWith(
  work: ProcedureWork,
  family: Family,
  reductions: readonly Stored<ReductionName>[],
): Promise<void> {
  await changeEnrolments(work, family, reductions, ['stopping'], () => ({ status: 'enrolled' }))
  await payBackLocked(work, family, reductions)
  await followHouseholds(
    work,
    family,
    reductions.map(({ enrolment }) => enrolment),
  )
}

/**
 * Cancels the reductions, which nobody has started, of leavers whose additions are undone: they get new ones when those
 * are handled again.
 */
export async function dropReductionsOfLeavers(
  work: ProcedureWork,
  family: Family,
  enrolments: readonly number[],
): Promise<void> {
  const name = reductionOf(family)
  const idle = await work.read(name, {
    where: { enrolment: enrolments, status: ['pending', 'returned', 'failed'] },
    lock: true,
  })
  const people = await work.byId(
    'person',
    idle.map(({ person }) => person),
    { fields: ['employmentStatus'] },
  )
  const own = idle.filter(({ person }) => ['leaving', 'left'].includes(people.get(person)!.employmentStatus))
  await work.changeAll(
    name,
    own.map((record) => ({ record, values: { status: 'cancelled' } })),
    { action: 'cancel' },
  )
  await changeEnrolments(work, family, own, ['stopping'], () => ({ status: 'enrolled' }))
}

/** The enrolment is about to end, as before it was handled. */
export const revokeWelfareReduction = procedure<ReductionName>(async (work, { entity, records }) => {
  const family = familyOf(work, entity)
  await dropTicketLines(work, family, records)
  await changeEnrolments(work, family, records, ['stopped'], () => ({ status: 'stopping', endMonth: null }))
  await recomputeOpen(
    work,
    family,
    records.map(({ enrolment }) => enrolment),
  )
})
