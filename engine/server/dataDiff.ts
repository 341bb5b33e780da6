import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Catalog, Widget } from '../model/model.ts'
import { systemUser } from './identity/access.ts'
import type { Clock } from './clock.ts'
import type { DataDifference } from './dataDiff/DataDifference.ts'
import { invalidRecords } from './dataDiff/invalidRecords.ts'
import { imports, roles, views } from './dataDiff/removedNames.ts'
import type { Database } from './postgres/database.ts'
import { derive } from './derived.ts'
import { emptyOverlay, refreshOverlay } from './catalog/overlay.ts'
import type { Runtime } from './runtime.ts'
import { usualSafety } from './safety.ts'
import { createSecrets } from './postgres/secrets.ts'
import { createContext } from './identity/session.ts'
import { createUploadedFiles } from './files/UploadedFiles.ts'
import { folderFiles } from './files/folderFiles.ts'
import { planChanges } from './postgres/tables.ts'

export interface DataDiffOptions {
  database: Database
  before: Catalog
  after: Catalog
  widgets: Record<string, Widget>
  clock: Clock
  dataDir: string
}

/**
 * Read-only. Counts the records that are valid by the old files but not by the new ones, the tables whose changes would
 * lose values, and the stored columns of lists, roles and import batches that name something removed.
 * @throws with a sentence if the tables match neither set of files.
 */
export async function diffData({
  database,
  before,
  after,
  widgets,
  clock,
  dataDir,
}: DataDiffOptions): Promise<DataDifference[]> {
  const missing = await missingTables(database, before)
  if (missing.length)
    throw new Error(
      `The database is not that of the files before: it lacks ${missing.slice(0, 5).join(', ')}. Start them on it once, or name the version that runs on it.`,
    )
  const runtime = await readingRuntime({ database, before, widgets, clock, dataDir })
  const context = createContext(runtime, systemUser)
  const { lossy } = await planChanges(database, after.tables)
  return [
    ...(await invalidRecords(context, after)),
    ...lossy.map(({ table, column, why, rows }): DataDifference => ({
      kind: 'lossy',
      of: table,
      count: rows,
      text: `${column}: ${why}`,
    })),
    ...(await views(context, after)),
    ...(await roles(context, after)),
    ...(await imports(context, after)),
  ]
}

async function missingTables(database: Database, { tables }: Catalog): Promise<string[]> {
  const { rows } = await sql<{ table: string; column: string }>`select table_name as "table", column_name as "column"
    from information_schema.columns where table_schema = 'public'`.execute(database.kysely)
  const there = new Set(rows.flatMap(({ table, column }) => [table, `${table}.${column}`]))
  return Object.values(tables)
    .flatMap(({ name, columns }) => (there.has(name) ? columns.map((column) => `${name}.${column.name}`) : [name]))
    .filter((name) => !there.has(name))
}

/**
 * The parts of a server that reading needs. Nothing is written, encrypted or decrypted here, so the key need not be the
 * server's.
 */
async function readingRuntime({
  database,
  before,
  widgets,
  clock,
  dataDir,
}: Omit<DataDiffOptions, 'after'>): Promise<Runtime> {
  const runtime: Runtime = {
    derived: derive(before, widgets),
    overlay: emptyOverlay,
    widgets,
    database,
    clock,
    procedures: {},
    documents: [],
    collation: null,
    uploads: createUploadedFiles(folderFiles(dataDir)),
    secrets: createSecrets(randomBytes(32)),
    safety: usualSafety,
    created: async () => undefined,
    workers: new Set(),
    wakeWorkers: () => undefined,
    refresh: (found) => refreshOverlay(runtime, found),
    follow: () => undefined,
  }
  await refreshOverlay(runtime)
  return runtime
}
