import { invalid } from '../../../../engine/server/errors.ts'
import type { Procedure } from '../../../../engine/server/runtime.ts'
import type { RecordData, Value } from '../../../../engine/schema/model.ts'
import { changeRecord, entityOf, isAnyOf, readAll } from '../../settlement/stored.ts'
import { differencesOf, type Change } from '../expenses/differences.ts'
import { dropTicketLines, recomputeOpen, writeTicketLines } from '../expenses/ticketLines.ts'
import {
  adjusted,
  changedFrom,
  choicesOf,
  enrolmentAfter,
  enrolmentBefore,
  changeOf,
  problemsOf,
  proposedMonth,
} from './adjusted.ts'
import { changeEnrolment, demandEnrolled, presentEnrolments } from './enrolments.ts'
import { enrolmentOf, familyOf } from './family.ts'
import { fittingFor } from './fitting.ts'
import { followNewer } from './followPolicy.ts'

/** What the form takes of the person's enrolment: what was, what that would come to, and from when on. */
export const suggestWelfareAdjustment: Procedure = async ({ context, db, entity, values, form }) => {
  const given = values as RecordData
  if (typeof given.person !== 'number') return { values: {} }
  const family = familyOf(context, entity)
  const enrolment = (await presentEnrolments(context, db, family, [given.person])).get(given.person)
  if (!enrolment) return { values: {} }
  const fitting = await fittingFor(context, db, family, [given.person])
  const typed = new Set(form!.typed)
  // Of another person another month and other rates are proposed, but what was typed stays.
  const isNew = typed.has('person')
  const change = changeOf(family, given.adjustType)
  const kept = (name: string): Value | undefined => (isNew && !typed.has(name) ? undefined : given[name])
  const chosen = choicesOf(family)
    .filter((one) => one.change === change && change !== 'base')
    .map(({ own, now }): [string, Value] => [now, kept(now) ?? enrolment[own] ?? null])
  const found: Record<string, Value> = {
    effectiveMonth: kept('effectiveMonth') ?? proposedMonth(fitting, enrolment),
    ...Object.fromEntries(chosen),
  }
  const worked = { ...found, ...adjusted(fitting, enrolment, { ...given, ...found }) }
  return { values: Object.fromEntries(Object.entries(worked).filter(([name]) => !typed.has(name))) }
}

/** A new or changed adjustment takes over the enrolment as it is, and what it changes. @throws Refusal invalid. */
export const writeWelfareAdjustment: Procedure = async ({ context, db, entity, records }) => {
  const family = familyOf(context, entity)
  const enrolledIn = await demandEnrolled(context, db, family, records)
  const fitting = await fittingFor(
    context,
    db,
    family,
    records.map(({ person }) => person as number),
  )
  for (const record of records) {
    const enrolment = enrolledIn(record)
    const values = adjusted(fitting, enrolment, record)
    const problems = problemsOf(fitting, enrolment, { ...record, ...values })
    if (problems.length > 0) throw invalid(problems)
    await changeRecord(context, db, entityOf(context, entity), record, values as RecordData)
  }
}

/**
 * The enrolment is as adjusted from the effective month on: open lines follow, what is locked gets the difference in
 * the month of handling. A policy that came into force meanwhile, for later months, has its turn then.
 */
export const succeedWelfareAdjustment: Procedure = async ({ context, db, entity, records }) => {
  const family = familyOf(context, entity)
  const fitting = await fittingFor(
    context,
    db,
    family,
    records.map(({ person }) => person as number),
  )
  for (const record of records) {
    await changeEnrolment(context, db, family, record.enrolment, ['enrolled', 'stopping'], (enrolment) =>
      enrolmentAfter(fitting, enrolment, record),
    )
    await recomputeOpen(context, db, family, [record.enrolment as number])
    await writeTicketLines(
      context,
      db,
      family,
      await differencesOf(context, db, family, [{ ...record, effectiveMonth: changedFrom(fitting, record) } as Change]),
    )
  }
  await followNewer(context, db, family, records)
}

/**
 * A policy for which an adjustment has made way has its turn; one that was to be followed by it alone is not followed.
 */
export const cancelWelfareAdjustment: Procedure = async ({ context, db, entity, records }) => {
  await followNewer(
    context,
    db,
    familyOf(context, entity),
    records.filter(({ source }) => source !== 'policy'),
  )
}

/**
 * And as before, with its lines.
 * @throws Refusal notAllowed where it was adjusted again since, or a line of it is locked.
 */
export const revokeWelfareAdjustment: Procedure = async ({ context, db, entity, records }) => {
  const family = familyOf(context, entity)
  const fitting = await fittingFor(
    context,
    db,
    family,
    records.map(({ person }) => person as number),
  )
  for (const record of records) {
    const [enrolment] = await readAll(
      context,
      db,
      enrolmentOf(family),
      [isAnyOf('id', [record.enrolment as number])],
      ['lastAdjustMonth'],
    )
    // Only the last change can be taken back.
    const states = enrolment?.lastAdjustMonth === record.effectiveMonth ? ['enrolled', 'stopping'] : []
    await dropTicketLines(context, db, family, String(record.ticketNo))
    await changeEnrolment(context, db, family, record.enrolment, states, (found) =>
      enrolmentBefore(fitting, found, record),
    )
    await recomputeOpen(context, db, family, [record.enrolment as number])
  }
}
