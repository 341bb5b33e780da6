import { useLayoutEffect, useState } from 'react'
import type { RefObject } from 'react'

/** Below this width, a list is laid out for touch. */
const narrowWidth = 640

/** Whether the element is narrow. A hidden one keeps its last answer. */
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
