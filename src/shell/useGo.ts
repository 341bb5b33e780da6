import { useCallback } from 'react'
import { useNavigate } from 'react-router-dom'

/** Goes to a route of the app; nobody waits for it. */
export function useGo(): (to: string, replace?: boolean) => void {
  const navigate = useNavigate()
  return useCallback((to, replace = false) => { void navigate(to, { replace }) }, [navigate])
}
