import { sql } from 'kysely'
import { invalid, Refusal } from '../../../../engine/server/errors.ts'
import type { Context, Db, Procedure } from '../../../../engine/server/runtime.ts'
import { createRecord } from '../../../../engine/server/save.ts'
import type { RecordData, Value } from '../../../../engine/schema/model.ts'
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
import { cancelWelfareReduction, reasonFor } from './reductions.ts'

/**
 * Whoever joins is to be insured: a ticket of each family that their record says, or that takes them, where a policy
 * and an account fit. It has what was said of it at the entry; from then on the ticket tells that. @throws Refusal
 * invalid, at the person's field that is wrong.
 */
export const openAdditions: Procedure = async ({ context, db, records }) => {
  const families = familiesOf(context)
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
      const { city, startMonth, declaredBase, account } = fitted(fitting, { person: person.id!, ...plan })
      if (account === undefined || account === null) continue
      const values = {
        person: person.id!,
        additionType: addition.fields.additionType.default!,
        city,
        startMonth,
        ...(declaredBase !== undefined && { declaredBase }),
        ...plan,
      }
      await attempt(context, db, addition.name, values, (name) =>
        name in plan ? plannedField(family, name) : undefined,
      )
    }
  }
  const entered = families.flatMap((family) =>
    ['needed', ...planNames(family), ...leaveNames].map((name) => plannedField(family, name)),
  )
  await forget(context, db, records, entered)
}

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
 * Whoever leaves is to be taken off: a ticket of each family in which they are enrolled.
 * @throws Refusal invalid, as `openAdditions`.
 */
export const openReductions: Procedure = async ({ context, db, records }) => {
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
        sql<boolean>`${column('status')} = 'enrolled'`,
      ],
      ['person', 'startMonth'],
    )
    for (const { person: id, startMonth } of enrolled) {
      const person = records.find((one) => one.id === id)!
      const [lastMonth, reason] = leaveNames.map((name) => person[plannedField(family, name)] ?? null)
      const leaving = String(person.leaveDate ?? context.now).slice(0, 7)
      await attempt(
        context,
        db,
        reductionOf(family),
        {
          person: id!,
          reductionReason: reason ?? reasonFor(family, person.leaveReason),
          leaveDate: person.leaveDate ?? null,
          lastMonth: lastMonth ?? (leaving < String(startMonth) ? startMonth! : leaving),
        },
        (name) => (name === 'lastMonth' && lastMonth !== null ? plannedField(family, name) : undefined),
      )
    }
  }
}

/**
 * As the system, whoever adds the person: where the family refuses, somebody opens the ticket by hand, unless what it
 * refuses was said of the person: `fieldOf` tells in which field. @throws Refusal invalid.
 */
async function attempt(
  context: Context,
  db: Db,
  name: string,
  values: Record<string, Value>,
  fieldOf: (field: string) => string | undefined,
): Promise<void> {
  const whole = asWhole(context)
  const entity = entityOf(context, name)
  await sql`savepoint ticket`.execute(db)
  try {
    const { id } = await createRecord({ ...whole, user: { ...whole.user, permissions: ['*:*:*'] } }, db, entity, values)
    const [ticket] = await readAll(context, db, name, [isAnyOf('id', [id])], undefined, true)
    await changeRecord(context, db, entity, ticket, { source: 'person' })
    // One is open at a time, however many people are in a file.
    await sql`release savepoint ticket`.execute(db)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await sql`rollback to savepoint ticket; release savepoint ticket`.execute(db)
    const said = (error.problems ?? []).flatMap((problem) => {
      const field = fieldOf(problem.field)
      return field === undefined ? [] : [{ ...problem, field }]
    })
    if (said.length > 0) throw invalid(said)
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
    familiesOf(call.context).flatMap((family) => leaveNames.map((name) => plannedField(family, name))),
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
