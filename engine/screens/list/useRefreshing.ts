import { useEffect } from 'react'

const seconds = 5

/** Reads again every few seconds while something that is seen is under way. */
export function useRefreshing(enabled: boolean, refetch: () => unknown): void {
  useEffect(() => {
    if (!enabled) return
    const timer = setInterval(() => void refetch(), seconds * 1000)
    return () => clearInterval(timer)
  }, [enabled, refetch])
}
