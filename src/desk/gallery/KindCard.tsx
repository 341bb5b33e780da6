import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { ClientReact, Screen, useClient } from '../../../engine/client/index.ts'
import type { ScreenFrame } from '../../../engine/client/index.ts'
import type { AppBundle } from '../../../engine/model/model.ts'
import { sampleRequest } from './sampleRequest.ts'

type Summary = AppBundle['screens'][number]

/** A screen of the product on sample records. Nothing done in it is sent. */
export function KindCard({ screen }: { screen: Summary }) {
  const client = useClient()
  const samples = useMemo(
    () => ({ ...client, request: sampleRequest(client.request), announce: () => undefined }),
    [client],
  )
  const queries = useMemo(
    () => new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } } }),
    [],
  )
  const [state, setState] = useState<Readonly<Record<string, string>>>({})
  const [busy, setBusy] = useState(true)
  const frame = useMemo<ScreenFrame>(
    () => ({
      place: 'drawer',
      active: true,
      version: 0,
      state,
      setState,
      setBusy,
      navigate: () => undefined,
      close: () => undefined,
      setDirty: () => undefined,
    }),
    [state],
  )
  const query = useMemo(
    () => ({
      ...Object.fromEntries(screen.parameters.filter(({ required }) => required).map(({ name }) => [name, '1'])),
      ...(screen.variants && { [screen.variants.parameter]: Object.keys(screen.variants.titles)[0] }),
    }),
    [screen],
  )
  return (
    <QueryClientProvider client={queries}>
      <ClientReact.Provider value={samples}>
        <div className="gallery-screen" aria-busy={busy}>
          <Screen name={screen.name} query={query} frame={frame} />
        </div>
      </ClientReact.Provider>
    </QueryClientProvider>
  )
}
