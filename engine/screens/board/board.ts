import {
  condition,
  either,
  filter,
  filterValues,
  integer,
  label,
  list,
  numberFormula,
  oneOf,
  optional,
  shape,
  string,
} from '../../model/model.ts'
import type {
  AssembleScope,
  DeclaredScreen,
  FilterValue,
  Label,
  ScreenKind,
  Static,
  TagColour,
  WaitingRecords,
} from '../../model/model.ts'
import { startsNarrowed } from '../list/list.ts'
import type { ListFile } from '../list/list.ts'
import type { TabsFile } from '../tabs/tabs.ts'
import { grainOf } from '../measures.ts'
import { assembleBlock, blockShape } from './block.ts'
import type { BoardBlock } from './block.ts'

const day = either<number | string>([integer({ minimum: 1, maximum: 31 }), numberFormula()], {
  about: {
    cn: '几号，或得出几号的表达式（settings.…）；短于此日的月份为月末',
    en: 'A day of the month, or an expression that yields one (settings.…); in a shorter month, its last day',
  },
})

const boardShape = shape({
  welcome: optional(label()),
  /** How many records of a list wait under a filter; the card links to the list with that filter. */
  cards: list(
    shape({
      name: string(),
      label: label(),
      screen: string({ names: 'screen', scope: true }),
      filter: filter({ default: {} }),
      tag: optional(oneOf(['info', 'primary', 'success', 'warning', 'danger'])),
      roles: list(string({ names: 'role' }), {
        distinct: true,
        default: [],
        about: { cn: '以此为本职的角色，其卡片排在最前', en: 'The roles whose work this is; their cards come first' },
      }),
      since: optional(
        string({
          about: {
            cn: '开始等待的时间字段，显示最早一条',
            en: 'Since when a record has been waiting; the oldest date is shown',
          },
        }),
      ),
      due: optional(string({ about: { cn: '截止日期字段，显示最近一条', en: 'The due date; the nearest is shown' } })),
    }),
    { distinct: ['name'], default: [] },
  ),
  /** Pages of their own menu that users put on their board. */
  links: optional(
    shape({
      label: label(),
      max: integer({ default: 8, minimum: 1, maximum: 30 }),
      /** The default pages, if they are in the user's menu. */
      screens: list(string({ names: 'screen' }), { distinct: true, default: [] }),
    }),
  ),
  /** The steps due on certain days of each month. */
  calendar: optional(
    shape({
      label: label(),
      steps: list(
        shape({
          name: string(),
          label: label(),
          from: day,
          to: day,
          /** Done when no record of these lists waits any more. If there are several, each has its own name. */
          lists: list(
            shape({
              label: optional(label()),
              screen: string({ names: 'screen', scope: true }),
              filter: filter({ default: {} }),
            }),
            { default: [] },
          ),
          /** Without lists: the condition that it is done, and the page to do it on. */
          doneWhen: optional(condition({ about: { cn: '只读取设置与日期', en: 'Of settings and dates' } })),
          page: optional(string({ names: 'screen' })),
        }),
        { distinct: ['name'], minItems: 1 },
      ),
    }),
  ),
  blocks: list(blockShape, { distinct: ['name'], default: [] }),
})
export type BoardFile = Static<typeof boardShape>

export interface BoardCard {
  name: string
  label: Label
  tag?: TagColour
  /** The target list, and the filter in its address. */
  to: string
  /** The list's permission: without it the card is not shown. */
  permission: string
  /** Its name among `waiting` of the plan. */
  counts: string
  roles: string[]
  /** What the earliest date means: the age of the oldest, or the next due date. */
  dated?: 'since' | 'due'
}
/** `lists`: what waits in it. `done`: its own condition. */
export interface BoardStep {
  name: string
  label: Label
  days: { from: number | string; to: number | string }
  lists: BoardCard[]
  done?: { when: string; to: string; permission: string }
}
/** `begin`: the default routes. */
export interface BoardLinks {
  label: Label
  max: number
  begin: string[]
}
export interface BoardPlan {
  welcome?: Label
  waiting: WaitingRecords[]
  cards: BoardCard[]
  links?: BoardLinks
  calendar?: { label: Label; steps: BoardStep[] }
  blocks: BoardBlock[]
}

