import { useEffect, useMemo, useState } from 'react'
import { useClient } from '../../client/frame.ts'
import type { ScreenViewProps } from '../../client/frame.ts'
import { useList } from '../../client/records.ts'
import { useEngine } from '../../client/view.ts'
import type { ListQuery } from '../../model/model.ts'
import type { ListPlan } from './list.ts'
import { evaluated, narrowed } from './listRead.ts'
import { fromHeld, listQuery, readState } from './listState.ts'

/** A page requested relative to a loaded one. */
interface Step {
  to: ListQuery
  from: NonNullable<ReturnType<typeof fromHeld>>
}

/** The query of a list, from its address, its place, and the loaded page; and the answer. */
export function useListQuery({ plan: screen, frame, query: parameters, fixed: given }: ScreenViewProps<ListPlan>) {
  const engine = useEngine()
  const { user } = useClient()
  const today = engine.now().slice(0, 10)
  const fixed = useMemo(() => narrowed(screen.body, parameters, given), [screen.body, parameters, given])
  const isFixed = fixed !== undefined
  const body = useMemo(
    () => evaluated(screen.body, isFixed, { user, settings: engine.settings ?? {}, now: `${today} 00:00:00` }),
    [screen.body, isFixed, user, engine.settings, today],
  )
  const plan = useMemo(() => ({ ...screen, body }), [screen, body])
  const list = useMemo(() => readState(frame.state, body), [frame.state, body])
  const wanted = useMemo(() => listQuery(list, body, fixed, screen.name), [list, body, fixed, screen.name])
  const [step, setStep] = useState<Step>()
  const pageQuery = useMemo(
    () => (step && JSON.stringify(wanted) === JSON.stringify(step.to) ? { ...wanted, ...step.from } : wanted),
    [wanted, step],
  )
  const found = useList(body.paths.list, pageQuery, { enabled: frame.active, version: frame.version })
  const { data, isPlaceholderData } = found
  // The record that the page was counted from, or those after it, were deleted.
  const isLost = pageQuery !== wanted && !isPlaceholderData && data?.list.length === 0
  useEffect(() => {
    if (isLost) setStep(undefined)
  }, [isLost])
  return {
    plan,
    fixed,
    list,
    pageQuery,
    found,
    /** Announces the next page, so that it is requested relative to the loaded one if possible. */
    stepTo(page: number, size: number) {
      const held = isPlaceholderData ? undefined : data
      const from = held && fromHeld({ ...held, page: list.page, size: list.size }, { page, size })
      setStep(from && { to: { ...wanted, page }, from })
    },
  }
}
