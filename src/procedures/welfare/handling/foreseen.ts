import type { Foreseen } from '../../../../engine/model/model.ts'
import { procedure, type ProcedureWork } from '../../../../engine/server/procedure.ts'
import { additionProblems } from './additionProblems.ts'
import { adjustedFor } from './adjustedEnrolment.ts'
import { computeAdjustment, problemsOf } from './computeAdjustment.ts'
import { computeBaseChange } from './computeBaseChange.ts'
import { adjustedEnrolments, paidUntil, presentEnrolments } from './enrolments.ts'
import { type AdditionName, type AdjustmentName, type BaseChangeName, familyOf } from './family.ts'
import { fitted } from './fitted.ts'
import { fittingFor } from './fitting.ts'

// The rows of a file before they are written: the bases and amounts that each will have, and its problems under the
// policy. Rules report people who are not enrolled.

interface ForeseenCall {
  entity: string
  records: readonly { person: number }[]
}

async function knownOf(work: ProcedureWork, { entity, records }: ForeseenCall) {
  const family = familyOf(work, entity)
  const persons = records.map(({ person }) => person)
  return {
    family,
    persons,
    fitting: await fittingFor(work, family, persons),
    enrolments: await presentEnrolments(work, family, persons),
  }
}

export const foreseeWelfareAddition = procedure<AdditionName>(async (work, call) => {
  const { family, persons, fitting } = await knownOf(work, call)
  const unpaidFrom = await paidUntil(work, family, persons)
  const rows = call.records.map((record): Foreseen => {
    const values = fitted(fitting, record)
    return { values, problems: additionProblems(fitting, { ...record, ...values }, unpaidFrom.get(record.person)) }
  })
  return { rows }
})

export const foreseeWelfareAdjustment = procedure<AdjustmentName>(async (work, call) => {
  const { family, fitting } = await knownOf(work, call)
  const own = await adjustedEnrolments(work, family, call.records)
  const found = await adjustedFor(
    work,
    fitting,
    call.records.flatMap((record) => own(record) ?? []),
  )
  const rows = call.records.map((record): Foreseen => {
    const present = own(record)
    if (!present) return {}
    const enrolment = found(present, record.effectiveMonth)
    const values = computeAdjustment(fitting, enrolment, record)
    return { values, problems: problemsOf(fitting, enrolment, { ...record, ...values }) }
  })
  return { rows }
})

export const foreseeWelfareBaseChange = procedure<BaseChangeName>(async (work, call) => {
  const { fitting, enrolments } = await knownOf(work, call)
  const rows = call.records.map(({ person, ...record }): Foreseen => {
    const enrolment = enrolments.get(person)
    return enrolment ? { values: computeBaseChange(fitting, enrolment, record) } : {}
  })
  return { rows }
})
