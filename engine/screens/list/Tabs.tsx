import { useRef } from 'react'
import type { KeyboardEvent } from 'react'

interface TabsProps {
  label: string
  /** The id of the panel that they control. */
  panel: string
  tabs: { name: string; label: string; count?: number }[]
  open: string | undefined
  onOpen(name: string): void
}

/** The tabs above a list. Arrow keys move between them, as in any tab list. */
export function Tabs({ label, panel, tabs, open, onOpen }: TabsProps) {
  const list = useRef<HTMLDivElement>(null)
  const step = (event: KeyboardEvent, index: number) => {
    const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const next = (to + tabs.length) % tabs.length
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next].focus()
    onOpen(tabs[next].name)
  }
  return (
    <div ref={list} className="list-tabs" role="tablist" aria-label={label}>
      {tabs.map((tab, index) => (
        <button
          key={tab.name}
          type="button"
          role="tab"
          aria-selected={tab.name === open}
          aria-controls={panel}
          tabIndex={tab.name === open ? 0 : -1}
          onClick={() => onOpen(tab.name)}
          onKeyDown={(event) => step(event, index)}
        >
          {tab.label}
          {tab.count !== undefined && <span className="list-tab-count">{tab.count}</span>}
        </button>
      ))}
    </div>
  )
}
