import { sql } from 'kysely'
import { accept } from '../../../../engine/server/accept.ts'
import { recompute } from '../../../../engine/server/records/effects.ts'
import { invalid, Refusal } from '../../../../engine/server/errors.ts'
import { writeHistories } from '../../../../engine/server/records/history.ts'
import type { Context, Db, Procedure } from '../../../../engine/server/runtime.ts'
import { insertRecords, softDelete } from '../../../../engine/server/records/write.ts'
import type { Entity, FieldProblem, Label, RecordData, Value } from '../../../../engine/schema/model.ts'
import { changeRecord, column, entityOf, isAnyOf, readAll } from '../../settlement/stored.ts'
import { recomputeOpen, refuseLocked } from '../expenses/ticketLines.ts'
import { monthsFrom } from '../months.ts'
import { amountsOf } from './adjusted.ts'
import { wrongChoices } from './amounts.ts'
import { enrolmentOf, familyOf, type Family } from './family.ts'
import { fitted, fittingFor, policyFor, type Fitting } from './fitting.ts'
import { dropAdditionsBackPayment, payBackAddition } from './supplementLines.ts'

/** What the form of an addition takes of the person: owner, city, policy, account, base, and what a month comes to. */
export const suggestWelfareAddition: Procedure = async ({ context, db, entity, values, form }) => {
  const given = values as RecordData
  if (typeof given.person !== 'number') return { values: {} }
  const family = familyOf(context, entity)
  const fitting = await fittingFor(context, db, family, [given.person])
  const typed = new Set(form!.typed)
  const follows = typed.has('person') && !typed.has('city')
  // Of another person another city, policy and base are proposed, but what was typed stays.
  const kept = Object.fromEntries(
    Object.entries(given).filter(([name]) => !follows || typed.has(name) || name === 'person'),
  )
  const found = fitted(fitting, kept as RecordData)
  return {
    values: Object.fromEntries(
      Object.entries(found).filter(([name]) => !typed.has(name) || name === 'policy' || name === 'account'),
    ),
  }
}

/**
 * A new or changed addition takes what follows from its person and policy, and opens the enrolment.
 * @throws Refusal invalid.
 */
export const writeWelfareAddition: Procedure = async ({ context, db, entity, records, before }) => {
  const family = familyOf(context, entity)
  const fitting = await fittingFor(
    context,
    db,
    family,
    records.map(({ person }) => person as number),
  )
  const enrolment = entityOf(context, enrolmentOf(family))
  for (const [index, record] of records.entries()) {
    const values = fitted(fitting, record)
    const problems = additionProblems(fitting, { ...record, ...values })
    if (problems.length > 0) throw invalid(problems)
    await changeRecord(context, db, entityOf(context, entity), record, values as RecordData)
    if (before?.[index]) await changeEnrolment(context, db, enrolment, record, family)
    else
      await changeRecord(context, db, entityOf(context, entity), record, {
        enrolment: await openEnrolment(context, db, enrolment, record, family),
      })
  }
}

const problem = (field: string, code: string, message: Label): FieldProblem => ({ field, code, message })

/** What only the policy and the person can say against it. */
export function additionProblems(fitting: Fitting, record: RecordData): FieldProblem[] {
  const { family } = fitting
  const person = fitting.persons.get(record.person as number)!
  const found: FieldProblem[] = [...eligibility(family, person, String(record.startMonth))]
  const policy = fitting.policies.find(({ id }) => id === record.policy)
  if (!policy || !policyFor(fitting, person, String(record.city), String(record.startMonth))) {
    found.push(
      problem('policy', 'policy', {
        cn: `该城市${String(record.startMonth)}没有生效的政策`,
        en: `No policy in force in the city for ${String(record.startMonth)}`,
      }),
    )
  } else if (record.account === null || record.account === undefined) {
    found.push(
      problem('account', 'required', { cn: '该政策没有适用的单位账户', en: 'The policy has no account that fits' }),
    )
  } else {
    found.push(
      ...wrongChoices(family, policy, record).map((name) =>
        problem(name, 'policy', { cn: '比例或档次不在政策范围内', en: 'Rate or tier is outside the policy' }),
      ),
    )
    const late = monthsFrom(String(record.startMonth), fitting.month)
    const most = policy.supplementAllowed === true ? Number(policy.supplementMaxMonths ?? 0) : 0
    if (late > most)
      found.push(
        problem('startMonth', 'startMonth', {
          cn: `起缴月份过早，最多补缴${most}个月`,
          en: `The first paid month is too early: at most ${most} months may be paid back`,
        }),
      )
  }
  return found
}

