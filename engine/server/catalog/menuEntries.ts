import type { Catalog, RecordData, ScreenPlan } from '../../model/model.ts'
import { invalid } from '../errors.ts'
import { menuFields } from '../identity/identity.ts'
import type { Procedure } from '../runtime.ts'
import { updateRecords } from '../records/write.ts'

/** The screen at an address, with its parameters; undefined if there is none. */
export function screenAt(
  { routes, screens }: Pick<Catalog, 'routes' | 'screens'>,
  address: string,
): { screen: ScreenPlan; given: URLSearchParams } | undefined {
  const [route, query] = address.split('?')
  return Object.hasOwn(routes, route)
    ? { screen: screens[routes[route]], given: new URLSearchParams(query) }
    : undefined
}

/** What is wrong with an entry's address, as a message for its author. */
function problemOf(catalog: Catalog, address: string) {
  const found = screenAt(catalog, address)
  if (!found) return { cn: '没有这个页面', en: 'There is no such page' }
  const missing = found.screen.parameters
    .filter(({ name, required }) => required && !found.given.has(name))
    .map(({ name }) => name)
  return missing.length === 0
    ? undefined
    : { cn: `该页面需要参数${missing.join('、')}`, en: `The page needs ${missing.join(', ')}` }
}

/**
 * After an administrator has saved their own menu entry: its address must lead to a screen with the required
 * parameters, and the entry is shown to users who may open it. @throws Refusal invalid.
 */
export const checkMenuEntry: Procedure = async ({ context, db, entity: name, records }) => {
  const { catalog } = context.derived
  for (const record of records) {
    const address = record[menuFields.route]
    if (typeof address !== 'string') continue
    const message = problemOf(catalog, address)
    if (message) throw invalid([{ field: menuFields.route, code: 'route', message }])
    const { permission } = screenAt(catalog, address)!.screen
    if (record[menuFields.permission] === permission) continue
    const old: RecordData = { ...record }
    record[menuFields.permission] = permission
    await updateRecords(context, db, catalog.entities[name], [{ record, old }])
  }
}
