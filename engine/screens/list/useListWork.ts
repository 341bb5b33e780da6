import { useConditions } from '../../client/conditions.ts'
import type { ScreenViewProps } from '../../client/frame.ts'
import { useStable } from '../../client/useStable.ts'
import type { ArrangedColumn } from './columnChoices.ts'
import type { ListPlan } from './list.ts'
import { isFiltered } from './listState.ts'
import { isRefused, recordToCome } from './recordToCome.ts'
import { useCells } from './useCells.tsx'
import { useListActions } from './useListActions.ts'
import type { useListData } from './useListData.ts'
import { useOrdering } from './useOrdering.ts'
import type { useTreeRows } from './useTreeRows.ts'

interface Worked {
  data: ReturnType<typeof useListData>
  arranged: ArrangedColumn[]
  rows: ReturnType<typeof useTreeRows>['rows']
  narrow: boolean
  untick(this: void): void
}

/** What the user can do with the records of a list: run actions, edit cells, and reorder rows. */
export function useListWork(props: ScreenViewProps<ListPlan>, { data, arranged, rows, narrow, untick }: Worked) {
  const { bundle, frame, owner, onChanged } = props
  const { screen, fixed, list, pageQuery, records, refetch, change } = data
  const plan = screen.body
  const entity = bundle.entities[screen.entity!]
  const reload = () => {
    untick()
    onChanged?.()
    void refetch()
  }
  const refused = () => {
    onChanged?.()
    void refetch()
  }
  const does = { screen, entity, bundle, frame, fixed, pageQuery, arranged, records, reload, refused, change }
  const { actions, dialogs } = useListActions(does)
  const holds = useStable(useConditions(entity))
  const toCome = owner && fixed && recordToCome(entity, Object.keys(fixed)[0], owner)
  const offered = plan.actions.filter(
    (action) => action.on !== 'toolbar' || !toCome || !isRefused(action, toCome, holds),
  )
  const cells = useCells({
    screen,
    bundle,
    frame,
    enabled: !narrow,
    columns: arranged,
    rows,
    reload: async () => {
      await refetch()
      onChanged?.()
    },
  })
  const ordering = useOrdering({
    tree: plan.tree,
    records,
    granted: bundle.granted,
    entity: entity.name,
    reload,
    enabled: list.sort === plan.tree?.order?.field && !isFiltered(list) && fixed === undefined,
  })
  return { actions, dialogs, offered, holds, cells, ordering }
}
