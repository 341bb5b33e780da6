import { sql } from 'kysely'
import { invalid, Refusal } from '../../../../engine/server/errors.ts'
import type { Context, Db, Procedure } from '../../../../engine/server/runtime.ts'
import { createRecord } from '../../../../engine/server/records/save.ts'
import { attemptWithin } from '../../../../engine/server/records/Work.ts'
import type { Label, RecordData, Value } from '../../../../engine/schema/model.ts'
import { asWhole, changeRecord, column, entityOf, isAnyOf, readAll } from '../../settlement/stored.ts'
import { cancelWelfareAddition } from './additions.ts'
import {
  additionOf,
  enrolmentOf,
  familiesOf,
  leaveNames,
  plannedField,
  planNames,
  reductionOf,
  type Family,
} from './family.ts'
import { fitted, fittingFor } from './fitting.ts'
import { tellMissing, type Missing } from './missingTickets.ts'
import { cancelWelfareReduction, reasonFor } from './reductions.ts'

/**
 * Whoever joins is to be insured: a ticket of each family that their record says, or that takes them. It has what was
 * said of it at the entry; from then on the ticket tells that. Where none can be made, whoever handles them is told.
 * @throws Refusal invalid, at the person's field that is wrong.
 */
export const openAdditions: Procedure = async ({ context, db, records }) => {
  const families = familiesOf(context)
  const missing: Missing[] = []
  for (const family of families) {
    const joining = records.filter(
      (person) =>
        person.employmentStatus !== 'cancelled' &&
        (person[plannedField(family, 'needed')] ?? takes(family, person)) === true,
    )
    const fitting = await fittingFor(
      context,
      db,
      family,
      joining.map(({ id }) => id!),
    )
    const addition = entityOf(context, additionOf(family))
    for (const person of joining) {
      const plan = planOf(family, person)
      const { city, startMonth, declaredBase, policy, account } = fitted(fitting, { person: person.id!, ...plan })
      if ((account ?? null) === null) {
        missing.push({ person, family, reasons: [(policy ?? null) === null ? noPolicy : noAccount] })
        continue
      }
      const values = {
        person: person.id!,
        additionType: addition.fields.additionType.default!,
        city,
        startMonth,
        ...(declaredBase !== undefined && { declaredBase }),
        ...plan,
        ...saidOf(family, 'entry', person),
      }
      const fieldOf = (name: string) =>
        name in plan ? plannedField(family, name) : saidField(family, 'entry', person, name)
      const reasons = await attempt({ context, db }, addition.name, values, fieldOf)
      if (reasons) missing.push({ person, family, reasons })
    }
  }
  const entered = families.flatMap((family) => [
    ...['needed', ...planNames(family), ...leaveNames].map((name) => plannedField(family, name)),
    ...family.said.entry.fields.map(({ name }) => name),
    ...family.said.leave.fields.map(({ name }) => name),
  ])
  await forget(context, db, records, entered)
  await tellMissing(context, db, 'addition', missing)
}

const noPolicy: Label = { cn: '参保城市没有生效的政策', en: 'no policy is in force in the city' }
const noAccount: Label = { cn: '该政策没有适用的单位账户', en: 'the policy has no account that fits' }
const stillOpen: Label = {
  cn: '增员任务尚未办结，请先撤销或办结',
  en: 'the addition is still open: cancel or finish it first',
}

/** What a person's record says of the ticket's extra fields. */
const saidOf = (family: Family, moment: 'entry' | 'leave', person: RecordData): Record<string, Value> =>
  Object.fromEntries(
    family.said[moment].fields
      .map(({ key, name }): [string, Value] => [key, (person[name] ?? null) as Value])
      .filter(([, value]) => value !== null),
  )

/** The person's field in which an extra field was said; undefined where nothing was. */
const saidField = (family: Family, moment: 'entry' | 'leave', person: RecordData, key: string): string | undefined =>
  family.said[moment].fields.find((field) => field.key === key && (person[field.name] ?? null) !== null)?.name

export const takes = ({ eligibility: { workerKinds, employmentForms } }: Family, person: RecordData): boolean =>
  (!workerKinds?.length || workerKinds.includes(String(person.workerKind))) &&
  (!employmentForms?.length || employmentForms.includes(String(person.employmentForm)))

/** What a person's record says of the family's ticket. Whoever names a rate or a tier of an item takes part in it. */
export function planOf(family: Family, person: RecordData): Record<string, Value> {
  const said = Object.fromEntries(
    planNames(family)
      .map((name) => [name, person[plannedField(family, name)] ?? null])
      .filter(([, value]) => value !== null && value !== false),
  ) as Record<string, Value>
  const chosen = family.items.filter(
    ({ key, mandatory }) =>
      !mandatory && [`${key}CompanyRate`, `${key}PersonalRate`, `${key}Tier`].some((name) => name in said),
  )
  return { ...said, ...Object.fromEntries(chosen.map(({ key }) => [`${key}On`, true])) }
}

