/**
 * A process that works on imports and background calls, a few rows at a time, until it is killed: `importProcess.ts
 * <database> <dataDir> <catalog as JSON>`. It waits for a signal to begin.
 */
import { readFileSync } from 'node:fs'
import type { Catalog } from '../engine/model/model.ts'
import { createClock } from '../engine/server/clock.ts'
import { openDatabase } from '../engine/server/postgres/database.ts'
import { createCallWorker } from '../engine/server/jobs/callWorker.ts'
import { createImportWorker } from '../engine/server/imports/importWorker.ts'
import { prepareRuntime } from '../engine/server/prepare.ts'
import { widgets } from '../engine/widgets/index.ts'

const [databaseUrl, dataDir, file] = process.argv.slice(2)
const catalog = JSON.parse(readFileSync(file, 'utf8')) as Catalog
const database = await openDatabase({ databaseUrl, dataDir })
const runtime = await prepareRuntime({ catalog, widgets, database, dataDir, clock: createClock('2026-03-15') })
const worker = createImportWorker(runtime, { log: console.error, chunk: 50 })
const calls = createCallWorker(runtime, { log: console.error })
process.stdin.once('data', () => {
  worker.start()
  calls.start()
})
console.log('ready')
