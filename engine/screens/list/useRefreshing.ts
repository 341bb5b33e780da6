import { useEffect } from 'react'

const seconds = 5

/** Reloads every few seconds while something visible is in progress. */
export function useRefreshing(enabled: boolean, refetch: () => unknown): void {
  useEffect(() => {
    if (!enabled) return
    const timer = setInterval(() => void refetch(), seconds * 1000)
    return () => clearInterval(timer)
  }, [enabled, refetch])
}
