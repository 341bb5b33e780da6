import type { Foreseen, RecordData } from '../../../../engine/schema/model.ts'
import type { Context, Db, Procedure } from '../../../../engine/server/runtime.ts'
import { additionProblems } from './additions.ts'
import { adjusted, problemsOf } from './adjusted.ts'
import { workedOut } from './baseChanged.ts'
import { presentEnrolments } from './enrolments.ts'
import { familyOf, type Family } from './family.ts'
import { fitted, fittingFor, type Fitting } from './fitting.ts'

/**
 * The rows of a file before any is written: bases and amounts that each will have, and what its policy says against it.
 */
const foreseeing =
  (
    of: (
      context: Context,
      db: Db,
      family: Family,
      records: readonly RecordData[],
      fitting: Fitting,
    ) => Promise<(record: RecordData) => Foreseen>,
  ): Procedure =>
  async ({ context, db, entity, records }) => {
    const family = familyOf(context, entity)
    const fitting = await fittingFor(
      context,
      db,
      family,
      records.map(({ person }) => person as number),
    )
    return { rows: records.map(await of(context, db, family, records, fitting)) }
  }

export const foreseeWelfareAddition = foreseeing(async (_context, _db, _family, _records, fitting) => (record) => {
  const values = fitted(fitting, record)
  return { values, problems: additionProblems(fitting, { ...record, ...values }) }
})

/** Of those who are enrolled; that others are not, rules say. */
const foreseeingEnrolled = (of: (fitting: Fitting, enrolment: RecordData, record: RecordData) => Foreseen): Procedure =>
  foreseeing(async (context, db, family, records, fitting) => {
    const enrolments = await presentEnrolments(
      context,
      db,
      family,
      records.map(({ person }) => person as number),
    )
    return (record) => {
      const enrolment = enrolments.get(record.person as number)
      return enrolment ? of(fitting, enrolment, record) : {}
    }
  })

export const foreseeWelfareAdjustment = foreseeingEnrolled((fitting, enrolment, record) => {
  const values = adjusted(fitting, enrolment, record)
  return { values, problems: problemsOf(fitting, enrolment, { ...record, ...values }) }
})

export const foreseeWelfareBaseChange = foreseeingEnrolled((fitting, enrolment, record) => ({
  values: workedOut(fitting, enrolment, record),
}))
