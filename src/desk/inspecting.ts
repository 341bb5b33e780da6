import { useEffect } from 'react'
import { create } from 'zustand'

/** The permission to see where the parts of a screen come from. */
export const inspectPermission = 'setting:schema:inspect'
/**
 * In the form for assistive technology. Browsers and screen readers use neither this combination nor one that begins
 * like it.
 */
export const inspectKeys = 'Alt+Shift+X'

/** Whether clicks inspect instead of acting. */
export const useInspecting = create<{ on: boolean; toggle(): void; stop(): void }>()((set) => ({
  on: false,
  toggle: () => set(({ on }) => ({ on: !on })),
  stop: () => set({ on: false }),
}))

/** The shortcut that starts and ends it, with the permission. */
export function useInspectKey(may: boolean): void {
  const { toggle } = useInspecting()
  useEffect(() => {
    if (!may) return
    const onKey = (event: KeyboardEvent) => {
      // By the position of the key, because with Alt it types another character on many keyboards.
      if (!event.altKey || !event.shiftKey || event.ctrlKey || event.metaKey || event.code !== 'KeyX') return
      event.preventDefault()
      toggle()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [may, toggle])
}
