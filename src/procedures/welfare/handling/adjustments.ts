import { procedure, valueIn } from '../../../../engine/server/procedure.ts'
import type { Value } from '../../../../engine/model/model.ts'
import { refuseLockedMonths } from '../expenses/lockedMonths.ts'
import { differencesOf } from '../expenses/differences.ts'
import { dropTicketLines, recomputeOpen, writeTicketLines } from '../expenses/ticketLines.ts'
import { adjustedFor, changedFrom, enrolmentAfter, enrolmentBefore } from './adjustedEnrolment.ts'
import { computeAdjustment, choicesOf, changeOf, problemsOf, proposedMonth } from './computeAdjustment.ts'
import { adjustedEnrolments, changeEnrolments, demandEnrolled } from './enrolments.ts'
import { baseChangeOf, familyOf, type AdjustmentName, type Enrolment } from './family.ts'
import { readTicketContext } from './ticketContext.ts'
import { takeVersions } from './followFormerPolicies.ts'
import { followHouseholds } from './followHousehold.ts'
import { followNewer } from './followPolicy.ts'
import { handledAdjustments, laterAdjustments, rememberEnrolments } from './formerEnrolments.ts'
import { isForHousehold } from './insuredPerson.ts'
import { refuseAdjustedSince, refuseLockedSince } from './revocable.ts'

/** An adjustment may be handled after the reduction, for the months that the enrolment lasted. */
const handledIn = ['enrolled', 'stopping', 'stopped'] as const

/** Suggestions from the person's enrolment: the old values, the resulting ones, and the effective month. */
export const suggestWelfareAdjustment = procedure<AdjustmentName>(
  async (work, { entity, records, values: given, typed }) => {
    if (typeof given.person !== 'number') return { values: {} }
    const family = familyOf(work, entity)
    const ticket = { person: given.person, enrolment: records.at(0)?.enrolment }
    const present = (await adjustedEnrolments(work, family, [ticket]))(ticket)
    if (!present) return { values: {} }
    const context = await readTicketContext(work, family, [given.person])
    // For another person, month and rates are suggested again, but the user's input stays.
    const isNew = typed.has('person')
    const change = changeOf(family, given.adjustType)
    const kept = (name: string): Value => (isNew && !typed.has(name) ? null : valueIn(given, name))
    const effectiveMonth = kept('effectiveMonth') ?? proposedMonth(context, present)
    const enrolment = (await adjustedFor(work, context, [present]))(present, String(effectiveMonth))
    const chosen = choicesOf(family)
      .filter((choice) => choice.change === change && change !== 'base')
      .map(({ own, now }): [string, Value] => [now, kept(now) ?? valueIn(enrolment, own)])
    const found: Record<string, Value> = {
      effectiveMonth,
      ...Object.fromEntries(chosen),
    }
    const householdType = records.at(0)?.householdType ?? null
    const worked = { ...found, ...computeAdjustment(context, enrolment, { ...given, ...found, householdType }) }
    return { values: Object.fromEntries(Object.entries(worked).filter(([name]) => !typed.has(name))) }
  },
)

/** A new or changed adjustment takes over its enrolment, and the changes. @throws Refusal invalid. */
export const writeWelfareAdjustment = procedure<AdjustmentName>(async (work, { entity, records, before }) => {
  const family = familyOf(work, entity)
  await demandEnrolled(
    work,
    family,
    records.filter((_, index) => !before[index]),
  )
  const own = await adjustedEnrolments(work, family, records)
  const enrolledIn = (record: (typeof records)[number]) => own(record)!
  const context = await readTicketContext(
    work,
    family,
    records.map(({ person }) => person),
  )
  const found = await adjustedFor(work, context, records.map(enrolledIn))
  const changes = records.map((record) => {
    const enrolment = found(enrolledIn(record), record.effectiveMonth)
    const values = computeAdjustment(context, enrolment, record)
    const problems = problemsOf(context, enrolment, { ...record, ...values })
    if (problems.length > 0) work.refuse(entity, problems)
    return { record, values }
  })
  await work.changeAll(entity, changes)
})

