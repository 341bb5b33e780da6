import { useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import type { ReactNode } from 'react'
import type { AppBundle } from '../model/model.ts'
import { useClient } from './frame.ts'
import type { Request, RequestOptions } from './request.ts'
import { ScreenFailure, ScreenSkeleton } from './ScreenState.tsx'
import { useWords } from './words.ts'

const AppBundleReact = createContext<AppBundle | null>(null)

/** @param route of the page that is being opened, whose screen comes with the answer */
export const appQuery = (request: Request, options: RequestOptions = {}, route?: string) => ({
  queryKey: ['app'],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    request.get<AppBundle>('/plans/app', route === undefined ? {} : { route }, { signal, ...options }),
  staleTime: Infinity,
  gcTime: Infinity,
  retry: false,
})

/** Loads what the frame needs before any screen opens, then renders its children. */
export function AppBundleProvider({ children }: { children: ReactNode }) {
  const { request } = useClient()
  const words = useWords()
  const { data, error, refetch } = useQuery(appQuery(request))
  if (data) return <AppBundleReact.Provider value={data}>{children}</AppBundleReact.Provider>
  return error ? (
    <ScreenFailure title={words('screenFailed')} error={error} retry={() => void refetch()} />
  ) : (
    <ScreenSkeleton />
  )
}

export function useAppBundle(): AppBundle {
  const bundle = useContext(AppBundleReact)
  if (!bundle) throw new Error('useAppBundle: no AppBundleProvider above')
  return bundle
}
