import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { keepAppearance } from './shell/appearance.ts'
import { prefetchSession } from './session/prefetchSession.ts'
import { isLogin } from './session/session.ts'
import { token } from './session/token.ts'
import { Root } from './shell/Root.tsx'
import '../engine/client/colours.css'
import './base.css'

const [route] = (window.location.hash.slice(1) || '/').split('?', 1)
if (token() && !isLogin(route)) {
  // The frame is the largest download, so it starts before the requests whose answers it reads.
  void import('./shell/Workspace.tsx')
  prefetchSession(route)
}
keepAppearance()
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Root />
  </StrictMode>,
)
