import type { QueryClient } from '@tanstack/react-query'
import { appQuery } from './AppBundle.tsx'
import type { EngineLists } from './EngineProvider.tsx'
import { arrive } from './lazy.ts'
import { screenQuery } from './records.ts'
import type { Request } from './request.ts'

interface Ahead {
  queries: QueryClient
  request: Request
  screenViews: EngineLists['screenViews']
  /** The path of the open address. */
  route: string
}

/**
 * Prefetches what the frame and its first screen need while the session is still being checked. A failure here is
 * ignored, because the component that renders the data requests it again and reports the failure.
 */
export async function prefetchFirstScreen({ queries, request, screenViews, route }: Ahead): Promise<void> {
  const asked = appQuery(request, { ahead: true })
  const bundle = await queries.fetchQuery(asked).catch(() => queries.resetQueries({ queryKey: asked.queryKey }))
  const wanted = route === '/' ? bundle?.app.home : route
  const screen = bundle?.screens.find((each) => each.route === wanted)
  if (!screen) return
  void arrive(screenViews[screen.kind]).catch(() => undefined)
  await queries.prefetchQuery(screenQuery(request, { route: screen.route }))
}
