import { useCallback } from 'react'
import { useNavigate } from 'react-router-dom'

/** Goes to a route of the app; nobody waits for it. `state` is what the page there is told. */
export function useGo(): (to: string, replace?: boolean, state?: { notice?: string }) => void {
  const navigate = useNavigate()
  return useCallback(
    (to, replace = false, state) => {
      void navigate(to, { replace, state })
    },
    [navigate],
  )
}
