import { procedure, type ProcedureWork, type Stored, textIn, type Values } from '../../../../engine/server/procedure.ts'
import type { Value } from '../../../../engine/model/model.ts'
import { decimal, money, total } from '../../money/amounts.ts'
import { refuseLockedMonths } from '../expenses/lockedMonths.ts'
import { laterMonthChanges } from '../expenses/laterMonthChanges.ts'
import { draftOf } from '../expenses/refunds.ts'
import { dropTicketLines, recomputeOpen, writeTicketLines } from '../expenses/ticketLines.ts'
import { backPaid, problemsOf, type BackPaymentInputs } from './backPaid.ts'
import { familyOf, backPaymentMonthOf, type Family, type BackPaymentMonthName, type BackPaymentName } from './family.ts'
import { inputsFor, linesOf } from './backPaymentLines.ts'

type Ticket = Stored<BackPaymentName>
type Month = Stored<BackPaymentMonthName>

/**
 * Suggestions from the person: months, items, base, the amounts of each month, and the late fee as of the next day of
 * payment.
 */
export const suggestWelfareBackPayment = procedure<BackPaymentName>(async (work, { entity, values: given, typed }) => {
  if (typeof given.person !== 'number') return { values: {} }
  const family = familyOf(work, entity)
  // For another person, items, bases and rates are suggested again, but the user's input stays.
  const isNew = typed.has('person')
  const kept: Values<BackPaymentName> = isNew
    ? Object.fromEntries(Object.entries(given).filter(([name]) => typed.has(name) || name === 'supplementType'))
    : given
  const { values: found, rows, lateFee } = backPaid((await inputsFor(work, family, [given]))(given), kept)
  const all = { ...found, monthly: rows, ...(family.supplement?.lateFee === 'daily' && { lateFee }) }
  return { values: Object.fromEntries(Object.entries(all).filter(([name]) => !typed.has(name))) }
})

/**
 * Adds the months to a new or changed back-payment. A late fee stays if it was entered differently from the computed
 * one.
 * @throws Refusal invalid.
 */
export const writeWelfareBackPayment = procedure<BackPaymentName>(async (work, { entity, records, before }) => {
  const inputsOf = await inputsFor(work, familyOf(work, entity), records)
  const entered = records.map((record, index) => !isSame(lateFeeOf(record), lateFeeOf(before[index])))
  await computeBackPayments(work, entity, records, {
    inputsOf,
    keepsLateFee: (record) => entered[records.indexOf(record)],
  })
})

const lateFeeOf = (record: Ticket | Month | null): string | null => record && textIn(record, 'lateFee')
const isSame = (fee: string | null, other: string | null): boolean =>
  fee === null || other === null ? fee === other : decimal(fee).equals(decimal(other))

interface ComputeOptions {
  inputsOf: (record: Ticket) => BackPaymentInputs
  keepsLateFee: (record: Ticket) => boolean
}

/** The amounts of tickets, and their months. @throws Refusal invalid. */
async function computeBackPayments(
  work: ProcedureWork,
  entity: BackPaymentName,
  records: readonly Ticket[],
  { inputsOf, keepsLateFee }: ComputeOptions,
): Promise<void> {
  const family = familyOf(work, entity)
  const isDaily = family.supplement?.lateFee === 'daily'
  const worked = records.map((record) => {
    const inputs = inputsOf(record)
    const { values, rows, lateFee } = backPaid(inputs, record)
    const problems = problemsOf(inputs, { ...record, ...values })
    if (problems.length > 0) work.refuse(entity, problems)
    const fee: Record<string, Value> = isDaily && !keepsLateFee(record) ? { lateFee } : {}
    return { record, values: { ...values, ...fee }, rows }
  })
  await work.changeAll(entity, worked)
  const name = backPaymentMonthOf(family)
  const former = await monthsOf(work, family, records)
  // Unchanged results are not written.
  const changed = worked.filter(({ record, rows }) => {
    const own = former(record)
    return own.length !== rows.length || own.some((month, index) => work.differs(name, month, rows[index]))
  })
  await work.delete(
    name,
    changed.flatMap(({ record }) => former(record)),
  )
  await work.insert(
    name,
    changed.flatMap(({ record, rows }) => rows.map((row) => ({ ...row, supplement: record.id }))),
  )
}

/** The late fee as of today, whatever was entered. */
export const recalculateWelfareLateFee = procedure<BackPaymentName>(async (work, { entity, action, records }) => {
  const inputsOf = await inputsFor(work, familyOf(work, entity), records)
  await work.recordOnce(entity, records, { action }, () =>
    computeBackPayments(work, entity, records, { inputsOf, keepsLateFee: () => false }),
  )
})

/**
 * Handled today, which determines the delay of each month, unless the bureau's late fee was entered. Each month is a
 * line in the month of handling; later locked months get the difference if they depend on the year so far. @throws
 * Refusal invalid if the month of handling is locked.
 */
export const succeedWelfareBackPayment = procedure<BackPaymentName>(async (work, { entity, records, before }) => {
  const family = familyOf(work, entity)
  await refuseLockedMonths(work, { family, entity }, records)
  const inputsOf = await inputsFor(work, family, records, work.today)
  const estimated = await monthsOf(work, family, records)
  const entered = records.map((record, index) => {
    const worked = money(total(estimated(record).map((month) => decimal(lateFeeOf(month)))))
    const fee = lateFeeOf(record)
    return !isSame(fee, lateFeeOf(before[index])) || !isSame(fee, worked)
  })
  await computeBackPayments(work, entity, records, {
    inputsOf,
    keepsLateFee: (record) => entered[records.indexOf(record)],
  })
  const months = await monthsOf(work, family, records)
  const drafts = records.flatMap((record) => linesOf(family, record, months(record), inputsOf(record).enrolment))
  await writeTicketLines(work, family, drafts)
  for (const ticket of records) {
    const own = drafts.filter(({ sourceNo }) => sourceNo === ticket.ticketNo)
    const made = own.map(({ enrolment = null, belongMonth, sourceNo }) => ({ enrolment, belongMonth, sourceNo }))
    const laterChanges = await laterMonthChanges(work, family, made, { goes: false })
    await writeTicketLines(
      work,
      family,
      laterChanges.map(({ line, amounts }) => draftOf(family, ticket, line, { amounts, expenseType: 'difference' })),
    )
  }
})

/**
 * Restores the state before it was handled; what the enrolment owes for its months is charged normally again. @throws
 * Refusal notAllowed if a line of it is locked.
 */
export const revokeWelfareBackPayment = procedure<BackPaymentName>(async (work, { entity, records }) => {
  const family = familyOf(work, entity)
  await dropTicketLines(work, family, records)
  await recomputeOpen(
    work,
    family,
    records.map(({ enrolment }) => enrolment),
  )
})

/** The months of these tickets, per ticket. */
async function monthsOf(
  work: ProcedureWork,
  family: Family,
  records: readonly Ticket[],
): Promise<(record: Ticket) => Month[]> {
  const all = await work.read(backPaymentMonthOf(family), { where: { supplement: records.map(({ id }) => id) } })
  return ({ id }) => all.filter(({ supplement }) => supplement === id)
}
