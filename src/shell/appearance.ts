import { useSyncExternalStore } from 'react'
import { coloursOf } from './colours.ts'
import { useSettings } from './settings.ts'

const prefersDark = window.matchMedia('(prefers-color-scheme: dark)')

/** Whether the system prefers reduced motion. Read once, because antd renders everything again if it changes later. */
export const prefersStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches

const isDark = (): boolean => {
  const { scheme } = useSettings.getState()
  return scheme === 'dark' || (scheme === 'system' && prefersDark.matches)
}

function subscribe(listener: () => void): () => void {
  const leave = useSettings.subscribe(listener)
  prefersDark.addEventListener('change', listener)
  return () => {
    leave()
    prefersDark.removeEventListener('change', listener)
  }
}

/** Whether the dark scheme is shown: chosen, or the system's preference if that was chosen. */
export const useIsDark = (): boolean => useSyncExternalStore(subscribe, isDark)

/** Keeps the document's colour and scheme up to date: every colour in `colours.css` follows from them. */
export function keepAppearance(): void {
  const { dataset, style } = document.documentElement
  const show = () => {
    const { theme, accent, accentFill } = coloursOf(useSettings.getState().theme, isDark())
    dataset.scheme = isDark() ? 'dark' : 'light'
    style.setProperty('--theme', theme)
    style.setProperty('--accent', accent)
    style.setProperty('--accent-fill', accentFill)
  }
  show()
  subscribe(show)
}
