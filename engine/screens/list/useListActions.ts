import { useActions } from '../../client/actions/useActions.tsx'
import type { ScreenFrame, ScreenViewProps } from '../../client/frame.ts'
import { useNewestOf } from '../../client/records.ts'
import { useEngine } from '../../client/view.ts'
import type { EntityPlan, ListQuery, RecordData, ScreenBundle, ScreenPlan } from '../../model/model.ts'
import type { ArrangedColumn } from './columnChoices.ts'
import type { ListPlan } from './list.ts'
import { filtersOf } from './listState.ts'
import type { ListState } from './listState.ts'
import { problemsAt } from './problemsAt.ts'
import { useStableActions } from './useStableActions.ts'

interface Given {
  screen: ScreenPlan<ListPlan>
  entity: EntityPlan
  bundle: ScreenBundle
  frame: ScreenFrame
  fixed: ScreenViewProps['fixed']
  pageQuery: ListQuery
  arranged: readonly ArrangedColumn[]
  records: RecordData[] | undefined
  /** Reloads the list, and clears the selection. */
  reload(): void
  /** Reloads the list, and keeps the selection. */
  refused(): void
  change(part: Partial<ListState>): void
}

/** The actions on the records of a list; `dialogs` are those that an action opened. */
export function useListActions({ screen, entity, bundle, frame, fixed, pageQuery, arranged, records, ...host }: Given) {
  const engine = useEngine()
  const newest = useNewestOf(screen.body.paths.list, pageQuery, frame.version)
  const live = useActions({
    entity,
    bundle,
    frame,
    reload: host.reload,
    newest,
    refused: host.refused,
    show: (made, given) => {
      const filters = made ?? filtersOf(given, screen.body.filters)
      // Made records are in the first tab, unless a procedure shows those of the open one.
      if (filters) host.change({ search: '', filters, ...(!made && { tab: undefined }) })
    },
    rows: records,
    problems: (record) =>
      Object.fromEntries(
        screen.body.columns.flatMap((column) => {
          const problems = problemsAt(record, column)
          return problems.length > 0 ? [[column.field, problems.map(engine.text).join('\n')]] : []
        }),
      ),
    preset:
      fixed && Object.fromEntries(Object.entries(fixed).map(([name, { equals }]) => [name, String(equals ?? '')])),
    exportQuery: (ticked) => {
      const { search, filters, tab, sort } = pageQuery
      // Ticked records are exported even if they no longer match the query.
      const which =
        ticked.length > 0 ? { sort, ids: ticked.map(({ id }) => id).join(',') } : { sort, search, filters, tab }
      return {
        ...which,
        screen: screen.name,
        fields: arranged.filter(({ hidden }) => !hidden).map(({ field }) => field),
      }
    },
  })
  return { actions: useStableActions(live), dialogs: live.dialogs }
}
