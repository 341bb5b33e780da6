import { DownOutlined } from '@ant-design/icons'
import { useEffect, useState } from 'react'
import type { CSSProperties, KeyboardEvent } from 'react'
import { useClient } from '../../engine/client/index.ts'
import type { MenuItem } from '../../engine/model/model.ts'
import { EntryContent } from './EntryContent.tsx'
import { SidebarPopup } from './SidebarPopup.tsx'
import { useShellWords } from './words.ts'

interface SidebarEntryProps {
  item: MenuItem
  /** The route whose entry is marked. */
  current: string
  collapsed: boolean
  depth: number
  onPrefetch(route: string): void
}

export const holdsRoute = (item: MenuItem, route: string): boolean =>
  item.front_route === route || item.sub_menus.some((child) => holdsRoute(child, route))

/** One entry of the menu, as deep as it may be: a link, a directory, or a screen with others below it. */
export function SidebarEntry({ item, current, collapsed, depth, onPrefetch }: SidebarEntryProps) {
  const t = useShellWords()
  const { href } = useClient()
  const below = item.sub_menus.some((child) => holdsRoute(child, current))
  // What the user has opened or closed stays so, until an entry below is gone to: then it closes behind the user.
  const [choice, setChoice] = useState<boolean>()
  const open = choice ?? below
  useEffect(() => {
    if (below) setChoice(undefined)
  }, [below])

  const within = holdsRoute(item, current)
  const style = { '--depth': depth } as CSSProperties
  const content = <EntryContent item={item} collapsed={collapsed} depth={depth} />
  const entries = (items: MenuItem[]) => (
    <ul>
      {items.map((child) => (
        <SidebarEntry
          key={child.id}
          item={child}
          current={current}
          collapsed={false}
          depth={depth + 1}
          onPrefetch={onPrefetch}
        />
      ))}
    </ul>
  )
  if (collapsed && item.sub_menus.length > 0) {
    const itself = item.front_route ? [{ ...item, sub_menus: [] }] : []
    return (
      <SidebarPopup name={item.name} current={current} within={within} content={content}>
        {entries([...itself, ...item.sub_menus])}
      </SidebarPopup>
    )
  }

  const turn = (event: KeyboardEvent) => {
    const next = { ArrowRight: true, ArrowLeft: false }[event.key]
    if (next !== undefined) setChoice(next)
  }
  const link = (
    <a
      href={href(item.front_route)}
      className="sidebar-entry"
      style={style}
      title={collapsed ? item.name : undefined}
      aria-current={item.front_route === current ? 'page' : undefined}
      onKeyDown={item.sub_menus.length > 0 ? turn : undefined}
      onMouseEnter={() => onPrefetch(item.front_route)}
      onFocus={() => onPrefetch(item.front_route)}
    >
      {content}
    </a>
  )
  if (item.sub_menus.length === 0) return <li>{link}</li>
  const arrow = <DownOutlined className="sidebar-arrow" data-open={open} aria-hidden />
  return (
    <li data-within={within}>
      {item.front_route ? (
        <div className="sidebar-both">
          {link}
          <button
            type="button"
            aria-expanded={open}
            aria-label={t('openDirectory', { name: item.name })}
            onClick={() => setChoice(!open)}
          >
            {arrow}
          </button>
        </div>
      ) : (
        <button
          type="button"
          className="sidebar-entry"
          style={style}
          aria-expanded={open}
          onClick={() => setChoice(!open)}
          onKeyDown={turn}
        >
          {content}
          {arrow}
        </button>
      )}
      {open && entries(item.sub_menus)}
    </li>
  )
}
