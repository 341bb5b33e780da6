import { useEffect, useLayoutEffect, useRef } from 'react'
import type { Tab } from './tabs.ts'

interface Frame {
  /** The frame stays in place when the screen scrolls. */
  fixed: boolean
  /** The key of the open tab. */
  active: string
  tabs: Tab[]
}

/**
 * One element scrolls for all visited tabs, and each tab's scroll position is restored. Screens that fill the window
 * read from CSS how much of it the frame takes at the moment (`--frame-shown`), and sticky elements their top position
 * (`--frame-fixed`), both in pixels. Returns the props of the scrolling element and of the one at its top, which
 * contains header and tabs.
 */
export function useFrame({ fixed, active, tabs }: Frame) {
  const scroller = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const scrolled = useRef(new Map<string, number>())
  const open = useRef(active)

  useLayoutEffect(() => {
    const outer = scroller.current!
    const updateHeights = () => {
      const height = frame.current!.offsetHeight
      outer.style.setProperty('--frame-fixed', `${fixed ? height : 0}px`)
      outer.style.setProperty('--frame-shown', `${fixed ? height : Math.max(0, height - outer.scrollTop)}px`)
    }
    const onScroll = () => {
      scrolled.current.set(open.current, outer.scrollTop)
      updateHeights()
    }
    updateHeights()
    const observer = new ResizeObserver(updateHeights)
    observer.observe(frame.current!)
    outer.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      observer.disconnect()
      outer.removeEventListener('scroll', onScroll)
    }
  }, [fixed])

  useLayoutEffect(() => {
    open.current = active
    scroller.current!.scrollTop = scrolled.current.get(active) ?? 0
  }, [active])

  useEffect(() => {
    for (const key of scrolled.current.keys()) if (!tabs.some((tab) => tab.key === key)) scrolled.current.delete(key)
  }, [tabs])
  return { scroller, frame }
}
