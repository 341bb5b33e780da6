import './help.ts'
import { parseArgs } from 'node:util'
import { openDatabase } from '../../engine/server/postgres/database.ts'
import { restore } from '../../engine/server/postgres/restore.ts'
import { readBackup } from '../../engine/server/files/backupFile.ts'
import { openFiles } from '../../engine/server/files/openFiles.ts'

/**
 * `npm run restore -- --from <file or s3://bucket/name?endpoint=…> [--replace]`: restores what `backup` wrote, all or
 * nothing; without `--replace`, only where there is no data yet. Stop the servers first. Reads DATA_DIR, DATABASE_URL and
 * FILES, and for an encrypted backup BACKUP_IDENTITY or BACKUP_PASSPHRASE. Exits with 0 if done, 1 if refused or failed,
 * 2 if called wrongly.
 */

const {
  values: { from, replace },
} = parseArgs({ options: { from: { type: 'string' }, replace: { type: 'boolean' } } })
if (!from) {
  console.error('Usage: npm run restore -- --from <file> [--replace]')
  process.exit(2)
}
const dataDir = process.env.DATA_DIR || './data'
try {
  const store = await openFiles(dataDir, process.env)
  const database = await openDatabase({ databaseUrl: process.env.DATABASE_URL, dataDir, connections: 1 })
  try {
    const { rowCount } = await database.pool.query(`select from pg_stat_activity
      where datname = current_database() and application_name = 'formwork' and pid <> pg_backend_pid()`)
    if (rowCount) throw new Error(`Servers are working on this database (connections: ${rowCount}). Stop them first.`)
    const { tables, rows, files } = await restore(database, store, {
      from,
      content: await readBackup(from, process.env),
      replace,
    })
    console.log(`Restored from ${from}: ${tables} tables, ${rows} rows, ${files} files.`)
  } finally {
    await database.close()
  }
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
