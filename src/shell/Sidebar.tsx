import { DownOutlined } from '@ant-design/icons'
import { useEffect, useState } from 'react'
import { useClient } from '../../engine/client/index.ts'
import type { MenuItem } from '../../engine/schema/model.ts'
import { constants } from './constants.ts'
import { MenuIcon } from './icons.tsx'
import { useShellWords } from './words.ts'

interface SidebarProps {
  items: MenuItem[]
  /** The route whose entry is marked. */
  current: string
  title: string
  collapsed: boolean
  logo: boolean
  onPrefetch(route: string): void
}

const holds = (item: MenuItem, route: string): boolean => item.front_route === route || item.sub_menus.some((child) => holds(child, route))

/** The menu. Entries are links, so they open in a new window too; a directory opens and closes. */
export function Sidebar({ items, current, title, collapsed, logo, onPrefetch }: SidebarProps) {
  const t = useShellWords()
  return (
    <nav className="sidebar" aria-label={t('menu')} data-collapsed={collapsed}>
      {logo && <div className="sidebar-logo"><span className="sidebar-mark" aria-hidden="true"><i /><i /><i /></span>{!collapsed && <span>{title}</span>}</div>}
      <ul className="sidebar-menu">
        {items.map((item) => <Entry key={item.id} item={item} current={current} collapsed={collapsed} depth={0} onPrefetch={onPrefetch} />)}
      </ul>
    </nav>
  )
}

interface EntryProps { item: MenuItem; current: string; collapsed: boolean; depth: number; onPrefetch(route: string): void }

function Entry({ item, current, collapsed, depth, onPrefetch }: EntryProps) {
  const { href } = useClient()
  const within = holds(item, current)
  const [open, setOpen] = useState(within)
  useEffect(() => { if (within) setOpen(true) }, [within])
  const content = (
    <>
      {item.icon ? <MenuIcon name={item.icon} /> : depth === 0 && <MenuIcon name="" />}
      {(!collapsed || depth > 0) && <span className="sidebar-name" title={item.name}>{item.name}</span>}
      {item.corner_num > 0 && <span className="sidebar-badge">{item.corner_num > constants.badgeMaximum ? `${constants.badgeMaximum}+` : item.corner_num}</span>}
    </>
  )
  const style = { paddingInlineStart: collapsed ? undefined : 20 + depth * 20 }
  if (item.sub_menus.length === 0) {
    return (
      <li>
        <a
          href={href(item.front_route)} className="sidebar-entry" style={style} aria-label={collapsed ? item.name : undefined}
          aria-current={item.front_route === current ? 'page' : undefined}
          onMouseEnter={() => onPrefetch(item.front_route)} onFocus={() => onPrefetch(item.front_route)}
        >{content}</a>
      </li>
    )
  }
  return (
    <li data-within={within}>
      <button type="button" className="sidebar-entry" style={style} aria-expanded={open} aria-label={collapsed ? item.name : undefined} onClick={() => setOpen(!open)}>
        {content}
        {!collapsed && <DownOutlined className="sidebar-arrow" data-open={open} aria-hidden />}
      </button>
      {open && (
        <ul>
          {item.sub_menus.map((child) => <Entry key={child.id} item={child} current={current} collapsed={collapsed} depth={depth + 1} onPrefetch={onPrefetch} />)}
        </ul>
      )}
    </li>
  )
}
