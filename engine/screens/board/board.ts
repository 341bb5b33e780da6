import { nearestName } from '../../expression/index.ts'
import { combined, filterValues } from '../../model/model.ts'
import type { AssembleScope, DeclaredScreen, Label, ScreenKind, TagColour, WaitingRecords } from '../../model/model.ts'
import type { ListFile } from '../list/listShape.ts'
import { grainOf } from '../groupKeys.ts'
import { assembleBlock } from './block.ts'
import type { BoardBlock } from './block.ts'
import { boardShape } from './boardShape.ts'
import type { BoardFile } from './boardShape.ts'
import { routeOf, addressOf } from './listAddress.ts'

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
  const cards = lists.flatMap((list, index) => {
    if (list.label === undefined && lists.length > 1)
      scope.issue('missing-key', `${pointer}/lists/${index}`, { found: 'label' })
    return assembleCard(
      { ...list, name: `${name}.${index}`, label: list.label ?? label },
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
  const isDay = (field: string) => {
    const grain = grainOf(entity.fields[field], scope)
    return grain !== undefined && grain !== 'month' && scope.isQueried(entity.name, field)
  }
  const dated = (field: string | undefined, as: 'since' | 'due') => {
    if (field === undefined) return undefined
    if (Object.hasOwn(entity.fields, field) && isDay(field)) return { field, as }
    const days = Object.keys(entity.fields).filter(isDay)
    scope.issue('wrong-type', `${pointer}/${as}`, {
      wanted: `A field of ${entity.name} that holds a day or a moment belongs here`,
      found: `"${field}"`,
      allowed: days,
      suggestion: nearestName(field, days),
    })
    return undefined
  }
  const date = dated(due, 'due') ?? dated(since, 'since')
  const permission = scope.permission(file.permission ?? 'view', entity.name)
  const counted = { entity: entity.name, permission, filters: combined(filterValues(file.where), filters) }
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
    (records) => keyOf(records) === keyOf(counted) && (counted.dated === undefined || counted.dated === records.dated),
  )
  if (known) return known.name
  waiting.push({ name, ...counted })
  return name
}
