import { sql } from 'kysely'
import type { Catalog, Widget } from '../model/model.ts'
import type { Clock } from './clock.ts'
import { giveFirstPassword, givePassword, resetPassword } from './accounts/credentials.ts'
import type { Database } from './postgres/database.ts'
import { derive } from './derived.ts'
import { putInForce } from './generation.ts'
import { createThrottleTable } from './accounts/throttle.ts'
import { userEntity } from './identity/identity.ts'
import { importProcedures } from './imports/importActions.ts'
import { addBatch } from './imports/importBatches.ts'
import { createImportTables } from './imports/importTables.ts'
import { applyAdministered } from './catalog/administered.ts'
import { applyFormulas } from './catalog/applyFormulas.ts'
import { checkMenuEntry } from './catalog/menuEntries.ts'
import { applyPresets } from './catalog/presets.ts'
import { type Safety, usualSafety } from './safety.ts'
import { emptyOverlay, refreshOverlay } from './catalog/overlay.ts'
import type { Procedure, Runtime } from './runtime.ts'
import { checkSecretKey } from './postgres/secretCheck.ts'
import { createSecrets, secretKey } from './postgres/secrets.ts'
import { createUploadedFiles } from './files/UploadedFiles.ts'
import type { FileStore } from './files/FileStore.ts'
import { folderFiles } from './files/folderFiles.ts'
import { sharedKey } from './postgres/sharedKey.ts'
import { createSystemTables } from './postgres/system.ts'

export interface RuntimeOptions {
  catalog: Catalog
  widgets: Record<string, Widget>
  database: Database
  clock: Clock
  /** The folder of uploaded files and the secret key, unless `files` names a store. */
  dataDir: string
  files?: FileStore
  procedures?: Record<string, Procedure>
  origins?: Runtime['origins']
  documents?: Runtime['documents']
  /** The password of new users and after a reset; if absent, a random one that is returned once. */
  defaultPassword?: string
  /** Key of the stored secrets, base64; by default the one stored with the files. */
  key?: string
  safety?: Safety
  /** Puts the schema files in force even if others have replaced them since. */
  takeSchemas?: boolean
}

/** Adapts the database to the catalog, including its preset records. @throws LossyChangesError. */
export async function prepareRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { catalog, widgets, database, takeSchemas } = options
  const runtime = await createRuntime(options)
  await createSystemTables(database)
  await checkSecretKey({ database, secrets: runtime.secrets, catalog, widgets })
  await createThrottleTable(database)
  await createImportTables(database)
  runtime.derived.generation = await putInForce({ database, catalog, take: takeSchemas })
  await applyPresets(runtime)
  await applyAdministered(runtime)
  await applyFormulas(runtime)
  return runtime
}

/** For a database that is only read. */
export async function createRuntime({
  catalog,
  widgets,
  database,
  clock,
  dataDir,
  files = folderFiles(dataDir),
  procedures,
  origins,
  documents = [],
  defaultPassword,
  key,
  safety = usualSafety,
}: RuntimeOptions): Promise<Runtime> {
  const { rows } = await sql`select 1 from pg_collation where collname = 'zh-x-icu'`.execute(database.kysely)
  const runtime: Runtime = {
    derived: derive(catalog, widgets),
    overlay: emptyOverlay,
    widgets,
    database,
    clock,
    uploads: createUploadedFiles(files),
    secrets: createSecrets(
      key === undefined && files.isShared ? await sharedKey(database, files, dataDir) : secretKey(dataDir, key),
    ),
    safety,
    procedures: {
      resetPassword: resetPassword(defaultPassword),
      giveFirstPassword: giveFirstPassword(defaultPassword),
      checkMenuEntry,
      ...importProcedures,
      ...procedures,
    },
    async created(context, db, entity, id) {
      const plan = context.derived.imports.get(entity)
      if (plan) await addBatch(context, db, plan, id)
      // A generated password is shown to the user who added the account.
      if (entity !== userEntity) return {}
      const password = await givePassword(context.runtime, db, id, defaultPassword)
      return password === undefined ? {} : { password }
    },
    workers: new Set(),
    wakeWorkers: () => runtime.workers.forEach((wake) => wake()),
    refresh: (found) => refreshOverlay(runtime, found),
    follow: () => undefined,
    origins,
    documents,
    collation: rows.length > 0 ? 'zh-x-icu' : null,
  }
  return runtime
}