export const board: ScreenKind<BoardFile, BoardPlan> = {
  kind: 'board',
  label: { cn: '首页看板', en: 'Board' },
  shape: boardShape,
  data: 'none',
  assemble(file, scope) {
    const waiting: WaitingRecords[] = []
    return {
      ...(file.welcome && { welcome: file.welcome }),
      waiting,
      cards: file.cards.flatMap((card, index) => assembleCard(card, `/cards/${index}`, { scope, waiting })),
      ...(file.links && {
        links: {
          label: file.links.label,
          max: file.links.max,
          begin: file.links.screens.flatMap((name, index) => listed(name, `/links/screens/${index}`, scope)),
        },
      }),
      ...(file.calendar && {
        calendar: {
          label: file.calendar.label,
          steps: file.calendar.steps.map((step, index) =>
            assembleStep(step, `/calendar/steps/${index}`, { scope, waiting }),
          ),
        },
      }),
      blocks: file.blocks.map((block, index) => assembleBlock(block, `/blocks/${index}`, scope)),
    }
  },
}

interface Assembling {
  scope: AssembleScope
  /** The records counted so far. */
  waiting: WaitingRecords[]
}

/** The route of a screen in the menu. */
function listed(name: string, pointer: string, scope: AssembleScope): string[] {
  const screen = scope.screen(name)
  if (screen?.route !== undefined && screen.file.menu) return [screen.route]
  if (!lacksRoute(name, scope)) scope.issue('unlisted-screen', pointer, { found: name })
  return []
}

type StepFile = NonNullable<BoardFile['calendar']>['steps'][number]

function assembleStep(
  { name, label, from, to, lists, doneWhen, page }: StepFile,
  pointer: string,
  assembling: Assembling,
): BoardStep {
  const { scope } = assembling
  if (lists.length > 0 === (doneWhen !== undefined)) scope.issue('not-one', pointer, { keys: 'lists, doneWhen' })
  if (doneWhen !== undefined && page === undefined) scope.issue('missing-key', pointer, { found: 'page' })
  const cards = lists.flatMap((one, index) => {
    if (one.label === undefined && lists.length > 1)
      scope.issue('missing-key', `${pointer}/lists/${index}`, { found: 'label' })
    return assembleCard(
      { ...one, name: `${name}.${index}`, label: one.label ?? label },
      `${pointer}/lists/${index}`,
      assembling,
    )
  })
  const route = page === undefined ? undefined : scope.screen(page)?.route
  if (page !== undefined && route === undefined && !lacksRoute(page, scope))
    scope.issue('missing-route', `${pointer}/page`, { what: 'that a step leads to' })
  return {
    name,
    label,
    days: { from, to },
    lists: cards,
    ...(doneWhen !== undefined &&
      page !== undefined &&
      route !== undefined && { done: { when: doneWhen, to: route, permission: scope.permissionOfScreen(page) } }),
  }
}

type Counting = Pick<BoardFile['cards'][number], 'name' | 'label' | 'screen' | 'filter'> &
  Partial<BoardFile['cards'][number]>

/** A screen in the menu without a route, which is reported there. */
function lacksRoute(name: string, scope: AssembleScope): boolean {
  const screen = scope.screen(name)
  return screen?.route === undefined && screen?.file.menu !== undefined
}

