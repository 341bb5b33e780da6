import type { Database } from './database.ts'
import { quote } from './quote.ts'
import type { LaterIndex } from './TableDraft.ts'

/**
 * Builds indexes of large tables while others go on writing. Skips those that another process is building; unfinished
 * ones are built at the next start.
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
      // An index whose build was interrupted remains, but is not used.
      const { rowCount } = await client.query(
        'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
        [quote(name)],
      )
      if (rowCount) await client.query(`drop index concurrently ${quote(name)}`)
      await client.query(statement.replace(/^create index /, 'create index concurrently if not exists '))
    }
  } finally {
    // The lock and the settings end with the session.
    client.release(true)
  }
}
