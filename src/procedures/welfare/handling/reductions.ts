import { invalid } from '../../../../engine/server/errors.ts'
import type { Procedure } from '../../../../engine/server/runtime.ts'
import type { RecordData, Value } from '../../../../engine/schema/model.ts'
import { changeRecord, entityOf, isAnyOf, readAll } from '../../settlement/stored.ts'
import { dropTicketLines, recomputeOpen, writeTicketLines } from '../expenses/ticketLines.ts'
import { refundsOf } from '../expenses/refunds.ts'
import { changeEnrolment, demandEnrolled, presentEnrolments } from './enrolments.ts'
import { familyOf, type Family } from './family.ts'

/** What a reduction keeps of the enrolment as it was when the ticket was made. */
export function takenOf(family: Family, enrolment: RecordData): Record<string, Value> {
  const amounts = family.items.flatMap(({ key, hasCompany, hasPersonal }) => [
    ...(family.base.mode === 'perItem' ? [`${key}Base`] : []),
    ...(hasCompany ? [`${key}Company`] : []),
    ...(hasPersonal ? [`${key}Personal`] : []),
  ])
  const names = [
    'customer',
    'serviceContract',
    'supportStaff',
    'city',
    'policy',
    'account',
    'personalAccountNo',
    ...amounts,
    'companyTotal',
    'personalTotal',
    'total',
    ...(family.base.mode === 'none' ? [] : ['declaredBase']),
    ...(family.base.mode === 'shared' ? ['base'] : []),
  ]
  return {
    ...Object.fromEntries(names.map((name) => [name, enrolment[name] ?? null])),
    enrolment: enrolment.id!,
    firstMonth: enrolment.startMonth ?? null,
  }
}

/** The reason of the family that goes with the person's reason for leaving. */
export const reasonFor = ({ reductionReasons }: Family, leaveReason: Value | undefined): string =>
  (reductionReasons.find(({ leaveReasons }) => leaveReasons.includes(String(leaveReason))) ?? reductionReasons[0]).value

/** What the form takes of the person: the enrolment, why and when they leave. */
export const suggestWelfareReduction: Procedure = async ({ context, db, entity, values, form }) => {
  const { person: id } = values as RecordData
  if (typeof id !== 'number') return { values: {} }
  const family = familyOf(context, entity)
  const [person] = await readAll(context, db, 'person', [isAnyOf('id', [id])], ['leaveDate', 'leaveReason'])
  const enrolment = (await presentEnrolments(context, db, family, [id])).get(id)
  const found: Record<string, Value> = {
    ...(enrolment && takenOf(family, enrolment)),
    leaveDate: person?.leaveDate ?? null,
    reductionReason: reasonFor(family, person?.leaveReason),
    lastMonth: String(person?.leaveDate ?? context.now).slice(0, 7),
  }
  const typed = new Set(form!.typed)
  return { values: Object.fromEntries(Object.entries(found).filter(([name]) => !typed.has(name))) }
}

/** A reduction takes over the enrolment as it is, which from now on is about to end. @throws Refusal invalid. */
export const writeWelfareReduction: Procedure = async ({ context, db, entity, records, before }) => {
  const family = familyOf(context, entity)
  const made = records.filter((_, index) => !before?.[index])
  const enrolledIn = await demandEnrolled(context, db, family, made)
  for (const record of made) {
    const enrolment = enrolledIn(record)
    if (String(record.lastMonth) < String(enrolment.startMonth)) {
      throw invalid([
        {
          field: 'lastMonth',
          code: 'lastMonth',
          message: { cn: '停缴月份早于起缴月份', en: 'Last paid month is before the first paid month' },
        },
      ])
    }
    await changeRecord(context, db, entityOf(context, entity), record, takenOf(family, enrolment) as RecordData)
    await changeEnrolment(context, db, family, record.enrolment, ['enrolled'], () => ({ status: 'stopping' }))
  }
}

/**
 * The enrolment has ended with the last paid month: what is paid beyond it already comes back in the month in which it
 * was handled.
 */
export const succeedWelfareReduction: Procedure = async ({ context, db, entity, records }) => {
  const family = familyOf(context, entity)
  for (const record of records) {
    await changeEnrolment(context, db, family, record.enrolment, ['stopping'], () => ({
      status: 'stopped',
      endMonth: record.lastMonth as Value,
    }))
    await recomputeOpen(context, db, family, [record.enrolment as number])
    await writeTicketLines(context, db, family, await refundsOf(context, db, family, record))
  }
}

/** The enrolment goes on. */
export const cancelWelfareReduction: Procedure = async ({ context, db, entity, records }) => {
  for (const record of records)
    await changeEnrolment(context, db, familyOf(context, entity), record.enrolment, ['stopping'], () => ({
      status: 'enrolled',
    }))
}

/** The enrolment is about to end, as before it was handled. */
export const revokeWelfareReduction: Procedure = async ({ context, db, entity, records }) => {
  const family = familyOf(context, entity)
  for (const record of records) {
    await dropTicketLines(context, db, family, String(record.ticketNo))
    await changeEnrolment(context, db, family, record.enrolment, ['stopped'], () => ({
      status: 'stopping',
      endMonth: null,
    }))
    await recomputeOpen(context, db, family, [record.enrolment as number])
  }
}
