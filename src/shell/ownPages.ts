import { lazy } from 'react'
import type { ComponentType } from 'react'
import type { Label } from '../../engine/model/model.ts'

/** A page that is not declared in a schema file. */
export interface OwnPage {
  title: Label
  Page: ComponentType
}

/**
 * The shell's own pages by the first part of the address, if no screen has it. Production builds leave out the gallery.
 */
const pages: Record<string, OwnPage> = {
  help: { title: { cn: '帮助', en: 'Help' }, Page: lazy(() => import('../help/Help.tsx')) },
  ...(import.meta.env.DEV && {
    gallery: { title: { cn: '组件库', en: 'Gallery' }, Page: lazy(() => import('../desk/gallery/Gallery.tsx')) },
  }),
}

export function ownPageOf(path: string): OwnPage | undefined {
  const [, name] = path.split('/')
  return Object.hasOwn(pages, name) ? pages[name] : undefined
}
