import type { FastifyInstance } from 'fastify'
import { sql, type RawBuilder } from 'kysely'
import { textIn } from '../../model/language.ts'
import type { MenuItem, ScreenPlan } from '../../model/model.ts'
import { may, mayOpen } from '../identity/access.ts'
import { answer } from '../http/envelope.ts'
import { declaredConditions } from '../records/reading/filters.ts'
import { screenAt } from '../catalog/menuEntries.ts'
import { policy } from '../identity/policies.ts'
import { main } from '../records/reading/columnOf.ts'
import { allOf, visibleConditions } from '../records/reading/visibleConditions.ts'
import { readableTable } from '../records/reading/readableTable.ts'
import type { Context, MenuNode } from '../runtime.ts'

/** No badge counts further: the frame shows at most 99 (specification, section 9), and then a plus. */
const countedAtMost = 100

export function menuRoutes(api: FastifyInstance): void {
  // A page that is being opened draws its entries first, and requests their badges once its records are shown.
  api.get<{ Querystring: { badges?: string } }>('/partner-menu/get-user-nav-menu', async ({ context, query }) =>
    answer(await menuOf(context, query.badges !== 'later')),
  )

  api.get('/partner-menu/get-user-menus', async ({ context }) =>
    answer(context.derived.catalog.permissions.map(({ value }) => value).filter((value) => may(context.user, value))),
  )
}

/**
 * Enabled and visible entries with their ancestors, if the user may open them; entries below a screen that the user may
 * not open move up. An empty directory is left out.
 */
async function menuOf(context: Context, counting: boolean): Promise<MenuItem[]> {
  const { screens } = context.derived.catalog
  const nodes = new Map(context.menu.map((node, index) => [node.code, { ...node, id: index + 1 }]))
  const screenOf = ({ code, address }: MenuNode): ScreenPlan | undefined =>
    address !== undefined
      ? screenAt(context.derived.catalog, address)?.screen
      : Object.hasOwn(screens, code)
        ? screens[code]
        : undefined
  const isOn = ({ enabled, hidden, parent }: MenuNode): boolean =>
    enabled && !hidden && (parent === null || isOn(nodes.get(parent)!))
  const isOffered = (node: MenuNode) => {
    const screen = screenOf(node)
    // A page whose screen is gone leads nowhere; a directory leads to its children.
    return screen ? mayOpen(context.user, screen) : node.address === undefined
  }
  const shown = [...nodes.values()].filter((node) => isOn(node) && isOffered(node)).sort((a, b) => a.order - b.order)
  const above = ({ parent }: MenuNode): string | null =>
    parent === null || shown.some(({ code }) => code === parent) ? parent : above(nodes.get(parent)!)
  const counts = await readBadges(
    context,
    shown.flatMap((node) => {
      const waiting = counting && node.badge && screenOf(node) ? badgeOf(context, screenOf(node)!) : undefined
      return waiting ? sql`select ${node.code}::text as code, (${waiting}) as count` : []
    }),
  )

  const itemsIn = (parent: string | null): MenuItem[] =>
    shown
      .filter((node) => above(node) === parent)
      .flatMap((node): MenuItem[] => {
        const screen = screenOf(node)
        const below = itemsIn(node.code)
        return !screen && below.length === 0
          ? []
          : [
              {
                id: node.id,
                name: textIn(node.label, context.language),
                front_route: node.address ?? screen?.route ?? '',
                sub_menus: below,
                corner_max: policy(context.runtime, 'badgeMaximum'),
                corner_num: Math.min(countedAtMost, (counts.get(node.code) ?? 0) + sum(below)),
                icon: node.icon,
                noCache: node.noCache,
                affix: node.affix,
              },
            ]
      })
  return itemsIn(null)
}

const sum = (items: MenuItem[]) => items.reduce((total, item) => total + item.corner_num, 0)

/** One statement counts all of them, because each page begins with it. */
async function readBadges(context: Context, badges: readonly RawBuilder<unknown>[]): Promise<Map<string, number>> {
  if (badges.length === 0) return new Map()
  const { rows } = await sql<{ code: string; count: number }>`${sql.join(badges, sql` union all `)}`.execute(
    context.runtime.database.kysely,
  )
  return new Map(rows.map(({ code, count }) => [code, count]))
}

/** How many records wait there for this user, as SQL; undefined if the user has no badge there. */
function badgeOf(context: Context, screen: ScreenPlan): RawBuilder<unknown> | undefined {
  const badge = screen.menu!.badge?.find(({ permission }) => may(context.user, permission ?? screen.permission))
  const entity = screen.entity === undefined ? undefined : context.derived.catalog.entities[screen.entity]
  if (!badge || !entity) return undefined
  const conditions = [...visibleConditions(context, entity), ...declaredConditions(context, entity, main, badge.filter)]
  return sql`select count(*)::integer from (
    select 1 from ${readableTable(context, entity)} as ${sql.ref(main)} where ${allOf(conditions)} limit ${countedAtMost}) as waiting`
}
