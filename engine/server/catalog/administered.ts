import { systemUser } from '../identity/access.ts'
import { mirrorDictionaries } from './dictionaries.ts'
import { mirrorMenu } from './menuTree.ts'
import { refreshOverlay } from './overlay.ts'
import type { Runtime } from '../runtime.ts'
import { createContext } from '../identity/session.ts'
import { applySingles } from './singles.ts'
import { changeTables } from '../postgres/changeTables.ts'

/** Synchronises the records of settings, menu and dictionaries with the catalog, then reads them. */
export async function applyAdministered(runtime: Runtime): Promise<void> {
  await changeTables(runtime.database, async (db) => {
    const context = createContext(runtime, systemUser)
    await applySingles(context, db)
    await mirrorDictionaries(context, db)
    await mirrorMenu(context, db)
  })
  await refreshOverlay(runtime)
}
