import { sql } from 'kysely'
import { accept } from '../../../../engine/server/accept.ts'
import { recompute } from '../../../../engine/server/records/effects.ts'
import { writeHistories } from '../../../../engine/server/records/history.ts'
import { visibleConditions } from '../../../../engine/server/read.ts'
import type { Procedure } from '../../../../engine/server/runtime.ts'
import { insertRecords } from '../../../../engine/server/records/write.ts'
import type { RecordData } from '../../../../engine/schema/model.ts'
import { changeRecord, column, entityOf, isAnyOf, readAll } from '../../settlement/stored.ts'
import { adjusted } from './adjusted.ts'
import { averageWages } from './averageWages.ts'
import { workedOut, yearlyType } from './baseChanged.ts'
import { demandEnrolled, makeTicket, presentEnrolments } from './enrolments.ts'
import { adjustmentOf, baseChangeOf, enrolmentOf, familyOf } from './family.ts'
import { fittingFor } from './fitting.ts'

/** Of a row that is filled in: what base is in force then. */
export const suggestWelfareBaseChange: Procedure = async ({ context, db, entity, values, form }) => {
  const given = values as RecordData
  if (typeof given.person !== 'number') return { values: {} }
  const family = familyOf(context, entity)
  const enrolment = (await presentEnrolments(context, db, family, [given.person])).get(given.person)
  if (!enrolment) return { values: {} }
  const fitting = await fittingFor(context, db, family, [given.person])
  const typed = new Set(form!.typed)
  const newBase = typed.has('newBase')
    ? (given.newBase ?? null)
    : typed.has('averageWage')
      ? (given.averageWage ?? null)
      : (given.newBase ?? given.averageWage ?? null)
  const found = { newBase, ...workedOut(fitting, enrolment, { ...given, newBase }) }
  return { values: Object.fromEntries(Object.entries(found).filter(([name]) => !typed.has(name))) }
}

/** A row takes over the enrolment, and says which base would be in force. @throws Refusal invalid. */
export const writeWelfareBaseChange: Procedure = async ({ context, db, entity, records }) => {
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
    const isDeclared = (record.newBase ?? null) !== null
    await changeRecord(context, db, entityOf(context, entity), record, {
      ...workedOut(fitting, enrolment, record),
      ...(isDeclared && { status: 'declared' }),
    } as RecordData)
  }
}

/** A collection begins with this year, the month of most of the policies, and wages of payroll. */
export const proposeWelfareBaseChanges: Procedure = async ({ context, db, entity }) => {
  const family = familyOf(context, entity)
  const year = Number(context.now.slice(0, 4))
  const policies = await readAll(
    context,
    db,
    'policy',
    [sql<boolean>`${column('kind')} = ${family.policyKind} and ${column('status')} = 'enabled'`],
    ['baseAdjustMonth'],
  )
  const months = policies.map(({ baseAdjustMonth }) => Number(baseAdjustMonth))
  const usual =
    [...new Set(months)]
      .sort((a, b) => months.filter((one) => one === b).length - months.filter((one) => one === a).length)
      .at(0) ?? 7
  return { values: { year, effectiveMonth: `${year}-${String(usual).padStart(2, '0')}`, averageFrom: 'payroll' } }
}

/**
 * A row for everybody who is enrolled, of the city and the customer if they are given; who has one of the year already
 * keeps it.
 * @returns how many were made
 */
export const startWelfareBaseChanges: Procedure = async ({ context, db, entity, values }) => {
  const family = familyOf(context, entity)
  const rows = entityOf(context, baseChangeOf(family))
  const [year, averageFrom] = [Number(values.year), String(values.averageFrom)]
  const enrolments = await readAll(context, db, enrolmentOf(family), [
    ...visibleConditions(context, entityOf(context, enrolmentOf(family))),
    sql<boolean>`${column('status')} = 'enrolled'`,
    ...((values.city ?? null) === null ? [] : [sql<boolean>`${column('city')} = ${values.city}`]),
    ...((values.customer ?? null) === null ? [] : [isAnyOf('customer', [values.customer as number])]),
  ])
  const persons = enrolments.map(({ person }) => person as number)
  const there = new Set(
    (
      await readAll(
        context,
        db,
        rows.name,
        [isAnyOf('person', persons), sql<boolean>`${column('year')} = ${year}`],
        ['person'],
      )
    ).map(({ person }) => person),
  )
  const fitting = await fittingFor(context, db, family, persons)
  const wages =
    averageFrom === 'payroll' ? await averageWages(context, db, persons, year - 1) : new Map<number, string>()
  const made = enrolments
    .filter(({ person }) => !there.has(person))
    .map((enrolment): RecordData => {
      const given = {
        person: enrolment.person,
        year,
        effectiveMonth: values.effectiveMonth ?? null,
        averageFrom,
        averageWage: wages.get(enrolment.person as number) ?? null,
      } as RecordData
      const record: RecordData = {
        ...accept(context, rows, {}, null).record,
        ...given,
        ...(workedOut(fitting, enrolment, given) as RecordData),
        status: 'collecting',
      }
      recompute(context, rows, record)
      return record
    })
  await insertRecords(context, db, rows, made)
  await writeHistories(
    context,
    db,
    rows,
    made.map((record) => ({ action: 'create', record, old: null })),
  )
  return { made: made.length }
}

/** A ticket of each row whose base or limits change anything. */
export const generateWelfareAdjustments: Procedure = async ({ context, db, entity, records }) => {
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
    const ticket = {
      person: record.person!,
      adjustType: yearlyType(family)!,
      effectiveMonth: record.effectiveMonth!,
      newBase: record.newBase!,
    }
    const values = adjusted(fitting, enrolment, ticket as RecordData)
    const isSame =
      Number(values.oldBase) === Number(record.newBase) &&
      Number(values.companyDiff) === 0 &&
      Number(values.personalDiff) === 0
    if (!isSame)
      await makeTicket(context, db, adjustmentOf(family), {
        ...ticket,
        ...values,
        source: 'baseChange',
        baseChange: record.id!,
      })
  }
}
