import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { keepAppearance } from './shell/appearance.ts'
import { Root } from './shell/Root.tsx'
import '../engine/client/colours.css'
import './base.css'

keepAppearance()
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Root />
  </StrictMode>,
)
