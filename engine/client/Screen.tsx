import { useCallback, useEffect, useLayoutEffect, useState } from 'react'
import type { FilterValue, RecordData } from '../model/model.ts'
import { useEngineLists } from './EngineProvider.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { ShownReact } from './frame.ts'
import type { ScreenFrame, ScreenView } from './frame.ts'
import { arrive, arrivedOf } from './lazy.ts'
import { useScreenBundle } from './records.ts'
import { ScreenEngine } from './ScreenEngine.tsx'
import { ScreenProblem } from './ScreenProblem.tsx'
import { ScreenFailure, ScreenSkeleton } from './ScreenState.tsx'
import { selectPlan } from './selectPlan.ts'
import { useWords } from './words.ts'

export interface ScreenProps {
  route?: string
  name?: string
  query: Readonly<Record<string, string>>
  frame: ScreenFrame
  /** Restricts a list to these records, as a tab of a detail does. */
  fixed?: Record<string, FilterValue>
  /** The record that owns them. */
  owner?: RecordData
  /** Called when records were changed on this screen. */
  onChanged?(): void
}

/**
 * Renders a screen of the catalog from its address. A view calls `frame.setBusy(false)` in an effect once its first
 * data is drawn.
 */
export function Screen({ route, name, query, frame, fixed, owner, onChanged }: ScreenProps) {
  const words = useWords()
  const { data: bundle, error, refetch } = useScreenBundle({ route, name })
  const { screenViews } = useEngineLists()
  const selected = bundle && selectPlan(bundle.plan, query)
  const plan = selected && 'plan' in selected ? selected.plan : undefined
  const { view: View, error: viewError, load } = useScreenView(plan && screenViews[plan.kind])
  const failure = bundle ? viewError : error

  const { setBusy } = frame
  // Runs before any effect of the view, which clears it.
  useLayoutEffect(() => {
    setBusy(true)
  }, [route, name, setBusy])
  useEffect(() => {
    if (failure) setBusy(false)
  }, [failure, setBusy])

  if (failure)
    return (
      <ScreenFailure title={words('screenFailed')} error={failure} retry={() => void (bundle ? load() : refetch())} />
    )
  if (selected && 'problem' in selected) {
    return (
      <ScreenProblem
        plan={bundle.plan}
        frame={frame}
        message={words(selected.problem, { value: selected.value ?? '' })}
      />
    )
  }
  if (!bundle || !plan || !View) return <ScreenSkeleton />
  const identity = `${plan.name}?${JSON.stringify(query)}`
  return (
    <ErrorBoundary
      key={identity}
      fallback={(drawError, retry) => <Undrawn error={drawError} retry={retry} frame={frame} />}
    >
      <ScreenEngine bundle={bundle}>
        <ShownReact.Provider value={frame.active}>
          <View
            plan={plan}
            bundle={bundle}
            query={query}
            frame={frame}
            fixed={fixed}
            owner={owner}
            onChanged={onChanged}
          />
        </ShownReact.Provider>
      </ScreenEngine>
    </ErrorBoundary>
  )
}

function Undrawn({ error, retry, frame: { setBusy } }: { error: Error; retry(): void; frame: ScreenFrame }) {
  const words = useWords()
  useEffect(() => {
    setBusy(false)
  }, [error, setBusy])
  return <ScreenFailure title={words('drawFailed')} error={error} retry={retry} />
}

/** Loads the view of a kind once for all screens of that kind. */
function useScreenView(loader: (() => Promise<ScreenView>) | undefined) {
  const [, setArrived] = useState(0)
  const [error, setError] = useState<Error | null>(null)
  const view = loader && arrivedOf(loader)
  const load = useCallback(() => {
    setError(null)
    if (loader) arrive(loader).then(() => setArrived((count) => count + 1), setError)
  }, [loader])
  useEffect(() => {
    if (!view) load()
  }, [view, load])
  return { view, error, load }
}
