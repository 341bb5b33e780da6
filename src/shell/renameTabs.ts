import type { Request } from '../../engine/client/index.ts'
import { pathOf } from '../../engine/model/model.ts'
import type { OptionsResult, QueryOf } from '../../engine/model/model.ts'
import { useTabs } from './tabs.ts'

/**
 * After records of an entity were changed: updates the names on tabs that show them, even of dropped screens. A tab
 * keeps its name if no other can be read.
 */
export async function renameTabs(request: Request, entity: string): Promise<void> {
  const { tabs, setRecord } = useTabs.getState()
  const shown = tabs.flatMap(({ record }) => (record?.entity === entity ? record : []))
  if (shown.length === 0) return
  const ids = [...new Set(shown.map(({ id }) => id))]
  const { endpoint } = shown[0]
  const found = await request
    .get<OptionsResult>(pathOf(endpoint, 'options'), {
      id: ids.join(','),
      size: ids.length,
    } satisfies QueryOf<'options'>)
    .catch(() => undefined)
  for (const { id, name } of found?.list ?? []) setRecord({ entity, endpoint, id, name })
}
