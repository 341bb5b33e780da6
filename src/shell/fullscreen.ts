import { useSyncExternalStore } from 'react'

const subscribe = (listener: () => void) => {
  document.addEventListener('fullscreenchange', listener)
  return () => document.removeEventListener('fullscreenchange', listener)
}

export const useIsFullscreen = (): boolean => useSyncExternalStore(subscribe, () => Boolean(document.fullscreenElement))

/** @returns false if the browser cannot */
export async function toggleFullscreen(): Promise<boolean> {
  if (!document.fullscreenEnabled) return false
  await (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen())
  return true
}
