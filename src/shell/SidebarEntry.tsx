import { DownOutlined } from '@ant-design/icons'
import { useEffect, useState } from 'react'
import type { ComponentProps, CSSProperties, KeyboardEvent } from 'react'
import { useClient } from '../../engine/client/index.ts'
import type { MenuItem } from '../../engine/model/model.ts'
import { EntryContent } from './EntryContent.tsx'
import { SidebarPopup } from './SidebarPopup.tsx'
import { useShellWords } from './words.ts'

interface SidebarEntryProps {
  item: MenuItem
  /** The route whose entry is highlighted. */
  current: string
  collapsed: boolean
  depth: number
  onPrefetch(route: string): void
}

export const holdsRoute = (item: MenuItem, route: string): boolean =>
  item.front_route === route || item.sub_menus.some((child) => holdsRoute(child, route))

/** A menu entry at any depth: a link, a directory, or a screen with others below it. */
export function SidebarEntry({ item, current, collapsed, depth, onPrefetch }: SidebarEntryProps) {
  const t = useShellWords()
  const { href } = useClient()
  const below = item.sub_menus.some((child) => holdsRoute(child, current))
  // The user's choice holds until an entry below is visited; after that the directory closes behind the user.
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
  const toggle: ToggleProps = { open, onClick: () => setChoice(!open) }
  return (
    <li data-within={within}>
      {item.front_route ? (
        <div className="sidebar-both">
          {link}
          <Toggle {...toggle} aria-label={t('openDirectory', { name: item.name })} />
        </div>
      ) : (
        <Toggle {...toggle} className="sidebar-entry" style={style} onKeyDown={turn}>
          {content}
        </Toggle>
      )}
      {open && entries(item.sub_menus)}
    </li>
  )
}

interface ToggleProps extends ComponentProps<'button'> {
  open: boolean
}

/** Opens and closes a directory. */
function Toggle({ open, children, ...rest }: ToggleProps) {
  return (
    <button type="button" aria-expanded={open} {...rest}>
      {children}
      <DownOutlined className="sidebar-arrow" data-open={open} aria-hidden />
    </button>
  )
}
