import { filterValues } from '../../model/model.ts'
import type { AssembleScope, DeclaredScreen, FilterValue } from '../../model/model.ts'
import { startsNarrowed } from '../list/startsNarrowed.ts'
import type { ListFile } from '../list/listShape.ts'
import type { TabsFile } from '../tabs/tabs.ts'

/** Its own route, or that of the screen that has it as a tab. */
export function routeOf(name: string, scope: AssembleScope): string | undefined {
  const { route, entity } = scope.screen(name)!
  if (route !== undefined || entity === undefined) return route
  for (const host of scope.screensOf(entity, 'tabs')) {
    const tab = (host.file as DeclaredScreen['file'] & TabsFile).tabs.find(({ screen }) => screen === name)
    if (tab && host.route !== undefined) return `${host.route}?part=${tab.name}`
  }
  return undefined
}

/**
 * The tab with exactly this filter, else one `f.<field>` for each field, in an unfiltered tab if the list would open
 * another.
 */
export function addressOf(
  route: string,
  filters: Record<string, FilterValue>,
  file: ListFile,
  unlisted: (field: string) => void,
): string {
  const wanted = JSON.stringify(filters)
  const tab = file.tabs.find((tab) => JSON.stringify(filterValues(tab.filter)) === wanted)
  // The list would show all of them.
  if (!tab)
    Object.keys(filters)
      .filter((name) => !file.filters.some(({ field }) => field === name))
      .forEach(unlisted)
  const isOpen = ({ filter }: ListFile['tabs'][number]) => Object.keys(filter).length === 0
  const whole = file.tabs.length > 0 && !isOpen(file.tabs[0]) ? file.tabs.find(isOpen) : undefined
  // The list's initial filters would narrow it further.
  const started = file.filters
    .filter((filter) => startsNarrowed(filter) && !Object.hasOwn(filters, filter.field))
    .filter(({ field }) => !tab?.clears?.includes(field))
    .map(({ field }) => `f.${field}=`)
  const query = tab
    ? [`tab=${tab.name}`, ...started]
    : [
        ...started,
        ...(whole ? [`tab=${whole.name}`] : []),
        ...Object.entries(filters).map(([field, value]) => `f.${field}=${encodeURIComponent(JSON.stringify(value))}`),
      ]
  return query.length ? `${route}${route.includes('?') ? '&' : '?'}${query.join('&')}` : route
}
