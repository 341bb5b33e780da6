import type { MenuItem } from '../../model/model.ts'

/** A page of the menu, and the names of its parents. */
export interface MenuPage {
  route: string
  name: string
  above: string[]
  waiting: number
}

/** The user's stored routes, in order. */
export interface LinksPreference {
  routes: string[]
}

/** Every page in the menu, in order, except the board itself. */
export function pagesOf(items: readonly MenuItem[], board: string | undefined, above: string[] = []): MenuPage[] {
  return items.flatMap((item) => [
    ...(item.front_route && item.front_route !== board
      ? [{ route: item.front_route, name: item.name, above, waiting: item.sub_menus.length > 0 ? 0 : item.corner_num }]
      : []),
    ...pagesOf(item.sub_menus, board, [...above, item.name]),
  ])
}

/** The pages at these routes that are in the menu. Others are left out, and reappear when the menu has them again. */
export function chosenPages(pages: readonly MenuPage[], routes: unknown, max: number): MenuPage[] {
  const wanted = Array.isArray(routes) ? [...new Set(routes as unknown[])] : []
  return wanted.flatMap((route) => pages.find((page) => page.route === route) ?? []).slice(0, max)
}

/** Pages whose names, or those of their parents, contain all the words. */
export function foundPages(pages: readonly MenuPage[], text: string): MenuPage[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return pages.filter(({ name, above }) => {
    const searchText = [...above, name].join(' ').toLowerCase()
    return words.every((word) => searchText.includes(word))
  })
}
