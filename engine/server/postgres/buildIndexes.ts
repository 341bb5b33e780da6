import type { Database } from './database.ts'
import { quote } from './quote.ts'
import type { LaterIndex } from './tables.ts'

/**
 * Builds indexes of large tables while others go on writing. Another process that builds them already is left to it;
 * what is not finished is built at the next start.
 */
export async function buildIndexes({ pool }: Pick<Database, 'pool'>, indexes: readonly LaterIndex[]): Promise<void> {
  if (indexes.length === 0) return
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0; set lock_timeout = 0')
    const {
      rows: [{ mine }],
    } = await client.query<{ mine: boolean }>(
      "select pg_try_advisory_lock(hashtext('formwork'), hashtext('indexes')) as mine",
    )
    if (!mine) return
    for (const { name, statement } of indexes) {
      // One that was broken off stands there and serves nobody.
      const { rowCount } = await client.query(
        'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
        [quote(name)],
      )
      if (rowCount) await client.query(`drop index concurrently ${quote(name)}`)
      await client.query(statement.replace(/^create index /, 'create index concurrently if not exists '))
    }
  } finally {
    // The lock and the settings go with the session.
    client.release(true)
  }
}
