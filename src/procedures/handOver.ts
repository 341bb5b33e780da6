import { sql } from 'kysely'
import { invalid } from '../../engine/server/errors.ts'
import { writeHistory } from '../../engine/server/history.ts'
import { readOptions } from '../../engine/server/options.ts'
import { main, readStored } from '../../engine/server/read.ts'
import { idsOf } from '../../engine/server/references.ts'
import type { Procedure } from '../../engine/server/runtime.ts'
import { lockRecord } from '../../engine/server/save.ts'
import { updateRecord } from '../../engine/server/write.ts'

/** The fields by which a customer belongs to a user. */
const owners = ['supportStaff', 'salesman'] as const

/**
 * Whoever was responsible for customers hands all of them over to another user, named by `successor`.
 * @throws Refusal invalid.
 */
export const handOver: Procedure = async ({ context, db, records, values }) => {
  const { customer, user } = context.derived.catalog.entities
  const [successor] = idsOf(values.successor)
  const {
    list: [found],
  } =
    successor === undefined
      ? { list: [] }
      : await readOptions(context, db, user, { ids: [successor], page: 1, size: 1 })
  const problem =
    !found || found.disabled
      ? { cn: '业务交接人不存在或已停用', en: 'The successor does not exist or is disabled' }
      : records.some(({ id }) => id === successor)
        ? { cn: '不能移交给本人', en: 'Customers cannot be handed over to the same user' }
        : undefined
  if (problem) throw invalid([{ field: 'successor', code: 'reference', message: problem }])

  // All of them, also those that the user who does it does not see.
  const whole = { ...context, user: { ...context.user, dataScope: 'all' as const } }
  const former = records.map(({ id }) => id!)
  const owned = sql<boolean>`(${sql.join(
    owners.map((name) => sql`${sql.ref(`${main}.${name}`)} = any(${former}::bigint[])`),
    sql` or `,
  )})`
  const customers = await readStored(
    whole,
    db,
    customer,
    [owned, sql<boolean>`${sql.ref(`${main}.deletedAt`)} is null`],
    {
      fields: [customer.display],
      order: sql.ref(`${main}.id`),
    },
  )
  for (const { id } of customers) {
    const old = await lockRecord(whole, db, customer, id!)
    const record = {
      ...old,
      ...Object.fromEntries(
        owners.filter((name) => former.includes(old[name] as number)).map((name) => [name, successor]),
      ),
    }
    await updateRecord(whole, db, customer, record, old, new Set())
    await writeHistory(whole, db, customer, 'assign', record, old)
  }
  for (const record of records) await writeHistory(context, db, user, 'handOver', record, record)
  return { customers: customers.length }
}