/**
 * Applies the adjustment to the enrolment from the effective month on, also if that has ended since: open lines are
 * recomputed, locked months get the difference in the month of handling. Values that a handled adjustment of a later
 * month changes stay from then on. A policy that came into force meanwhile for later months applies then.
 * @throws Refusal invalid if the month of handling is locked, notAllowed if the enrolment ended before.
 */
export const succeedWelfareAdjustment = procedure<AdjustmentName>(async (work, { entity, records }) => {
  const family = familyOf(work, entity)
  await refuseLockedMonths(work, { family, entity }, records)
  const context = await readTicketContext(
    work,
    family,
    records.map(({ person }) => person),
  )
  const laterThan = await laterAdjustments(work, family, records)
  const before = new Map<number, Enrolment>()
  await changeEnrolments(work, family, records, handledIn, (found, record) => {
    before.set(found.id, { ...found })
    if (found.endMonth !== null && found.endMonth < changedFrom(context, record))
      work.refuseCall({
        cn: `该参保记录已于${found.endMonth}停缴，早于生效月份，请撤销该任务`,
        en: `The enrolment ended in ${found.endMonth}, before the effective month: cancel the ticket`,
      })
    return enrolmentAfter(context, found, record, laterThan(record))
  })
  await recomputeOpen(
    work,
    family,
    records.map(({ enrolment }) => enrolment),
  )
  const ticketNos = records.map(({ ticketNo }) => ticketNo)
  const formerly = await rememberEnrolments(work, family, [...before.values()], ticketNos)
  const changes = records.map((record) => ({
    person: record.person,
    enrolment: record.enrolment!,
    effectiveMonth: changedFrom(context, record),
    handleMonth: record.handleMonth!,
    ticketNo: record.ticketNo,
    formerly: (month: string) => formerly(record.enrolment!, month),
  }))
  await writeTicketLines(work, family, await differencesOf(work, family, changes))
  await takeVersions(work, family, records)
  await followNewer(work, family, records)
  await followHouseholds(
    work,
    family,
    records.map(({ enrolment }) => enrolment),
  )
})

/**
 * A policy or household type that waited for the adjustment is applied; one that only the adjustment was to apply is
 * not. A yearly base can be changed, and have its adjustment generated again.
 */
export const cancelWelfareAdjustment = procedure<AdjustmentName>(async (work, { entity, records }) => {
  const family = familyOf(work, entity)
  const ids = records.flatMap((record) => Number(valueIn(record, 'baseChange') ?? 0) || [])
  if (ids.length > 0) {
    const rows = await work.byId(baseChangeOf(family), ids, { lock: true })
    await work.changeAll(
      baseChangeOf(family),
      [...rows.values()].map((record) => ({ record, values: { status: 'confirmed' } })),
    )
  }
  const others = records.filter(({ source }) => source !== 'policy')
  await followNewer(work, family, [...others, ...records.filter(isForHousehold)])
  await followHouseholds(
    work,
    family,
    others.map(({ enrolment }) => enrolment),
  )
})

/**
 * Restores the previous state, including lines.
 * @throws Refusal notAllowed if it was adjusted again since, a line of it is locked, or a month was locked as adjusted.
 */
export const revokeWelfareAdjustment = procedure<AdjustmentName>(async (work, { entity, records, before }) => {
  const family = familyOf(work, entity)
  const context = await readTicketContext(
    work,
    family,
    records.map(({ person }) => person),
  )
  const ids = records.map(({ enrolment }) => enrolment)
  const handled = before.flatMap((ticket) => ticket ?? [])
  await refuseAdjustedSince(work, family, handled)
  const laterThan = await laterAdjustments(work, family, records)
  const handledOf = await handledAdjustments(work, family, ids)
  await dropTicketLines(work, family, records)
  await changeEnrolments(work, family, records, handledIn, (found, record) =>
    enrolmentBefore(context, found, record, { handled: handledOf(found.id), later: laterThan(record) }),
  )
  await recomputeOpen(work, family, ids)
  await refuseLockedSince(work, context, handled)
})
