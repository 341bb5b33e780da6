import { useLayoutEffect, useState } from 'react'
import type { RefObject } from 'react'

/** Below it a list is used with a thumb. */
const narrowWidth = 640

/** Is there little room for the element? One that is hidden keeps the last answer. */
export function useNarrow(element: RefObject<HTMLElement | null>): boolean {
  const [narrow, setNarrow] = useState(() => window.innerWidth < narrowWidth)
  useLayoutEffect(() => {
    if (typeof ResizeObserver === 'undefined' || !element.current) return
    const observed = element.current
    const read = () => {
      if (observed.clientWidth > 0) setNarrow(observed.clientWidth < narrowWidth)
    }
    read()
    const observer = new ResizeObserver(read)
    observer.observe(observed)
    return () => observer.disconnect()
  }, [element])
  return narrow
}
