import { sql, type Kysely } from 'kysely'
import type { Database } from './database.ts'
import type { Tables } from '../db.ts'

/** The advisory lock that every writing work holds shared, and a change of tables exclusively. */
export const generationLock = sql`hashtext('formwork'), hashtext('generation')`

const mostAttempts = 5
/** Milliseconds to wait for the exclusive lock at a time: new works queue behind the waiting process. */
const patience = 1_000

/**
 * Runs `work` in one transaction without time limits, while no other server on this database changes tables or writes
 * works. Restarts after a deadlock with something that is not a work, such as a sign-in. Short works may pass while a
 * long one is running.
 */
export async function changeTables<T>(
  database: Database,
  work: (transaction: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ;) {
    try {
      return await database.kysely.transaction().execute(async (transaction) => {
        for (const limit of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
          await sql.raw(`set local ${limit} = 0`).execute(transaction)
        await sql`select pg_advisory_xact_lock(hashtext('formwork'), hashtext('tables'))`.execute(transaction)
        await sql.raw(`set local lock_timeout = ${patience}`).execute(transaction)
        await sql`select pg_advisory_xact_lock(${generationLock})`.execute(transaction)
        await sql.raw('set local lock_timeout = 0').execute(transaction)
        return work(transaction)
      })
    } catch (error) {
      const { code } = error as { code?: string }
      if (code === '55P03') continue
      if (attempt++ === mostAttempts || code !== '40P01') throw error
    }
  }
}
