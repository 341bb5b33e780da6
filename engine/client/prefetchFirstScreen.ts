import type { QueryClient } from '@tanstack/react-query'
import type { Scope } from '../expression/index.ts'
import type { ScreenPlan } from '../model/model.ts'
import { appQuery } from './AppBundle.tsx'
import type { EngineLists } from './EngineProvider.tsx'
import { arrive } from './lazy.ts'
import { preferenceKey, screenQuery } from './records.ts'
import type { Request } from './request.ts'
import { selectPlan } from './selectPlan.ts'

/** Screen kind → what it reads first, computed without its view: GET requests, and the keys of preferences. */
export type FirstReads = Record<
  string,
  (
    plan: ScreenPlan,
    /** The screen's parameters and its state. */
    address: Readonly<Record<string, string>>,
    scope: Omit<Scope, 'record'>,
  ) => { requests: { path: string; query: object }[]; preferences: string[] }
>

interface Ahead {
  queries: QueryClient
  request: Request
  screenViews: EngineLists['screenViews']
  firstReads: FirstReads
  /** The path of the open address. */
  route: string
  /** Its parameters and its state. */
  address: Readonly<Record<string, string>>
  user: Promise<Scope['user']>
}

/**
 * Prefetches what the frame and its first screen need while the session is still being checked: the plans, the view, and
 * the records shown first. A failure here is ignored, because the component that renders the data requests it again and
 * reports the failure.
 */
export async function prefetchFirstScreen(ahead: Ahead): Promise<void> {
  const { queries, request, screenViews, firstReads, route, address } = ahead
  const query = appQuery(request, { ahead: true }, route)
  const bundle = await queries.fetchQuery(query).catch(() => queries.resetQueries({ queryKey: query.queryKey }))
  const first = bundle?.first
  if (!first) return
  void arrive(screenViews[first.plan.kind]).catch(() => undefined)
  queries.setQueryData(screenQuery(request, { route: first.plan.route }).queryKey, first)
  const selected = selectPlan(first.plan, address)
  const read = 'plan' in selected ? firstReads[selected.plan.kind] : undefined
  if (!read || !('plan' in selected)) return
  const user = await ahead.user.catch(() => undefined)
  if (!user) return
  const scope = { user, settings: first.settings, now: `${request.now().slice(0, 10)} 00:00:00` }
  const { requests, preferences } = read(selected.plan, address, scope)
  for (const key of preferences)
    queries.setQueryData(preferenceKey(key), (known: unknown) => known ?? bundle.preferences?.[key] ?? null)
  for (const { path, query } of requests) request.ahead(path, { ...query })
}
