import { lazy, Suspense } from 'react'
import { forget, loginRoute } from '../session/session.ts'
import { useTabs } from './tabs.ts'
import { useGo } from './GoProvider.tsx'

const ChangePassword = lazy(() => import('./ChangePassword.tsx'))

/**
 * The only page for users who signed in with a password that another user has seen: the server answers nothing else
 * until it is changed.
 */
export function FirstPassword() {
  const go = useGo()
  const leave = (notice?: string) => {
    forget()
    const { waitsFor, reset } = useTabs.getState()
    if (waitsFor === undefined) reset()
    go(loginRoute, false, { notice })
  }
  return (
    <Suspense fallback={null}>
      <ChangePassword forced onClose={() => leave()} onChanged={leave} />
    </Suspense>
  )
}
