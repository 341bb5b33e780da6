import { filter, filterValues, integer, label, list, oneOf, optional, shape, string } from '../../schema/model.ts'
import type { AssembleScope, DeclaredScreen, FilterValue, Label, ScreenKind, Static, TagColour } from '../../schema/model.ts'
import type { ListFile } from '../list/list.ts'
import type { TabsFile } from '../tabs/tabs.ts'
import { assembleBlock, blockShape } from './block.ts'
import type { BoardBlock } from './block.ts'

const boardShape = shape({
  welcome: optional(label()),
  /** How many records of a list wait under a filter; a card leads to the list with that filter. */
  cards: list(shape({
    name: string(),
    label: label(),
    screen: string({ names: 'screen', scope: true }),
    filter: filter({ default: {} }),
    icon: optional(string()),
    tag: optional(oneOf(['info', 'primary', 'success', 'warning', 'danger'])),
  }), { distinct: ['name'], default: [] }),
  /** What is to be done on which days of each month: a step is done when no record of its list waits any more. */
  calendar: optional(shape({
    label: label(),
    steps: list(shape({
      name: string(),
      label: label(),
      screen: string({ names: 'screen', scope: true }),
      filter: filter({ default: {} }),
      from: integer({ minimum: 1, maximum: 31 }),
      to: integer({ minimum: 1, maximum: 31, about: { cn: '短于此日的月份为月末', en: 'In a shorter month, its last day' } }),
    }), { distinct: ['name'], minItems: 1 }),
  })),
  blocks: list(blockShape, { distinct: ['name'], default: [] }),
})
export type BoardFile = Static<typeof boardShape>

export interface BoardCard {
  name: string
  label: Label
  icon?: string
  tag?: TagColour
  /** The list that it leads to, and the filter that the address brings along. */
  to: string
  entity: string
  /** Of the list: the card is not shown without it. */
  permission: string
  /** `GET path?filters=…&size=1`: its total is the number. */
  path: string
  filters: Record<string, FilterValue>
}
export interface BoardStep extends BoardCard { days: { from: number; to: number } }
export interface BoardPlan { welcome?: Label; cards: BoardCard[]; calendar?: { label: Label; steps: BoardStep[] }; blocks: BoardBlock[] }

export const board: ScreenKind<BoardFile, BoardPlan> = {
  kind: 'board',
  label: { cn: '首页看板', en: 'Board' },
  shape: boardShape,
  data: 'none',
  assemble: (file, scope) => ({
    ...(file.welcome && { welcome: file.welcome }),
    cards: file.cards.flatMap((card, index) => assembleCard(card, `/cards/${index}`, scope)),
    ...(file.calendar && { calendar: {
      label: file.calendar.label,
      steps: file.calendar.steps.flatMap((step, index) => assembleCard(step, `/calendar/steps/${index}`, scope).map((card) => ({ ...card, days: { from: step.from, to: step.to } }))),
    } }),
    blocks: file.blocks.map((block, index) => assembleBlock(block, `/blocks/${index}`, scope)),
  }),
}

type Counting = Omit<BoardFile['cards'][number], 'icon' | 'tag'> & Partial<BoardFile['cards'][number]>

function assembleCard({ screen: name, filter, ...rest }: Counting, pointer: string, scope: AssembleScope): BoardCard[] {
  const screen = scope.screen(name)
  const route = screen?.kind === 'list' ? routeOf(name, scope) : undefined
  if (screen?.entity === undefined || route === undefined) {
    scope.issue('missing-screen', `${pointer}/screen`, { found: rest.name, kind: 'list', entity: 'records', mode: ' with a route' })
    return []
  }
  const { name: own, label, icon, tag } = rest
  const file = screen.file as DeclaredScreen['file'] & ListFile
  const entity = scope.catalog.entities[screen.entity]
  const filters = filterValues(filter)
  return [{
    name: own, label, ...(icon !== undefined && { icon }), ...(tag && { tag }), to: addressOf(route, filters, file), entity: entity.name,
    permission: scope.permission(file.permission ?? 'view', entity.name), path: file.endpoints.list ?? `${entity.endpoint}/list`,
    filters: { ...filterValues(file.where), ...filters },
  }]
}

/** Its own, or that of the screen that has it as a tab. */
function routeOf(name: string, scope: AssembleScope): string | undefined {
  const { route, entity } = scope.screen(name)!
  if (route !== undefined || entity === undefined) return route
  for (const host of scope.screensOf(entity, 'tabs')) {
    const tab = (host.file as DeclaredScreen['file'] & TabsFile).tabs.find(({ screen }) => screen === name)
    if (tab && host.route !== undefined) return `${host.route}?part=${tab.name}`
  }
  return undefined
}

/** The tab that has just this filter, else one `f.<field>` for each field. */
function addressOf(route: string, filters: Record<string, FilterValue>, file: ListFile): string {
  const wanted = JSON.stringify(filters)
  const tab = file.tabs.find((tab) => JSON.stringify(filterValues(tab.filter)) === wanted)
  const query = tab ? [`tab=${tab.name}`]
    : Object.entries(filters).map(([field, value]) => `f.${field}=${encodeURIComponent(JSON.stringify(value))}`)
  return query.length ? `${route}${route.includes('?') ? '&' : '?'}${query.join('&')}` : route
}
