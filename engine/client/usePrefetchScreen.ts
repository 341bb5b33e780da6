import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useEngineLists } from './EngineProvider.tsx'
import { useClient } from './frame.ts'
import { arrive } from './lazy.ts'
import { screenQuery } from './records.ts'

/** Prefetches the plan of a linked screen and the parts of the client that render it. */
export function usePrefetchScreen(): (route: string) => void {
  const { request } = useClient()
  const client = useQueryClient()
  const { screenViews, widgetViews } = useEngineLists()
  return useCallback(
    (route) => {
      void client
        .fetchQuery(screenQuery(request, { route }))
        .then(({ plan, entities }) => {
          const fields = plan.entity === undefined ? [] : Object.values(entities[plan.entity].fields)
          const heavy = [...new Set(fields.map(({ type }) => widgetViews[type]))].filter(
            (view) => typeof view === 'function',
          )
          return Promise.all([
            ...(screenViews[plan.kind] ? [arrive(screenViews[plan.kind])] : []),
            ...heavy.map(arrive),
          ])
          // Opening the screen reports the failure.
        })
        .catch(() => undefined)
    },
    [client, request, screenViews, widgetViews],
  )
}
