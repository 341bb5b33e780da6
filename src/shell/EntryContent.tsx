import type { MenuItem } from '../../engine/model/model.ts'
import { MenuIcon } from './icons.tsx'

/** The content of a menu entry: icon, name and how many records wait there. */
export function EntryContent({ item, collapsed, depth }: { item: MenuItem; collapsed: boolean; depth: number }) {
  return (
    <>
      {item.icon ? <MenuIcon name={item.icon} /> : depth === 0 && <MenuIcon name="" />}
      <span className={collapsed ? 'visually-hidden' : 'sidebar-name'} title={collapsed ? undefined : item.name}>
        {item.name}
      </span>
      {item.corner_num > 0 && (
        <span className="sidebar-badge" title={String(item.corner_num)}>
          {item.corner_num > item.corner_max ? `${item.corner_max}+` : item.corner_num}
        </span>
      )}
    </>
  )
}
