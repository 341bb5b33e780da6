import { useEffect } from 'react'
import { create } from 'zustand'

/** What it takes to be told where the parts of a screen come from. */
export const inspectPermission = 'setting:schema:inspect'
/**
 * As it is told to assistive technology. Browsers and screen readers use neither this combination nor one that begins
 * so.
 */
export const inspectKeys = 'Alt+Shift+X'

/** Is what is clicked asked about instead of done? */
export const useInspecting = create<{ on: boolean; toggle(): void; stop(): void }>()((set) => ({
  on: false,
  toggle: () => set(({ on }) => ({ on: !on })),
  stop: () => set({ on: false }),
}))

/** The key that begins and ends it, for those who may. */
export function useInspectKey(may: boolean): void {
  const { toggle } = useInspecting()
  useEffect(() => {
    if (!may) return
    const onKey = (event: KeyboardEvent) => {
      // By the place of the key: with Alt it writes something else on many keyboards.
      if (!event.altKey || !event.shiftKey || event.ctrlKey || event.metaKey || event.code !== 'KeyX') return
      event.preventDefault()
      toggle()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [may, toggle])
}
