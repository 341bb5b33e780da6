import { useId, useRef, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'

interface TabsProps {
  label: string
  active: string
  onChange(name: string): void
  tabs: { name: string; label: string; content: ReactNode }[]
}

const steps: Record<string, (at: number, last: number) => number> = {
  ArrowRight: (at, last) => (at === last ? 0 : at + 1),
  ArrowLeft: (at, last) => (at === 0 ? last : at - 1),
  Home: () => 0,
  End: (_, last) => last,
}

/** Tabs that scroll when there are too many. A tab that was opened once keeps its state. */
export function Tabs({ label, active, onChange, tabs }: TabsProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useState<readonly string[]>([active])
  if (!opened.includes(active)) setOpened([...opened, active])
  const move = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (!step) return
    event.preventDefault()
    const next = step(
      tabs.findIndex(({ name }) => name === active),
      tabs.length - 1,
    )
    onChange(tabs[next].name)
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next].focus()
  }
  return (
    <>
      <div ref={list} className="tablist" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            id={`${id}-${tab.name}`}
            aria-controls={`${id}-${tab.name}-panel`}
            aria-selected={tab.name === active}
            tabIndex={tab.name === active ? 0 : -1}
            onClick={() => onChange(tab.name)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.name}
          role="tabpanel"
          id={`${id}-${tab.name}-panel`}
          aria-labelledby={`${id}-${tab.name}`}
          hidden={tab.name !== active}
        >
          {opened.includes(tab.name) && tab.content}
        </div>
      ))}
    </>
  )
}
