import { sql } from 'kysely'
import type { Settings } from '../../expression/index.ts'
import { systemUser } from '../identity/access.ts'
import type { Derived } from '../derived.ts'
import { overlaidDictionaries } from './dictionaries.ts'
import { overlaidMenu } from './menuTree.ts'
import { overlayVersion } from '../records/overlayVersion.ts'
import { readStored } from '../records/reading/read.ts'
import type { Context, Db, Overlay, Runtime } from '../runtime.ts'
import { canonicalRecord } from '../records/reading/canonical.ts'

/** Before the first read: versions of a database start at 1. */
export const emptyOverlay: Overlay = { version: 0, settings: {}, menu: [] }

/** Other schema files are in force now, so the overlay is reread with the next request at the latest. */
export function goBy(runtime: Runtime, derived: Derived): void {
  runtime.derived = derived
  runtime.overlay = { ...runtime.overlay, version: emptyOverlay.version }
}

/**
 * Reads the current settings, but given the version from a request only if it differs.
 * @param db the transaction, if one is open
 */
export async function refreshOverlay(
  runtime: Runtime,
  found?: number,
  db: Db = runtime.database.kysely,
): Promise<void> {
  if (found !== undefined && found === runtime.overlay.version) return
  const { derived } = runtime
  const context: Context = {
    runtime,
    derived,
    settings: {},
    menu: [],
    user: systemUser,
    language: derived.catalog.app.languages[0],
    now: runtime.clock.now(),
  }
  // Read before the records, so that what is saved in between is read again rather than missed.
  const version = await overlayVersion(db)
  const [settings, dictionaries, menu] = [
    await readSettings(context, db),
    await overlaidDictionaries(context, db),
    await overlaidMenu(context, db),
  ]
  // Another catalog has been swapped in since.
  if (runtime.derived.declared !== derived.declared) return refreshOverlay(runtime, undefined, db)
  runtime.derived = { ...derived, catalog: { ...derived.catalog, dictionaries } }
  runtime.overlay = { version, settings, menu }
}

async function readSettings(context: Context, db: Db): Promise<Settings> {
  const settings: Record<string, Settings[string]> = {}
  for (const entity of Object.values(context.derived.catalog.entities).filter(({ single }) => single)) {
    const [record] = await readStored(context, db, entity, [sql<boolean>`"deletedAt" is null`], { rows: true })
    if (!record) continue
    const open = Object.entries(canonicalRecord(context, entity, record)).filter(([name]) => {
      const field = Object.hasOwn(entity.fields, name) ? entity.fields[name] : undefined
      return !field || (!field.sensitive && !context.derived.widget(field).protect)
    })
    settings[entity.name] = Object.fromEntries(open)
  }
  return settings
}
