import { moveColumn, sizeColumn } from './columnChoices.ts'
import { emptiedIn, filtersIn, initialState, nextSort, withFilter, writeState } from './listState.ts'
import type { ListState } from './listState.ts'
import type { useListModel } from './useListModel.ts'

/** The commands of a list's controls. */
export function listCommands({
  screen,
  frame,
  list,
  change,
  refetch,
  chosen,
  stepTo,
}: ReturnType<typeof useListModel>) {
  const plan = screen.body
  return {
    reset() {
      const { search, filters } = initialState(plan, list.tab)
      change({ search, filters, emptied: [] })
    },
    openTab: (tab: string) => change({ tab, filters: filtersIn(list, plan, tab), emptied: emptiedIn(list, plan) }),
    /** A query without changes reloads the list, because the user expects a response. */
    query(part: Partial<ListState>) {
      const next = writeState({ ...list, ...part, page: 1 }, plan)
      if (JSON.stringify(next) === JSON.stringify(writeState(list, plan))) void refetch()
      else frame.setState(next)
    },
    sortBy: (field: string) => change({ sort: nextSort(list.sort, field, plan) }),
    moveColumn(field: string, to: string) {
      const columns = moveColumn(chosen.arranged, field, to)
      if (columns) chosen.keep({ columns })
    },
    sizeColumn: (field: string, width: number) => chosen.keep({ columns: sizeColumn(chosen.arranged, field, width) }),
    /** Shows only what is below this record of the tree beside the list. */
    under(field: string, id: number | undefined) {
      change({ filters: withFilter(list.filters, field, id === undefined ? undefined : { under: id }) })
    },
    turnTo(page: number, size: number) {
      stepTo(page, size)
      change({ page, size })
    },
  }
}
