import type { MenuItem } from '../../model/model.ts'

/** A page of the menu, and the names of what stands above it. */
export interface MenuPage {
  route: string
  name: string
  above: string[]
  waiting: number
}

/** What a user keeps: routes, in their order. */
export interface LinksPreference {
  routes: string[]
}

/** Every page that the menu leads to, in its order, but for the board itself. */
export function pagesOf(items: readonly MenuItem[], board: string | undefined, above: string[] = []): MenuPage[] {
  return items.flatMap((item) => [
    ...(item.front_route && item.front_route !== board
      ? [{ route: item.front_route, name: item.name, above, waiting: item.sub_menus.length > 0 ? 0 : item.corner_num }]
      : []),
    ...pagesOf(item.sub_menus, board, [...above, item.name]),
  ])
}

/**
 * The pages at these routes that the menu leads to. What it does not lead to any more is left out, and is there again
 * when it does.
 */
export function chosenPages(pages: readonly MenuPage[], routes: unknown, max: number): MenuPage[] {
  const wanted = Array.isArray(routes) ? [...new Set(routes as unknown[])] : []
  return wanted.flatMap((route) => pages.find((page) => page.route === route) ?? []).slice(0, max)
}

/** Those whose name, or what stands above it, has all the words. */
export function foundPages(pages: readonly MenuPage[], text: string): MenuPage[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return pages.filter(({ name, above }) => {
    const said = [...above, name].join(' ').toLowerCase()
    return words.every((word) => said.includes(word))
  })
}
