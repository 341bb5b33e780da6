import type { ScreenViewProps } from '../../client/frame.ts'
import { useStable } from '../../client/useStable.ts'
import type { ListPlan } from './list.ts'
import { writeState } from './listState.ts'
import type { ListState } from './listState.ts'
import { useAllFigures } from './useAllFigures.ts'
import { useListQuery } from './useListQuery.ts'

/** The records of a list with their figures, and how to query others. */
export function useListData(props: ScreenViewProps<ListPlan>) {
  const { frame } = props
  const { plan: screen, fixed, list, pageQuery, found, stepTo } = useListQuery(props)
  const plan = screen.body
  const all = useAllFigures({ path: plan.paths.list, pageQuery, found, active: frame.active, version: frame.version })
  const refetch = useStable(() => {
    all.renew()
    return found.refetch()
  })
  const change = useStable((part: Partial<ListState>) =>
    frame.setState(writeState({ ...list, page: 1, ...part }, plan)),
  )
  return {
    screen,
    fixed,
    list,
    pageQuery,
    found,
    stepTo,
    all,
    records: found.data?.list,
    error: found.error ?? all.error,
    refetch,
    change,
  }
}