function assembleCard(
  { screen: name, filter, ...rest }: Counting,
  pointer: string,
  { scope, waiting }: Assembling,
): BoardCard[] {
  const screen = scope.screen(name)
  const route = screen?.kind === 'list' ? routeOf(name, scope) : undefined
  if (lacksRoute(name, scope)) return []
  if (screen?.entity === undefined || route === undefined) {
    const what = `"${rest.name}" needs a list of records with a route, which ${name} is not`
    scope.issue('missing-screen', `${pointer}/screen`, { what })
    return []
  }
  const { name: own, label, tag, roles = [], since, due } = rest
  const file = screen.file as DeclaredScreen['file'] & ListFile
  const entity = scope.catalog.entities[screen.entity]
  const filters = filterValues(filter)
  const unlisted = (field: string) =>
    scope.issue('unlisted-filter', `${pointer}/filter/${field}`, { found: field, screen: name })
  const dated = (field: string | undefined, as: 'since' | 'due') => {
    if (field === undefined) return undefined
    const known = Object.hasOwn(entity.fields, field) && grainOf(entity.fields[field], scope)
    if (known && known !== 'month' && scope.isQueried(entity.name, field)) return { field, as }
    scope.issue('unlisted-filter', `${pointer}/${as}`, {
      found: field,
      screen: name,
      allowed: file.filters.map((one) => one.field),
    })
    return undefined
  }
  const date = dated(due, 'due') ?? dated(since, 'since')
  const permission = scope.permission(file.permission ?? 'view', entity.name)
  const counted = { entity: entity.name, permission, filters: { ...filterValues(file.where), ...filters } }
  return [
    {
      name: own,
      label,
      roles,
      permission,
      ...(date && { dated: date.as }),
      ...(tag && { tag }),
      to: addressOf(route, filters, file, unlisted),
      counts: countedIn(waiting, { ...counted, ...(date && { dated: date.field }) }, own),
    },
  ]
}

/** Records shown by several cards and steps are counted once. @returns its name among them */
function countedIn(waiting: WaitingRecords[], counted: Omit<WaitingRecords, 'name'>, name: string): string {
  const keyOf = ({ entity, permission, filters }: Omit<WaitingRecords, 'name'>) =>
    JSON.stringify([entity, permission, filters])
  const known = waiting.find(
    (one) => keyOf(one) === keyOf(counted) && (counted.dated === undefined || counted.dated === one.dated),
  )
  if (known) return known.name
  waiting.push({ name, ...counted })
  return name
}

/** Its own route, or that of the screen that has it as a tab. */
function routeOf(name: string, scope: AssembleScope): string | undefined {
  const { route, entity } = scope.screen(name)!
  if (route !== undefined || entity === undefined) return route
  for (const host of scope.screensOf(entity, 'tabs')) {
    const tab = (host.file as DeclaredScreen['file'] & TabsFile).tabs.find(({ screen }) => screen === name)
    if (tab && host.route !== undefined) return `${host.route}?part=${tab.name}`
  }
  return undefined
}

/**
 * The tab with exactly this filter, else one `f.<field>` for each field, in an unfiltered tab if the list would open
 * another.
 */
function addressOf(
  route: string,
  filters: Record<string, FilterValue>,
  file: ListFile,
  unlisted: (field: string) => void,
): string {
  const wanted = JSON.stringify(filters)
  const tab = file.tabs.find((tab) => JSON.stringify(filterValues(tab.filter)) === wanted)
  // The list would show all of them.
  if (!tab)
    Object.keys(filters)
      .filter((name) => !file.filters.some(({ field }) => field === name))
      .forEach(unlisted)
  const isOpen = ({ filter }: ListFile['tabs'][number]) => Object.keys(filter).length === 0
  const whole = file.tabs.length > 0 && !isOpen(file.tabs[0]) ? file.tabs.find(isOpen) : undefined
  // The list's initial filters would narrow it further.
  const started = file.filters
    .filter((one) => startsNarrowed(one) && !Object.hasOwn(filters, one.field))
    .map(({ field }) => `f.${field}=`)
  const query = tab
    ? [`tab=${tab.name}`, ...started]
    : [
        ...started,
        ...(whole ? [`tab=${whole.name}`] : []),
        ...Object.entries(filters).map(([field, value]) => `f.${field}=${encodeURIComponent(JSON.stringify(value))}`),
      ]
  return query.length ? `${route}${route.includes('?') ? '&' : '?'}${query.join('&')}` : route
}
