import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'

interface Props {
  className: string
  /** Names the box for who reaches it with the keyboard. */
  label: string
  children: ReactNode
}

/** A box that scrolls. While its content is too large it is a stop for Tab, so that it scrolls by the keyboard, too. */
export function ScrollBox({ className, label, children }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [isCut, setCut] = useState(false)
  useEffect(() => {
    const element = box.current
    if (!element || typeof ResizeObserver === 'undefined') return undefined
    const observer = new ResizeObserver(() =>
      setCut(element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight),
    )
    observer.observe(element)
    for (const child of element.children) observer.observe(child)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={box} className={className} {...(isCut && { role: 'group', 'aria-label': label, tabIndex: 0 })}>
      {children}
    </div>
  )
}
