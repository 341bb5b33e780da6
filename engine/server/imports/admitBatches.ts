import { sql } from 'kysely'
import { Refusal } from '../errors.ts'
import type { Context, Db } from '../runtime.ts'
import { jobTable } from './importTables.ts'

/** How many imports of one user may be under way: read, written or undone. */
const mostUnderWay = 20

/**
 * Keeps one user's imports from delaying everybody else's.
 * @param users for each batch about to begin, the user for whom it runs
 * @throws Refusal importsUnderWay.
 */
export async function admitBatches({ derived }: Pick<Context, 'derived'>, db: Db, users: readonly number[]) {
  // In order, or two requests about the same users would wait for each other.
  for (const user of [...new Set(users)].toSorted((a, b) => a - b)) {
    await sql`select pg_advisory_xact_lock(hashtext('imports under way'), ${user})`.execute(db)
    const { rows } = await sql<{ count: number }>`select count(*)::integer as count from ${sql.table(jobTable)}
      where phase <> 'done' and by_user = ${user} and entity = any(${[...derived.imports.keys()]}::text[])`.execute(db)
    if (rows[0].count + users.filter((each) => each === user).length > mostUnderWay)
      throw new Refusal('importsUnderWay', { parameters: { limit: mostUnderWay } })
  }
}
