import { useCallback, useRef } from 'react'

/**
 * A function with a stable identity that calls the latest version: memoised children may keep it, and effects may call
 * it without depending on it.
 */
export function useStable<A extends unknown[], R>(latest: (...given: A) => R): (...given: A) => R {
  const held = useRef(latest)
  held.current = latest
  return useCallback((...given: A) => held.current(...given), [])
}