function eligibility({ eligibility: rule, cn, en }: Family, person: RecordData, startMonth: string): FieldProblem[] {
  const { workerKinds, employmentForms, minServiceMonths, requiresFamily } = rule
  const says = (message: Label) => [
    problem('person', 'eligibility', { cn: `不符合参加条件：${message.cn}`, en: `Not eligible: ${message.en}` }),
  ]
  if (workerKinds?.length && !workerKinds.includes(String(person.workerKind)))
    return says({ cn: `该人员类别不能参加${cn}`, en: `this worker kind cannot join ${en}` })
  if (employmentForms?.length && !employmentForms.includes(String(person.employmentForm)))
    return says({ cn: `该用工形式不能参加${cn}`, en: `this employment form cannot join ${en}` })
  if (minServiceMonths && monthsFrom(String(person.entryDate).slice(0, 7), startMonth) < minServiceMonths)
    return says({ cn: `入职未满${minServiceMonths}个月`, en: `less than ${minServiceMonths} months of service` })
  if (requiresFamily && (person[`${requiresFamily}Enrolment`] ?? null) === null)
    return says({ cn: '须先参加所要求的险种', en: 'must be enrolled in the required family first' })
  return []
}

/** What an enrolment has of the ticket that opened it. */
export function enrolmentValues(record: RecordData, enrolment: Entity): Record<string, Value> {
  const own = new Set([
    'id',
    'revision',
    'status',
    'createdAt',
    'createdBy',
    'updatedAt',
    'updatedBy',
    'deletedAt',
    'personName',
    'idNumber',
    'mobile',
    'personCustomer',
  ])
  return Object.fromEntries(
    Object.entries(record).filter(
      ([name]) => !own.has(name) && Object.hasOwn(enrolment.fields, name) && !enrolment.fields[name].computed,
    ),
  ) as Record<string, Value>
}

/** @returns the id of the enrolment */
async function openEnrolment(
  context: Context,
  db: Db,
  enrolment: Entity,
  record: RecordData,
  { cn, en }: Family,
): Promise<number> {
  const [present] = await readAll(
    context,
    db,
    enrolment.name,
    [isAnyOf('person', [record.person as number]), sql<boolean>`${column('status')} <> 'stopped'`],
    ['person'],
  )
  if (present)
    throw invalid([
      problem('person', 'enrolled', {
        cn: `该人员已参加${cn}，不能重复增员`,
        en: `The person is already enrolled in ${en}`,
      }),
    ])
  const opened: RecordData = {
    ...accept(context, enrolment, {}, null).record,
    ...enrolmentValues(record, enrolment),
    status: 'opening',
  }
  recompute(context, enrolment, opened)
  await insertRecords(context, db, enrolment, [opened])
  await writeHistories(context, db, enrolment, [{ action: 'create', record: opened, old: null }])
  return opened.id!
}

