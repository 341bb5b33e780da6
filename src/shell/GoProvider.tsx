import { createContext, useContext } from 'react'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router-dom'
import { useStable } from '../../engine/client/index.ts'

/** Navigates to a route of the app, without waiting. `state` is passed to the page there. */
export type Go = (to: string, replace?: boolean, state?: { notice?: string; followed?: string }) => void

const GoReact = createContext<Go | null>(null)

/**
 * Uses the router once for everything below. A component that uses the router itself renders at each change of address,
 * which would render every visited screen.
 */
export function GoProvider({ children }: { children: ReactNode }) {
  const navigate = useNavigate()
  const go = useStable<Parameters<Go>, void>((to, replace = false, state) => void navigate(to, { replace, state }))
  return <GoReact.Provider value={go}>{children}</GoReact.Provider>
}

export function useGo(): Go {
  const go = useContext(GoReact)
  if (!go) throw new Error('useGo: no GoProvider above')
  return go
}
