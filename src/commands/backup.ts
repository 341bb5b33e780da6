import { createWriteStream, openSync, renameSync, rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { openDatabase } from '../../engine/server/database.ts'
import { dump } from '../../engine/server/dump.ts'

/**
 * `npm run backup -- --to <file>`: all tables, uploaded files and the key of the stored secrets, in one file, of one
 * moment. The server may run meanwhile. Reads DATA_DIR and DATABASE_URL. Ends with 0 done, 1 failed, 2 wrongly called.
 */

const {
  values: { to },
} = parseArgs({ options: { to: { type: 'string' } } })
if (!to) {
  console.error('Usage: npm run backup -- --to <file>')
  process.exit(2)
}
const dataDir = process.env.DATA_DIR || './data'
const draft = `${to}.${process.pid}`
try {
  const database = await openDatabase({ databaseUrl: process.env.DATABASE_URL, dataDir, share: true, connections: 1 })
  try {
    // It holds personal data, and the key: for nobody else's eyes. It gets its name when it is whole.
    const output = createWriteStream(draft, { fd: openSync(draft, 'w', 0o600), flush: true })
    const { tables, rows, files } = await dump(database, dataDir, output)
    renameSync(draft, to)
    console.log(`Backup written to ${to}: ${tables} tables, ${rows} rows, ${files} files.`)
  } finally {
    await database.close()
  }
} catch (error) {
  rmSync(draft, { force: true })
  console.error((error as Error).message)
  process.exitCode = 1
}
