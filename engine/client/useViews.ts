import { useEffect, useMemo, useState } from 'react'
import { arrive, arrivedOf } from './lazy.ts'
import { useEngine } from './view.ts'
import type { EngineContext, WidgetView } from './view.ts'

type Views = EngineContext['views']

/** The view of a widget, or undefined until it is loaded. */
function viewOf(views: Views, type: string): WidgetView | undefined {
  const view = views[type]
  return typeof view === 'function' ? arrivedOf(view) : view
}

/**
 * The views of these widgets; lazy ones are loaded as soon as `enabled`. The object changes only when one arrives.
 */
export function useViews(types: readonly string[], enabled = true): Record<string, WidgetView | undefined> {
  const { views } = useEngine()
  const [arrived, setArrived] = useState<Readonly<Record<string, WidgetView>>>({})
  const key = [...new Set(types)].sort().join()
  const current = useMemo(
    () => Object.fromEntries(key.split(',').map((type) => [type, arrived[type] ?? viewOf(views, type)])),
    [key, views, arrived],
  )
  useEffect(() => {
    if (!enabled) return undefined
    let gone = false
    for (const type of key.split(',')) {
      const load = views[type]
      if (typeof load !== 'function' || current[type]) continue
      void arrive(load).then((view) => {
        if (!gone) setArrived((known) => ({ ...known, [type]: view }))
      })
    }
    return () => {
      gone = true
    }
  }, [key, views, current, enabled])
  return current
}
