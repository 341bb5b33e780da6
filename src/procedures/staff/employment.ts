import { recompute } from '../../../engine/server/effects.ts'
import { invalid, Refusal } from '../../../engine/server/errors.ts'
import type { Context, Db, Procedure } from '../../../engine/server/runtime.ts'
import { createRecord } from '../../../engine/server/save.ts'
import { insertRecords, softDelete } from '../../../engine/server/write.ts'
import type { RecordData, Value } from '../../../engine/schema/model.ts'
import { asWhole, changeRecord, entityOf, isAnyOf, readAll } from '../settlement/stored.ts'
import { dropAdditions, openAdditions } from '../welfare/handling/staffTickets.ts'

/**
 * Somebody was added or rehired: a stint begins after all the former ones, and what was said of a labour contract and
 * of a wage card becomes a draft of the one and a record of the other; the families of welfare get their tickets.
 * @throws Refusal invalid.
 */
export const beginEmployment: Procedure = async (call) => {
  const { context, db, records } = call
  const [entity, person] = [entityOf(context, 'employmentRecord'), entityOf(context, 'person')]
  const former = await readAll(context, db, entity.name, [
    isAnyOf(
      'person',
      records.map(({ id }) => id!),
    ),
  ])
  for (const { id, entryDate } of records) {
    if (
      former.some(
        (stint) => stint.person === id && (stint.leaveDate === null || String(stint.leaveDate) >= String(entryDate)),
      )
    )
      throw overlapping()
  }
  const begun = records.map((record): RecordData => ({
    ...termsOf(record),
    person: record.id,
    customer: record.customer,
    contract: null,
    leaveDate: null,
    leaveReason: null,
  }))
  for (const record of begun) recompute(context, entity, record)
  await insertRecords(context, db, entity, begun)
  for (const record of records) {
    if (record.contractTermType !== null) await draftContract(context, db, record)
    if (record.cardAccountNo !== null) await addCard(context, db, record)
    if (entered.some((field) => (record[field] ?? null) !== null))
      await changeRecord(context, db, person, record, Object.fromEntries(entered.map((field) => [field, null])))
  }
  await openAdditions(call)
}

/** What is only said at the entry; from then on the contract and the card tell it. */
const entered = [
  'contractTermType',
  'contractStartDate',
  'contractEndDate',
  'contractProbationMonths',
  'cardAccountNo',
  'cardBank',
] as const

const draftContract = (context: Context, db: Db, { id: person, ...record }: RecordData) =>
  asEntered(
    context,
    db,
    'contract',
    {
      category: 'labor',
      person: person!,
      customer: record.customer,
      agency: record.agency,
      termType: record.contractTermType,
      startDate: record.contractStartDate,
      endDate: record.contractEndDate,
      probationMonths: record.contractProbationMonths ?? 0,
      employmentForm: record.employmentForm,
      position: record.position,
      workCity: record.workCity,
      monthlyWage: record.baseSalary,
      // Most are; whoever signs the contract looks at it.
      ...(record.employmentForm === 'dispatch' && { dispatchPositionKind: 'auxiliary' }),
    },
    {
      termType: 'contractTermType',
      startDate: 'contractStartDate',
      endDate: 'contractEndDate',
      probationMonths: 'contractProbationMonths',
      monthlyWage: 'baseSalary',
    },
  )

const addCard = (context: Context, db: Db, { id: person, ...record }: RecordData) =>
  asEntered(
    context,
    db,
    'personBankCard',
    {
      person: person!,
      accountName: record.name,
      accountNo: record.cardAccountNo,
      bank: record.cardBank,
      isDefault: true,
      effectiveFrom: String(record.entryDate).slice(0, 7),
    },
    { accountNo: 'cardAccountNo', bank: 'cardBank' },
  )

/**
 * As whoever adds the person, who need not be allowed to add contracts and cards; what is wrong is told at the field of
 * the person that it came from.
 */
async function asEntered(
  context: Context,
  db: Db,
  name: string,
  values: Record<string, Value | undefined>,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  const whole = asWhole(context)
  try {
    await createRecord(
      { ...whole, user: { ...whole.user, permissions: ['*:*:*'] } },
      db,
      entityOf(context, name),
      values as Record<string, Value>,
    )
  } catch (error) {
    if (!(error instanceof Refusal) || !error.problems) throw error
    throw invalid(error.problems.map((problem) => ({ ...problem, field: fields[problem.field] ?? problem.field })))
  }
}

/**
 * The current stint tells what the person's record says of it, also when that is corrected later.
 * @throws Refusal invalid.
 */
export const followEmployment: Procedure = async ({ context, db, records }) => {
  const entity = entityOf(context, 'employmentRecord')
  const stints = await stintsOf(context, db, records)
  for (const record of records) {
    const own = stints.filter(({ person }) => person === record.id)
    const current = own.at(-1)
    if (!current || current.leaveDate !== null) continue
    if (own.some(({ id, leaveDate }) => id !== current.id && String(leaveDate) >= String(record.entryDate)))
      throw overlapping()
    await changeRecord(context, db, entity, current, termsOf(record))
  }
}

/** The stint of whoever has left ends with the day and reason of the leave. */
export const closeEmployment: Procedure = async ({ context, db, records }) => {
  const stints = await stintsOf(context, db, records)
  for (const { id, contract = null, leaveDate, leaveReason } of records) {
    const current = stints.findLast(({ person }) => person === id)
    if (current?.leaveDate === null)
      await changeRecord(context, db, entityOf(context, 'employmentRecord'), current, {
        contract,
        leaveDate: leaveDate!,
        leaveReason: leaveReason!,
      })
  }
}

/** Who never came has no stint, and is not to be insured. */
export const dropEmployment: Procedure = async (call) => {
  const { context, db, records } = call
  const stints = await stintsOf(context, db, records)
  await softDelete(
    context,
    db,
    entityOf(context, 'employmentRecord'),
    stints.flatMap(({ id, leaveDate }) => (leaveDate === null ? id! : [])),
  )
  await dropAdditions(call)
}

const stintsOf = (context: Context, db: Db, records: readonly RecordData[]) =>
  readAll(
    context,
    db,
    'employmentRecord',
    [
      isAnyOf(
        'person',
        records.map(({ id }) => id!),
      ),
    ],
    undefined,
    true,
  )

const termsOf = ({ serviceContract, position, employmentForm, entryDate }: RecordData): RecordData => ({
  serviceContract,
  position,
  employmentForm,
  entryDate,
})

const overlapping = () =>
  invalid([
    {
      field: 'entryDate',
      code: 'rule',
      message: {
        cn: '入职日期须晚于该人员上一段任职的离职日期',
        en: 'The entry date must be after the person left the last time',
      },
    },
  ])
