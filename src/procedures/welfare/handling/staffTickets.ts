import { sql } from 'kysely'
import { Refusal } from '../../../../engine/server/errors.ts'
import type { Context, Db, Procedure } from '../../../../engine/server/runtime.ts'
import { createRecord } from '../../../../engine/server/save.ts'
import type { RecordData, Value } from '../../../../engine/schema/model.ts'
import { asWhole, changeRecord, column, entityOf, isAnyOf, readAll } from '../../settlement/stored.ts'
import { cancelWelfareAddition } from './additions.ts'
import { additionOf, enrolmentOf, familiesOf, reductionOf, type Family } from './family.ts'
import { fitted, fittingFor } from './fitting.ts'
import { cancelWelfareReduction, reasonFor } from './reductions.ts'

/** Whoever joins is to be insured: a ticket of each family that takes them, where a policy and an account fit. */
export const openAdditions: Procedure = async ({ context, db, records }) => {
  for (const family of familiesOf(context)) {
    const { workerKinds, employmentForms } = family.eligibility
    const takes = (person: RecordData) => (!workerKinds?.length || workerKinds.includes(String(person.workerKind))) && (!employmentForms?.length || employmentForms.includes(String(person.employmentForm)))
    const joining = records.filter((person) => person.employmentStatus !== 'cancelled' && takes(person))
    const fitting = await fittingFor(context, db, family, joining.map(({ id }) => id!))
    const addition = entityOf(context, additionOf(family))
    for (const { id } of joining) {
      const { city, startMonth, declaredBase, account } = fitted(fitting, { person: id! })
      if (account === undefined || account === null) continue
      await attempt(context, db, addition.name, { person: id!, city, startMonth, additionType: addition.fields.additionType.default!, ...declaredBase !== undefined && { declaredBase } })
    }
  }
}

/** Whoever leaves is to be taken off: a ticket of each family in which they are enrolled. */
export const openReductions: Procedure = async ({ context, db, records }) => {
  for (const family of familiesOf(context)) {
    const enrolled = await readAll(context, db, enrolmentOf(family), [isAnyOf('person', records.map(({ id }) => id!)), sql<boolean>`${column('status')} = 'enrolled'`], ['person', 'startMonth'])
    for (const { person: id, startMonth } of enrolled) {
      const person = records.find((one) => one.id === id)!
      const lastMonth = String(person.leaveDate ?? context.now).slice(0, 7)
      await attempt(context, db, reductionOf(family), {
        person: id!, reductionReason: reasonFor(family, person.leaveReason), leaveDate: person.leaveDate ?? null, lastMonth: lastMonth < String(startMonth) ? startMonth! : lastMonth,
      })
    }
  }
}

/** As the system, whoever adds the person: where the family refuses, somebody opens the ticket by hand. */
async function attempt(context: Context, db: Db, name: string, values: Record<string, Value>): Promise<void> {
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
  }
}

/** What was opened for somebody who does not come after all, and is not under way yet, is cancelled. */
export const dropAdditions: Procedure = (call) => drop(call, additionOf, cancelWelfareAddition)
/** The same for whoever stays. */
export const dropReductions: Procedure = (call) => drop(call, reductionOf, cancelWelfareReduction)

async function drop(call: Parameters<Procedure>[0], nameOf: (family: Family) => string, follow: Procedure): Promise<void> {
  const { context, db, records } = call
  for (const family of familiesOf(context)) {
    const entity = entityOf(context, nameOf(family))
    const open = await readAll(context, db, entity.name, [isAnyOf('person', records.map(({ id }) => id!)), sql<boolean>`${column('status')} in ('pending', 'returned', 'failed')`], undefined, true)
    for (const ticket of open) await changeRecord(context, db, entity, ticket, { status: 'cancelled' })
    if (open.length > 0) await follow({ ...call, entity: entity.name, records: open })
  }
}