/** The ticket's enrolment, changed, with its history. */
async function changeEnrolment(
  context: Context,
  db: Db,
  enrolment: Entity,
  ticket: RecordData,
  family: Family,
  changes: Record<string, Value> = {},
): Promise<void> {
  const [found] = await readAll(
    context,
    db,
    enrolmentOf(family),
    [isAnyOf('id', [ticket.enrolment as number])],
    undefined,
    true,
  )
  if (!found) return
  const old = { ...found }
  await changeRecord(context, db, enrolment, found, { ...enrolmentValues(ticket, enrolment), ...changes } as RecordData)
  await writeHistories(context, db, enrolment, [{ action: 'update', record: found, old }])
}

/** The person is enrolled from the ticket's first month on, with the base that the bureau has really taken. */
export const succeedWelfareAddition: Procedure = async ({ context, db, entity, records }) => {
  const family = familyOf(context, entity)
  await follow(
    context,
    db,
    family,
    entity,
    records.filter(({ actualBase }) => (actualBase ?? null) !== null),
  )
  for (const record of records) {
    const feeFrom = String(record.handleMonth) > String(record.startMonth) ? record.handleMonth! : record.startMonth!
    const taken = asTaken(record)
    await changeEnrolment(context, db, entityOf(context, enrolmentOf(family)), taken, family, {
      status: 'enrolled',
      feeFrom,
    })
    await payBackAddition(context, db, family, taken)
  }
  await recomputeOpen(
    context,
    db,
    family,
    records.map(({ enrolment }) => enrolment as number),
  )
}

/** The ticket, as if what the bureau has taken had been declared. */
const asTaken = (record: RecordData): RecordData =>
  (record.actualBase ?? null) === null ? record : { ...record, declaredBase: record.actualBase! }

/** Bases and amounts of tickets follow the base that was taken. */
async function follow(
  context: Context,
  db: Db,
  family: Family,
  entity: string,
  records: readonly RecordData[],
): Promise<void> {
  if (records.length === 0) return
  const fitting = await fittingFor(
    context,
    db,
    family,
    records.map(({ person }) => person as number),
  )
  for (const record of records)
    await changeRecord(
      context,
      db,
      entityOf(context, entity),
      record,
      amountsOf(family, fitted(fitting, asTaken(record)) as RecordData) as RecordData,
    )
}

/** What was never handled leaves no enrolment behind. */
export const cancelWelfareAddition: Procedure = async ({ context, db, entity, records }) => {
  const family = familyOf(context, entity)
  const enrolment = entityOf(context, enrolmentOf(family))
  const ids = records.flatMap((record) => (typeof record.enrolment === 'number' ? [record.enrolment] : []))
  for (const record of records) await changeRecord(context, db, entityOf(context, entity), record, { enrolment: null })
  for (const found of await readAll(
    context,
    db,
    enrolment.name,
    [isAnyOf('id', ids), sql<boolean>`${column('status')} = 'opening'`],
    undefined,
    true,
  ))
    await softDelete(context, db, enrolment, [found.id!])
}

/** Back to what it was before it was handled. @throws Refusal notAllowed where the enrolment has gone on since. */
export const revokeWelfareAddition: Procedure = async ({ context, db, entity, records, before }) => {
  const family = familyOf(context, entity)
  await follow(
    context,
    db,
    family,
    entity,
    records.filter((_, index) => (before?.[index]?.actualBase ?? null) !== null),
  )
  for (const record of records) {
    const [found] = await readAll(
      context,
      db,
      enrolmentOf(family),
      [isAnyOf('id', [record.enrolment as number])],
      ['status'],
    )
    if (found?.status !== 'enrolled')
      throw new Refusal('notAllowed', {
        text: { cn: '该人员的参保状态已变化，不能撤回', en: 'The enrolment has changed since' },
      })
    await refuseLocked(context, db, family, [record.enrolment as number])
    await dropAdditionsBackPayment(context, db, family, record)
    await changeEnrolment(context, db, entityOf(context, enrolmentOf(family)), record, family, {
      status: 'opening',
      feeFrom: null,
    })
    await recomputeOpen(context, db, family, [record.enrolment as number])
  }
}