/**
 * What is only said at an entry is not kept with the person, nor what was said at a leave before it or that does not
 * come.
 */
async function forget(
  context: Context,
  db: Db,
  records: readonly RecordData[],
  fields: readonly string[],
): Promise<void> {
  const person = entityOf(context, 'person')
  for (const record of records) {
    const said = fields.filter((field) => (record[field] ?? null) !== null)
    if (said.length > 0)
      await changeRecord(context, db, person, record, Object.fromEntries(said.map((field) => [field, null])))
  }
}

/**
 * Whoever leaves is to be taken off: a ticket of each family in which they are enrolled. Where none can be made, whoever
 * handles them is told. @throws Refusal invalid, as `openAdditions`.
 */
export const openReductions: Procedure = async ({ context, db, records }) => {
  const missing: Missing[] = []
  for (const family of familiesOf(context)) {
    const enrolled = await readAll(
      context,
      db,
      enrolmentOf(family),
      [
        isAnyOf(
          'person',
          records.map(({ id }) => id!),
        ),
        sql<boolean>`${column('status')} in ('opening', 'enrolled')`,
      ],
      ['person', 'startMonth', 'status'],
    )
    for (const { person: id, startMonth, status } of enrolled) {
      const person = records.find((one) => one.id === id)!
      if (status === 'opening') {
        missing.push({ person, family, reasons: [stillOpen] })
        continue
      }
      const [lastMonth, reason] = leaveNames.map((name) => person[plannedField(family, name)] ?? null)
      const leaving = String(person.leaveDate ?? context.now).slice(0, 7)
      const values = {
        person: id!,
        reductionReason: reason ?? reasonFor(family, person.leaveReason),
        leaveDate: person.leaveDate ?? null,
        lastMonth: lastMonth ?? (leaving < String(startMonth) ? startMonth! : leaving),
        ...saidOf(family, 'leave', person),
      }
      const fieldOf = (name: string) =>
        name === 'lastMonth' && lastMonth !== null
          ? plannedField(family, name)
          : saidField(family, 'leave', person, name)
      const reasons = await attempt({ context, db }, reductionOf(family), values, fieldOf)
      if (reasons) missing.push({ person, family, reasons })
    }
  }
  await tellMissing(context, db, 'reduction', missing)
}

/**
 * As the system, whoever adds the person. What an extra field still lacks is no refusal: such a ticket is to be
 * completed. `fieldOf` tells in which field of the person something was said: what the family refuses of that is
 * refused there. @returns why the family refuses all else. @throws Refusal invalid.
 */
async function attempt(
  { context, db }: { context: Context; db: Db },
  name: string,
  values: Record<string, Value>,
  fieldOf: (field: string) => string | undefined,
): Promise<Label[] | undefined> {
  const whole = asWhole(context)
  const entity = entityOf(context, name)
  const everything = { ...whole, user: { ...whole.user, permissions: ['*:*:*'] } }
  try {
    await attemptWithin({ context, db }, () =>
      createRecord({ context: everything, db }, entity, values, { set: { source: 'person' } }),
    )
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const problems = error.problems ?? []
    const said = problems.flatMap((problem) => {
      const field = fieldOf(problem.field)
      return field === undefined ? [] : [{ ...problem, field }]
    })
    if (said.length > 0) throw invalid(said)
    return problems.length > 0 ? problems.map(({ message }) => message) : [error.text]
  }
}

/** What was opened for somebody who does not come after all, and is not under way yet, is cancelled. */
export const dropAdditions: Procedure = (call) => drop(call, additionOf, cancelWelfareAddition)
/** The same for whoever stays. */
export const dropReductions: Procedure = async (call) => {
  await drop(call, reductionOf, cancelWelfareReduction)
  await forget(
    call.context,
    call.db,
    call.records,
    familiesOf(call.context).flatMap((family) => [
      ...leaveNames.map((name) => plannedField(family, name)),
      ...family.said.leave.fields.map(({ name }) => name),
    ]),
  )
}

async function drop(
  call: Parameters<Procedure>[0],
  nameOf: (family: Family) => string,
  follow: Procedure,
): Promise<void> {
  const { context, db, records } = call
  for (const family of familiesOf(context)) {
    const entity = entityOf(context, nameOf(family))
    const open = await readAll(
      context,
      db,
      entity.name,
      [
        isAnyOf(
          'person',
          records.map(({ id }) => id!),
        ),
        sql<boolean>`${column('status')} in ('pending', 'returned', 'failed')`,
      ],
      undefined,
      true,
    )
    for (const ticket of open) await changeRecord(context, db, entity, ticket, { status: 'cancelled' })
    if (open.length > 0) await follow({ ...call, entity: entity.name, records: open })
  }
}
