import { filterValues } from '../../model/model.ts'
import type { AssembleScope, ScreenFile } from '../../model/model.ts'
import type { ListFile } from './listShape.ts'
import { startsNarrowed } from './startsNarrowed.ts'

/**
 * Warns about tabs that clear what does not start with a value, and about badges that count records which the list, opened
 * from the menu, does not show in any tab.
 */
export function doubtStarts({ filters, tabs, menu }: ListFile & ScreenFile, scope: AssembleScope): void {
  const started = filters.filter(startsNarrowed).map(({ field }) => field)
  for (const [index, { clears = [] }] of tabs.entries())
    for (const [place, found] of clears.entries())
      if (!started.includes(found))
        scope.issue('idle-key', `/tabs/${index}/clears/${place}`, {
          found,
          reason: 'no filter of this list has an initial value for it',
        })
  const badges = [menu?.badge ?? []].flat()
  for (const [index, { filter }] of badges.entries()) {
    const counted = filterValues(filter)
    const hiding = started.filter((field) => !Object.hasOwn(counted, field))
    const shows = ({ filter: own, clears = [] }: ListFile['tabs'][number]) =>
      hiding.every((field) => clears.includes(field)) &&
      Object.entries(filterValues(own)).every(
        ([field, value]) => JSON.stringify(value) === JSON.stringify(counted[field]),
      )
    if (hiding.length > 0 && !tabs.some(shows))
      scope.issue('narrowed-badge', Array.isArray(menu?.badge) ? `/menu/badge/${index}` : '/menu/badge', {
        found: hiding.join(', '),
      })
  }
}
