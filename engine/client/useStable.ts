import { useCallback, useRef } from 'react'

/**
 * The same function for good, which does what the latest one does: what is drawn once may keep it, and an effect that
 * calls it runs for its own reasons only.
 */
export function useStable<A extends unknown[], R>(latest: (...given: A) => R): (...given: A) => R {
  const held = useRef(latest)
  held.current = latest
  return useCallback((...given: A) => held.current(...given), [])
}
