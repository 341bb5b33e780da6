import { lazy, useEffect, useState } from 'react'

const load = () => import('./Cards.tsx')

/** Loaded only on phones. */
export const Cards = lazy(load)

/**
 * Whether the code for cards is loaded. It loads in parallel with the records, so that a list only counts as drawn once
 * its cards can be.
 */
export function useCardsLoaded(wanted: boolean): boolean {
  const [isLoaded, setLoaded] = useState(false)
  useEffect(() => {
    if (!wanted) return
    const settle = () => setLoaded(true)
    // A failure is reported where the cards are rendered, which loads them again.
    void load().then(settle, settle)
  }, [wanted])
  return isLoaded || !wanted
}
