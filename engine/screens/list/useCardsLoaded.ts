import { lazy, useEffect, useState } from 'react'

const load = () => import('./Cards.tsx')

/** What only a phone needs is loaded there. */
export const Cards = lazy(load)

/** Is what draws cards there? It is loaded beside the records, so that a list counts as drawn once its cards can be. */
export function useCardsLoaded(wanted: boolean): boolean {
  const [isLoaded, setLoaded] = useState(false)
  useEffect(() => {
    if (!wanted) return
    const settle = () => setLoaded(true)
    // A failure is reported where the cards are drawn, which load them themselves.
    void load().then(settle, settle)
  }, [wanted])
  return isLoaded || !wanted
}
