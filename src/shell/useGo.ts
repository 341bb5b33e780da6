import { useNavigate } from 'react-router-dom'
import { useStable } from '../../engine/client/index.ts'

/** Goes to a route of the app; nobody waits for it. `state` is what the page there is told. */
export function useGo(): (to: string, replace?: boolean, state?: { notice?: string; followed?: string }) => void {
  const navigate = useNavigate()
  // The router's own function is another one at each address, and so would be the connection and all screens.
  return useStable((to, replace = false, state) => void navigate(to, { replace, state }))
}
