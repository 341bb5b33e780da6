import type { Foreseen } from '../../../../engine/model/model.ts'
import { procedure, type ProcedureWork } from '../../../../engine/server/procedure.ts'
import { additionProblems } from './additionProblems.ts'
import { adjustedFor } from './adjustedEnrolment.ts'
import { computeAdjustment, problemsOf } from './computeAdjustment.ts'
import { computeBaseChange } from './computeBaseChange.ts'
import { adjustedEnrolments, paidUntil, presentEnrolments } from './enrolments.ts'
import { type AdditionName, type AdjustmentName, type BaseChangeName, familyOf } from './family.ts'
import { computeAddition } from './computeAddition.ts'
import { readTicketContext } from './ticketContext.ts'

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
    context: await readTicketContext(work, family, persons),
    enrolments: await presentEnrolments(work, family, persons),
  }
}

export const foreseeWelfareAddition = procedure<AdditionName>(async (work, call) => {
  const { family, persons, context } = await knownOf(work, call)
  const unpaidFrom = await paidUntil(work, family, persons)
  const rows = call.records.map((record): Foreseen => {
    const values = computeAddition(context, record)
    return { values, problems: additionProblems(context, { ...record, ...values }, unpaidFrom.get(record.person)) }
  })
  return { rows }
})

export const foreseeWelfareAdjustment = procedure<AdjustmentName>(async (work, call) => {
  const { family, context } = await knownOf(work, call)
  const own = await adjustedEnrolments(work, family, call.records)
  const found = await adjustedFor(
    work,
    context,
    call.records.flatMap((record) => own(record) ?? []),
  )
  const rows = call.records.map((record): Foreseen => {
    const present = own(record)
    if (!present) return {}
    const enrolment = found(present, record.effectiveMonth)
    const values = computeAdjustment(context, enrolment, record)
    return { values, problems: problemsOf(context, enrolment, { ...record, ...values }) }
  })
  return { rows }
})

export const foreseeWelfareBaseChange = procedure<BaseChangeName>(async (work, call) => {
  const { context, enrolments } = await knownOf(work, call)
  const rows = call.records.map(({ person, ...record }): Foreseen => {
    const enrolment = enrolments.get(person)
    return enrolment ? { values: computeBaseChange(context, enrolment, record) } : {}
  })
  return { rows }
})
