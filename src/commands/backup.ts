import './help.ts'
import { parseArgs } from 'node:util'
import { openDatabase } from '../../engine/server/postgres/database.ts'
import { dump } from '../../engine/server/postgres/dump.ts'
import { clearBackups, writeBackup } from '../../engine/server/files/backupFile.ts'
import { openFiles } from '../../engine/server/files/openFiles.ts'

/**
 * `npm run backup -- --to <file or s3://bucket/name?endpoint=…>`: writes all tables, uploaded files and the key of the
 * stored secrets to one file, as of one moment. The server may keep running. The file is encrypted if BACKUP_RECIPIENTS
 * or BACKUP_PASSPHRASE is set. Also reads DATA_DIR, DATABASE_URL and FILES. Exits with 0 if done, 1 if it failed, 2 if
 * called wrongly.
 */

const {
  values: { to },
} = parseArgs({ options: { to: { type: 'string' } } })
if (!to) {
  console.error('Usage: npm run backup -- --to <file>')
  process.exit(2)
}
const dataDir = process.env.DATA_DIR || './data'
try {
  const files = await openFiles(dataDir, process.env)
  const database = await openDatabase({ databaseUrl: process.env.DATABASE_URL, dataDir, share: true, connections: 1 })
  try {
    await clearLeft(to)
    const totals = await writeBackup(to, process.env, (output) => dump(database, files, output))
    console.log(`Backup written to ${to}: ${totals.tables} tables, ${totals.rows} rows, ${totals.files} files.`)
  } finally {
    await database.close()
  }
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}

/** Write access to the bucket is enough for backups. */
async function clearLeft(place: string): Promise<void> {
  try {
    const count = await clearBackups(place, process.env)
    if (count > 0) console.log(`Removed what killed backups had left there: ${count}.`)
  } catch (error) {
    console.error(`What killed backups may have left there cannot be removed: ${(error as Error).message}`)
  }
}
