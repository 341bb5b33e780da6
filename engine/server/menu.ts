import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { MenuItem, ScreenPlan } from '../schema/model.ts'
import { may, mayOpen } from './access.ts'
import { answer } from './envelope.ts'
import { declaredConditions } from './filters.ts'
import { allOf, main, visibleConditions } from './read.ts'
import type { Context } from './runtime.ts'
import { tableOf } from './scope.ts'

/** No badge is counted further: the frame shows 99 of them at most (specification, section 9), and a plus beyond. */
const countedAtMost = 100

export function menuRoutes(api: FastifyInstance): void {
  api.get('/partner-menu/get-user-nav-menu', async ({ context }) => answer(await menuOf(context)))

  api.get('/partner-menu/get-user-menus', async ({ context }) =>
    answer(context.derived.catalog.permissions.map(({ value }) => value).filter((value) => may(context.user, value))))
}

/** Home first, then one directory for each area with the screens that the user may open. An empty directory is left out. */
async function menuOf(context: Context): Promise<MenuItem[]> {
  const { app, screens, routes } = context.derived.catalog
  const ids = new Map(Object.keys(screens).map((name, index) => [name, app.areas.length + index + 1]))
  const offered = Object.values(screens).filter((screen) => screen.menu && mayOpen(context.user, screen))
  const counts = new Map(await Promise.all(offered.map(async (screen) => [screen.name, await badgeOf(context, screen)] as const)))

  const item = (screen: ScreenPlan): MenuItem => {
    const below = inOrder(offered.filter((other) => other.menu!.parent === screen.name)).map(item)
    return {
      id: ids.get(screen.name)!, name: (screen.menu!.label ?? screen.title)[context.language], front_route: screen.route ?? '', sub_menus: below,
      corner_num: Math.min(countedAtMost, counts.get(screen.name)! + sum(below)), icon: screen.menu!.icon ?? '', noCache: screen.noCache,
      affix: screen.menu!.affix ?? screen.route === app.home,
    }
  }
  const home = offered.find((screen) => screen.name === routes[app.home])
  const areas = app.areas.flatMap((area, index): MenuItem[] => {
    const entries = inOrder(offered.filter((screen) => screen.area === area.name && screen !== home && !offered.some(({ name }) => name === screen.menu!.parent))).map(item)
    return entries.length === 0 ? [] : [{
      id: index + 1, name: area.label[context.language], front_route: '', sub_menus: entries, corner_num: Math.min(countedAtMost, sum(entries)),
      icon: area.icon ?? '', noCache: false, affix: false,
    }]
  })
  return home ? [item(home), ...areas] : areas
}

const inOrder = (screens: ScreenPlan[]) => screens.sort((a, b) => a.menu!.order - b.menu!.order)
const sum = (items: MenuItem[]) => items.reduce((total, item) => total + item.corner_num, 0)

/** How many records wait there for this user. */
async function badgeOf(context: Context, screen: ScreenPlan): Promise<number> {
  const badge = screen.menu!.badge
  const entity = screen.entity === undefined ? undefined : context.derived.catalog.entities[screen.entity]
  if (!badge || !entity || !may(context.user, badge.permission ?? screen.permission)) return 0
  const conditions = [...visibleConditions(context, entity), ...declaredConditions(context, entity, main, badge.filter)]
  const { rows: [{ count }] } = await sql<{ count: number }>`select count(*)::integer as count from (
    select 1 from ${tableOf(context, entity)} as ${sql.ref(main)} where ${allOf(conditions)} limit ${countedAtMost}) as waiting`.execute(context.runtime.database.kysely)
  return count
}
