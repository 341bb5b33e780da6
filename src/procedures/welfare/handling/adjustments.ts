import { procedure, valueIn } from '../../../../engine/server/procedure.ts'
import type { Value } from '../../../../engine/model/model.ts'
import { refuseLockedMonths } from '../expenses/lockedMonths.ts'
import { differencesOf } from '../expenses/differences.ts'
import { dropTicketLines, recomputeOpen, writeTicketLines } from '../expenses/ticketLines.ts'
import {
  computeAdjustment,
  changedFrom,
  choicesOf,
  enrolmentAfter,
  enrolmentBefore,
  changeOf,
  problemsOf,
  proposedMonth,
} from './computeAdjustment.ts'
import { changeEnrolments, demandEnrolled, presentEnrolments } from './enrolments.ts'
import { enrolmentOf, familyOf, type AdjustmentName } from './family.ts'
import { fittingFor } from './fitting.ts'
import { followNewer } from './followPolicy.ts'

/** Suggestions from the person's enrolment: the old values, the resulting ones, and the effective month. */
export const suggestWelfareAdjustment = procedure<AdjustmentName>(async (work, { entity, values: given, typed }) => {
  if (typeof given.person !== 'number') return { values: {} }
  const family = familyOf(work, entity)
  const enrolment = (await presentEnrolments(work, family, [given.person])).get(given.person)
  if (!enrolment) return { values: {} }
  const fitting = await fittingFor(work, family, [given.person])
  // For another person, month and rates are suggested again, but the user's input stays.
  const isNew = typed.has('person')
  const change = changeOf(family, given.adjustType)
  const kept = (name: string): Value => (isNew && !typed.has(name) ? null : valueIn(given, name))
  const chosen = choicesOf(family)
    .filter((one) => one.change === change && change !== 'base')
    .map(({ own, now }): [string, Value] => [now, kept(now) ?? valueIn(enrolment, own)])
  const found: Record<string, Value> = {
    effectiveMonth: kept('effectiveMonth') ?? proposedMonth(fitting, enrolment),
    ...Object.fromEntries(chosen),
  }
  const worked = { ...found, ...computeAdjustment(fitting, enrolment, { ...given, ...found }) }
  return { values: Object.fromEntries(Object.entries(worked).filter(([name]) => !typed.has(name))) }
})

/** A new or changed adjustment takes over the current enrolment, and the changes. @throws Refusal invalid. */
export const writeWelfareAdjustment = procedure<AdjustmentName>(async (work, { entity, records }) => {
  const family = familyOf(work, entity)
  const enrolledIn = await demandEnrolled(work, family, records)
  const fitting = await fittingFor(
    work,
    family,
    records.map(({ person }) => person),
  )
  const changes = records.map((record) => {
    const enrolment = enrolledIn(record)
    const values = computeAdjustment(fitting, enrolment, record)
    const problems = problemsOf(fitting, enrolment, { ...record, ...values })
    if (problems.length > 0) work.refuse(entity, problems)
    return { record, values }
  })
  await work.changeAll(entity, changes)
})

/**
 * Applies the adjustment to the enrolment from the effective month on: open lines are recomputed, locked months get the
 * difference in the month of handling. A policy that came into force meanwhile for later months applies then.
 * @throws Refusal invalid if the month of handling is locked.
 */
export const succeedWelfareAdjustment = procedure<AdjustmentName>(async (work, { entity, records }) => {
  const family = familyOf(work, entity)
  await refuseLockedMonths(work, { family, entity }, records)
  const fitting = await fittingFor(
    work,
    family,
    records.map(({ person }) => person),
  )
  await changeEnrolments(work, family, records, ['enrolled', 'stopping'], (found, record) =>
    enrolmentAfter(fitting, found, record),
  )
  await recomputeOpen(
    work,
    family,
    records.map(({ enrolment }) => enrolment),
  )
  const changes = records.map((record) => ({
    person: record.person,
    enrolment: record.enrolment!,
    effectiveMonth: changedFrom(fitting, record),
    handleMonth: record.handleMonth!,
    ticketNo: record.ticketNo,
  }))
  await writeTicketLines(work, family, await differencesOf(work, family, changes))
  await followNewer(work, family, records)
})

/** A policy that waited for the adjustment is applied; one that only the adjustment was to apply is not. */
export const cancelWelfareAdjustment = procedure<AdjustmentName>((work, { entity, records }) =>
  followNewer(
    work,
    familyOf(work, entity),
    records.filter(({ source }) => source !== 'policy'),
  ),
)

/**
 * Restores the previous state, including lines.
 * @throws Refusal notAllowed if it was adjusted again since, or a line of it is locked.
 */
export const revokeWelfareAdjustment = procedure<AdjustmentName>(async (work, { entity, records }) => {
  const family = familyOf(work, entity)
  const fitting = await fittingFor(
    work,
    family,
    records.map(({ person }) => person),
  )
  const ids = records.map(({ enrolment }) => enrolment)
  const now = await work.byId(enrolmentOf(family), ids, { fields: ['lastAdjustMonth'] })
  // Only the last change can be revoked.
  const areLast = records.every(
    ({ enrolment, effectiveMonth }) => now.get(enrolment!)?.lastAdjustMonth === effectiveMonth,
  )
  const states = areLast ? (['enrolled', 'stopping'] as const) : []
  await dropTicketLines(work, family, records)
  await changeEnrolments(work, family, records, states, (found, record) => enrolmentBefore(fitting, found, record))
  await recomputeOpen(work, family, ids)
})
