import { filter, filterValues, label, list, oneOf, optional, shape, string } from '../../schema/model.ts'
import type { AssembleScope, DeclaredScreen, FilterValue, Label, ScreenKind, Static, TagColour } from '../../schema/model.ts'
import type { ListFile } from '../list/list.ts'
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
export interface BoardPlan { welcome?: Label; cards: BoardCard[]; blocks: BoardBlock[] }

export const board: ScreenKind<BoardFile, BoardPlan> = {
  kind: 'board',
  label: { cn: '首页看板', en: 'Board' },
  shape: boardShape,
  data: 'none',
  assemble: (file, scope) => ({
    ...(file.welcome && { welcome: file.welcome }),
    cards: file.cards.flatMap((card, index) => assembleCard(card, `/cards/${index}/screen`, scope)),
    blocks: file.blocks.map((block, index) => assembleBlock(block, `/blocks/${index}`, scope)),
  }),
}

function assembleCard({ screen: name, filter, ...card }: BoardFile['cards'][number], pointer: string, scope: AssembleScope): BoardCard[] {
  const screen = scope.screen(name)
  if (screen?.kind !== 'list' || screen.route === undefined || screen.entity === undefined) {
    scope.issue('missing-screen', pointer, { found: card.name, kind: 'list', entity: 'records', mode: ' with a route' })
    return []
  }
  const file = screen.file as DeclaredScreen['file'] & ListFile
  const entity = scope.catalog.entities[screen.entity]
  const filters = filterValues(filter)
  return [{
    ...card, to: addressOf(screen.route, filters, file), entity: entity.name,
    permission: scope.permission(file.permission ?? 'view', entity.name), path: file.endpoints.list ?? `${entity.endpoint}/list`,
    filters: { ...filterValues(file.where), ...filters },
  }]
}

/** The tab that has just this filter, else one `f.<field>` for each field. */
function addressOf(route: string, filters: Record<string, FilterValue>, file: ListFile): string {
  const wanted = JSON.stringify(filters)
  const tab = file.tabs.find((tab) => JSON.stringify(filterValues(tab.filter)) === wanted)
  const query = tab ? [`tab=${tab.name}`]
    : Object.entries(filters).map(([field, value]) => `f.${field}=${encodeURIComponent(JSON.stringify(value))}`)
  return query.length ? `${route}?${query.join('&')}` : route
}
