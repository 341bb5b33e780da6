import { useLayoutEffect, useState } from 'react'
import type { RefObject } from 'react'

/** Used until the width is known, and where there is no layout. */
const usualWidth = 600

/** The width of the element. A hidden one keeps its last width. */
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
