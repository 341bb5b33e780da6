import { lazy } from 'react'
import type { ComponentType } from 'react'
import type { Label } from '../../engine/model/model.ts'

/** A page that no schema file says. */
export interface OwnPage {
  title: Label
  Page: ComponentType
}

/**
 * What the first part of an address leads to, where no screen has it. The gallery is no part of what is built for
 * production.
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
