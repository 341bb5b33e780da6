import { lazy, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { HashRouter, Navigate, useLocation } from 'react-router-dom'
import { loginPath } from './session/session.ts'
import { token } from './session/token.ts'
import './base.css'

const Login = lazy(() => import('./session/Login.tsx'))
const Workspace = lazy(() => import('./shell/Workspace.tsx'))

/** No token: /login, with the wanted address in `redirectUrl`. Everything but the sign-in page is loaded after it. */
function Root() {
  const location = useLocation()
  if (location.pathname === '/login') return <Login />
  if (!token()) return <Navigate to={loginPath(`${location.pathname}${location.search}`)} replace />
  return <Workspace />
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    {/* An address is taken at once: one that arrived late, as a transition may, would undo what was clicked meanwhile. */}
    <HashRouter useTransitions={false}>
      <Suspense fallback={null}><Root /></Suspense>
    </HashRouter>
  </StrictMode>,
)
