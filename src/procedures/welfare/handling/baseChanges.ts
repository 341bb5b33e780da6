import {
  type OpenValues,
  procedure,
  type ProcedureWork,
  textIn,
  type Values,
} from '../../../../engine/server/procedure.ts'
import { adjustedFor } from './adjustedEnrolment.ts'
import { computeAdjustment } from './computeAdjustment.ts'
import { averageWages } from './averageWages.ts'
import { computeBaseChange, yearlyType } from './computeBaseChange.ts'
import { demandEnrolled, makeTickets, presentEnrolments } from './enrolments.ts'
import {
  adjustmentOf,
  baseChangeOf,
  enrolmentOf,
  familyOf,
  type AdjustmentName,
  type BaseChangeName,
} from './family.ts'
import { readTicketContext } from './ticketContext.ts'

/** Suggestions for a row: the resulting base in force. */
export const suggestWelfareBaseChange = procedure<BaseChangeName>(async (work, { entity, values: given, typed }) => {
  if (typeof given.person !== 'number') return { values: {} }
  const family = familyOf(work, entity)
  const enrolment = (await presentEnrolments(work, family, [given.person])).get(given.person)
  if (!enrolment) return { values: {} }
  const context = await readTicketContext(work, family, [given.person])
  const newBase = typed.has('newBase')
    ? (given.newBase ?? null)
    : typed.has('averageWage')
      ? (given.averageWage ?? null)
      : (given.newBase ?? given.averageWage ?? null)
  const found = { newBase, ...computeBaseChange(context, enrolment, { ...given, newBase }) }
  return { values: Object.fromEntries(Object.entries(found).filter(([name]) => !typed.has(name))) }
})

/** A row takes over the enrolment, and the resulting base in force. @throws Refusal invalid. */
export const writeWelfareBaseChange = procedure<BaseChangeName>(async (work, { entity, records }) => {
  const family = familyOf(work, entity)
  const enrolledIn = await demandEnrolled(work, family, records)
  const context = await readTicketContext(
    work,
    family,
    records.map(({ person }) => person),
  )
  await work.changeAll(
    entity,
    records.map((record) => ({
      record,
      values: {
        ...computeBaseChange(context, enrolledIn(record), record),
        ...(record.newBase !== null && { status: 'declared' as const }),
      },
    })),
  )
})

/** The defaults of a collection: this year, the month of most policies, and wages from payroll. */
export const proposeWelfareBaseChanges = procedure<BaseChangeName>(async (work, { entity }) => {
  const { policyKind } = familyOf(work, entity)
  const year = Number(work.today.slice(0, 4))
  const months = await work.groups('policy', {
    where: { kind: policyKind, status: 'enabled' },
    by: ['baseAdjustMonth'],
  })
  const usual = months.toSorted((a, b) => b.count - a.count).at(0)?.by.baseAdjustMonth ?? 7
  return { values: { year, effectiveMonth: `${year}-${String(usual).padStart(2, '0')}`, averageFrom: 'payroll' } }
})

/**
 * A row for everybody enrolled, filtered by city and customer if given; people who already have one for the year keep
 * it.
 * @returns how many were created
 */
export const startWelfareBaseChanges = procedure<BaseChangeName>(async (work, { entity, values }) => {
  const family = familyOf(work, entity)
  const name = baseChangeOf(family)
  const { city = null, customer = null, effectiveMonth = null, averageFrom } = values
  const year = values.year!
  const enrolments = await work.read(enrolmentOf(family), {
    where: { status: 'enrolled', ...(city !== null && { city }), ...(customer !== null && { customer }) },
    seen: true,
  })
  const persons = enrolments.map(({ person }) => person!)
  const there = await rowsOf(work, name, persons, year)
  const context = await readTicketContext(work, family, persons)
  const wages = averageFrom === 'payroll' ? await averageWages(work, persons, year - 1) : new Map<number, string>()
  const blank = work.blank(name)
  const made = enrolments
    .filter(({ person }) => !there.has(person!))
    .map((enrolment): Values<BaseChangeName> => {
      const { person } = enrolment
      const given = { person, year, effectiveMonth, averageFrom, averageWage: wages.get(person!) ?? null }
      return { ...blank, ...given, ...computeBaseChange(context, enrolment, given), status: 'collecting' }
    })
  await work.insert(name, made, { action: 'create' })
  return { made: made.length }
})

/** The rows of the year. */
const rowsOf = async (work: ProcedureWork, name: BaseChangeName, person: readonly number[], year: number) =>
  new Set((await work.read(name, { where: { person, year }, fields: ['person'] })).map((row) => row.person))

/** A ticket for each row whose base or limits change anything. */
export const generateWelfareAdjustments = procedure<BaseChangeName>(async (work, { entity, records }) => {
  const family = familyOf(work, entity)
  const enrolledIn = await demandEnrolled(work, family, records)
  const context = await readTicketContext(
    work,
    family,
    records.map(({ person }) => person),
  )
  const found = await adjustedFor(work, context, records.map(enrolledIn))
  const tickets = records.flatMap((record): (Values<AdjustmentName> & { person: number })[] => {
    const { person, effectiveMonth, newBase } = record
    const base: OpenValues = { newBase }
    const ticket = { person, adjustType: yearlyType(family)!, effectiveMonth: effectiveMonth!, ...base }
    const values = computeAdjustment(context, found(enrolledIn(record), effectiveMonth!), ticket)
    const isSame =
      Number(textIn(values, 'oldBase')) === Number(newBase) &&
      Number(values.companyDiff) === 0 &&
      Number(values.personalDiff) === 0
    const from: OpenValues = { baseChange: record.id }
    return isSame ? [] : [{ ...ticket, ...values, person, source: 'baseChange', ...from }]
  })
  await makeTickets(work, adjustmentOf(family), tickets, 'enrolment')
})
