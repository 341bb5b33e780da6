import { useEffect, useRef } from 'react'
import type { KeyboardEvent } from 'react'
import type { MenuItem } from '../../engine/model/model.ts'
import { scrollTo } from './scrollTo.ts'
import { SidebarEntry } from './SidebarEntry.tsx'
import { useShellWords } from './words.ts'

interface SidebarProps {
  items: MenuItem[]
  /** The route whose entry is highlighted. */
  current: string
  title: string
  collapsed: boolean
  logo: boolean
  onPrefetch(route: string): void
}

/**
 * The menu. Entries are links, so they open in a new window too; a directory expands and collapses. Arrow keys move
 * between entries.
 */
export function Sidebar({ items, current, title, collapsed, logo, onPrefetch }: SidebarProps) {
  const t = useShellWords()
  const menu = useRef<HTMLElement>(null)
  // Once its parent directories are open.
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const entry = menu.current?.querySelector('[aria-current=page]')
      if (entry) scrollTo(menu.current!, entry)
    })
    return () => cancelAnimationFrame(frame)
  }, [current, items, collapsed])
  const steer = (event: KeyboardEvent) => {
    const entry = event.target as HTMLElement
    const entries = [
      ...(entry.closest('.sidebar-popup') ?? menu.current!).querySelectorAll<HTMLElement>('.sidebar-entry'),
    ]
    const index = entries.indexOf(entry)
    const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }[event.key]
    if (to === undefined || index === -1) return
    event.preventDefault()
    entries.at(to % entries.length)?.focus()
  }
  return (
    <nav ref={menu} className="sidebar" aria-label={t('menu')} data-collapsed={collapsed} onKeyDown={steer}>
      {logo && (
        <div className="sidebar-logo">
          <span className="sidebar-mark" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          {!collapsed && <span>{title}</span>}
        </div>
      )}
      <ul className="sidebar-menu">
        {items.map((item) => (
          <SidebarEntry
            key={item.id}
            item={item}
            current={current}
            collapsed={collapsed}
            depth={0}
            onPrefetch={onPrefetch}
          />
        ))}
      </ul>
    </nav>
  )
}
