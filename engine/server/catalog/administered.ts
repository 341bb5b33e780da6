import { isSameJson } from '../../schema/isSameJson.ts'
import type { Derived } from '../derived.ts'
import { systemUser } from '../identity/access.ts'
import { ownLanguage } from './administeredLabel.ts'
import { mirrorDictionaries } from './dictionaries.ts'
import { declaredEntries, mirrorMenu } from './menuTree.ts'
import { refreshOverlay } from './overlay.ts'
import type { Runtime } from '../runtime.ts'
import { createContext } from '../identity/session.ts'
import { applySingles } from './singles.ts'
import { changeTables } from '../postgres/changeTables.ts'

const singlesOf = ({ catalog }: Derived) => Object.values(catalog.entities).filter(({ single }) => single)
const entriesOf = ({ catalog }: Derived) => declaredEntries(catalog)

/**
 * Synchronises the records of settings, menu and dictionaries with the catalog, then reads them.
 * @param former the catalog that they follow, if one is known: then only what differs from it is synchronised
 */
export async function applyAdministered(runtime: Runtime, former?: Derived): Promise<void> {
  const { derived } = runtime
  const differs = (part: (derived: Derived) => unknown) => !former || !isSameJson(part(derived), part(former))
  const singles = differs(singlesOf)
  const menu = differs(entriesOf)
  const names = Object.keys({ ...former?.declared, ...derived.declared }).filter((name) =>
    differs(({ catalog, declared }) => [ownLanguage(catalog.app), declared[name]]),
  )
  if (singles || menu || names.length > 0)
    await changeTables(runtime.database, async (db) => {
      const context = createContext(runtime, systemUser)
      if (singles) await applySingles(context, db)
      if (names.length > 0) await mirrorDictionaries(context, db, former && names)
      if (menu) await mirrorMenu(context, db)
    })
  await refreshOverlay(runtime)
}
