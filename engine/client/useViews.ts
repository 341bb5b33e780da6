import { useEffect, useMemo, useState } from 'react'
import { loadWithRetry } from './loadWithRetry.ts'
import { arrivedOf } from './lazy.ts'
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
      void loadWithRetry(load).then((view) => {
        if (!gone) setArrived((known) => ({ ...known, [type]: view }))
      })
    }
    return () => {
      gone = true
    }
  }, [key, views, current, enabled])
  return current
}

/** What lists draw instead of text, by widget. No view is loaded for anything else. */
export function useCellViews(types: readonly string[]): Record<string, WidgetView['Cell']> {
  const { views } = useEngine()
  const loaded = useViews(types.filter((type) => views[type]?.Cell === true))
  const key = [...new Set(types)].sort().join()
  return useMemo(() => {
    const cellOf = (type: string) => {
      const known = views[type]?.Cell
      return known === true ? loaded[type]?.Cell : known
    }
    return Object.fromEntries(key.split(',').map((type) => [type, cellOf(type)]))
  }, [key, views, loaded])
}
