import { Refusal } from '../../../../engine/server/errors.ts'
import { invalid } from '../../../../engine/server/errors.ts'
import { writeHistories } from '../../../../engine/server/history.ts'
import type { Context, Db, Procedure } from '../../../../engine/server/runtime.ts'
import type { RecordData, Value } from '../../../../engine/schema/model.ts'
import { changeRecord, entityOf, isAnyOf, readAll } from '../../settlement/stored.ts'
import { dropTicketLines, recomputeOpen, writeTicketLines } from '../expenses/ticketLines.ts'
import { refundsOf } from '../expenses/refunds.ts'
import { enrolmentOf, familyOf, type Family } from './family.ts'

/** The enrolment of a person that has not ended. */
async function enrolmentFor(context: Context, db: Db, family: Family, person: number): Promise<RecordData | undefined> {
  const found = await readAll(context, db, enrolmentOf(family), [isAnyOf('person', [person])])
  return found.find(({ status }) => status !== 'stopped')
}

/** What a reduction keeps of the enrolment as it was when the ticket was made. */
export function takenOf(family: Family, enrolment: RecordData): Record<string, Value> {
  const amounts = family.items.flatMap(({ key, hasCompany, hasPersonal }) => [
    ...family.base.mode === 'perItem' ? [`${key}Base`] : [], ...hasCompany ? [`${key}Company`] : [], ...hasPersonal ? [`${key}Personal`] : [],
  ])
  const names = [
    'customer', 'serviceContract', 'supportStaff', 'city', 'policy', 'account', 'personalAccountNo', ...amounts, 'companyTotal', 'personalTotal', 'total',
    ...family.base.mode === 'none' ? [] : ['declaredBase'], ...family.base.mode === 'shared' ? ['base'] : [],
  ]
  return { ...Object.fromEntries(names.map((name) => [name, enrolment[name] ?? null])), enrolment: enrolment.id!, firstMonth: enrolment.startMonth ?? null }
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
  const enrolment = await enrolmentFor(context, db, family, id)
  const found: Record<string, Value> = {
    ...enrolment && takenOf(family, enrolment), leaveDate: person?.leaveDate ?? null,
    reductionReason: reasonFor(family, person?.leaveReason), lastMonth: String(person?.leaveDate ?? context.now).slice(0, 7),
  }
  const typed = new Set(form!.typed)
  return { values: Object.fromEntries(Object.entries(found).filter(([name]) => !typed.has(name))) }
}

/** A reduction takes over the enrolment as it is, which from now on is about to end. @throws Refusal invalid. */
export const writeWelfareReduction: Procedure = async ({ context, db, entity, records, before }) => {
  const family = familyOf(context, entity)
  for (const [index, record] of records.entries()) {
    if (before?.[index]) continue
    const enrolment = await enrolmentFor(context, db, family, record.person as number)
    if (enrolment?.status !== 'enrolled') throw invalid([{ field: 'person', code: 'enrolment', message: { cn: '该人员未参保', en: 'The person is not enrolled' } }])
    if (String(record.lastMonth) < String(enrolment.startMonth)) {
      throw invalid([{ field: 'lastMonth', code: 'lastMonth', message: { cn: '停缴月份早于起缴月份', en: 'Last paid month is before the first paid month' } }])
    }
    await changeRecord(context, db, entityOf(context, entity), record, takenOf(family, enrolment) as RecordData)
    await move(context, db, family, record, { status: 'stopping' })
  }
}

/** Changes the ticket's enrolment, which must be in that state. @throws Refusal notAllowed. */
async function move(context: Context, db: Db, family: Family, ticket: RecordData, changes: Record<string, Value>, from?: string): Promise<void> {
  const enrolment = entityOf(context, enrolmentOf(family))
  const [found] = await readAll(context, db, enrolment.name, [isAnyOf('id', [ticket.enrolment as number])], undefined, true)
  if (!found || from !== undefined && found.status !== from) throw new Refusal('notAllowed', { text: { cn: '该人员的参保状态已变化', en: 'The enrolment has changed since' } })
  const old = { ...found }
  await changeRecord(context, db, enrolment, found, changes as RecordData)
  await writeHistories(context, db, enrolment, [{ action: 'update', record: found, old }])
}

/** The enrolment has ended with the last paid month: what is paid beyond it already comes back in the month in which it was handled. */
export const succeedWelfareReduction: Procedure = async ({ context, db, entity, records }) => {
  const family = familyOf(context, entity)
  for (const record of records) {
    await move(context, db, family, record, { status: 'stopped', endMonth: record.lastMonth as Value }, 'stopping')
    await recomputeOpen(context, db, family, [record.enrolment as number])
    await writeTicketLines(context, db, family, await refundsOf(context, db, family, record))
  }
}

/** The enrolment goes on. */
export const cancelWelfareReduction: Procedure = async ({ context, db, entity, records }) => {
  for (const record of records) await move(context, db, familyOf(context, entity), record, { status: 'enrolled' }, 'stopping')
}

/** The enrolment is about to end, as before it was handled. */
export const revokeWelfareReduction: Procedure = async ({ context, db, entity, records }) => {
  const family = familyOf(context, entity)
  for (const record of records) {
    await dropTicketLines(context, db, family, String(record.ticketNo))
    await move(context, db, family, record, { status: 'stopping', endMonth: null }, 'stopped')
    await recomputeOpen(context, db, family, [record.enrolment as number])
  }
}
