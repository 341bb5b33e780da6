import { lazy, Suspense, useRef } from 'react'
import { HashRouter, Navigate, useLocation } from 'react-router-dom'
import { isLogin, loginPath } from '../session/session.ts'
import { token } from '../session/token.ts'

const Login = lazy(() => import('../session/Login.tsx'))
const Workspace = lazy(() => import('./Workspace.tsx'))

/** The whole page. */
export const Root = () => (
  // Addresses apply at once: one applied late, as in a transition, would undo later clicks.
  <HashRouter useTransitions={false}>
    <Suspense fallback={null}>
      <Place />
    </Suspense>
  </HashRouter>
)

/**
 * Without a token: /login, with the wanted address in `redirectUrl`. Everything but the sign-in page is loaded after
 * it.
 */
function Place() {
  const location = useLocation()
  const login = isLogin(location.pathname)
  const open = !login && token() !== ''
  const entered = useRef(false)
  if (open) entered.current = true
  return (
    <>
      {login && (
        <Suspense fallback={null}>
          <Login />
        </Suspense>
      )}
      {!login && !open && <Navigate to={loginPath(`${location.pathname}${location.search}`)} replace />}
      {/* It stays for a user who signs in again. */}
      {entered.current && <Workspace open={open} />}
    </>
  )
}
