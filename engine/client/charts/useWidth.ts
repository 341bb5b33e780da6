import { useLayoutEffect, useState } from 'react'
import type { RefObject } from 'react'

/** Before it is known, and where nothing is laid out. */
const usualWidth = 600

/** How wide the element is. One that is hidden keeps the last answer. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(usualWidth)
  useLayoutEffect(() => {
    if (typeof ResizeObserver === 'undefined' || !element.current) return
    const observed = element.current
    const read = () => {
      if (observed.clientWidth > 0) setWidth(observed.clientWidth)
    }
    read()
    const observer = new ResizeObserver(read)
    observer.observe(observed)
    return () => observer.disconnect()
  }, [element])
  return width
}
