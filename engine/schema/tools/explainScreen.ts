import {
  actionsIn,
  placeOfAction,
  plansOf,
  sections,
  text,
  type ExplainedLine,
  type Explanation,
  type Known,
} from './explained.ts'
import type { ActionPlan, ScreenPlan } from '../../model/model.ts'
import { pointerOfTransitions } from '../../model/operations.ts'
import { below } from '../../model/pointer.ts'
import { scopeOf } from '../linking/scope.ts'
import { type Place, placesOf } from '../walk.ts'
import { breaks } from './thing.ts'

/** What a screen shows and does, where each part is declared, and who may open it. */
export function explainScreen(screen: ScreenPlan, known: Known): Explanation {
  const { catalog, where, fileOf } = known
  const file = fileOf(screen.kind, screen.name.split('.')[0])!
  const entity = screen.entity === undefined ? undefined : catalog.entities[screen.entity]
  const entityFile = entity && fileOf('entity', entity.name)!.source
  const table = entity && catalog.tables[entity.name]
  const plans = plansOf(screen)
  const opens = [...new Set(plans.flatMap((plan) => plan.opens ?? [plan.permission]))]
  const actions = [...new Map(plans.flatMap(({ body }) => actionsIn(body)).map((each) => [each.name, each])).values()]
  const parent = screen.parent === undefined ? undefined : catalog.screens[screen.parent]
  const head: ExplainedLine[] = [
    { text: `screen ${screen.name}, of the kind ${screen.kind}`, at: where(file.source) },
    ...(screen.menu
      ? [{ text: `in the menu of ${screen.area}, at ${screen.menu.order}`, at: where(file.source, '/menu', true) }]
      : []),
    ...(parent ? [{ text: `belongs to ${parent.route ?? parent.name}`, at: where(file.source, '/parent', true) }] : []),
    ...Object.entries(screen.variants?.plans ?? {}).map(([value, plan]) => ({
      text: `${screen.variants!.parameter}=${value}: ${text(plan.title)}`,
      at: where(file.source, below(below('/variants', screen.variants!.parameter), value), true),
    })),
    ...(entity ? [{ text: `shows ${text(entity.label)} (entity ${entity.name})`, at: where(entityFile!) }] : []),
    ...(table ? [{ text: `kept in the ${table.view ? 'view' : 'table'} ${table.name}` }] : []),
  ]
  return {
    kind: 'screen',
    name: screen.route ?? screen.name,
    label: screen.title,
    at: where(file.source),
    sections: sections({
      Is: head,
      'Shows the fields': fieldLines(file, known),
      Offers: actions.map((action): ExplainedLine => ({
        text: `${text(action.label)} (${action.name}): ${deed(action)}, takes ${action.permission}`,
        at: placeOfAction(action.name, screen, known),
      })),
      Calls: [...new Set(plans.flatMap(({ body }) => pathsIn(body)))].map((path) => ({ text: path })),
      'Sends messages': entity ? messageLines(entity.name, actions, known) : [],
      'Who may open it': [
        ...opens.map((permission) => ({ text: `takes ${permission}` })),
        ...rolesOf(plans),
        ...known.whoMay(...opens),
      ],
      ...breaks(
        { name: screen.name, isNamed: (place, { source }) => source !== file.source && leadsTo(screen, place) },
        known,
      ),
    }),
  }
}

/** Whether the place names the screen, or leads to its address. */
const leadsTo = ({ name, route }: ScreenPlan, { shape, value }: Place): boolean =>
  (shape.names === 'screen' && value === name) ||
  (shape.names === 'link' && route !== undefined && String(value).split('?')[0] === route)

const rolesOf = (plans: readonly ScreenPlan[]): ExplainedLine[] =>
  [...new Set(plans.flatMap(({ roles = [] }) => roles.map((list) => list.join(' or '))))].map((roles) => ({
    text: `and the role ${roles}`,
  }))

/** Every field that the file names, once: its key, what it is, and both places. */
function fieldLines(file: Parameters<typeof scopeOf>[1], { catalog, names, where, fileOf }: Known): ExplainedLine[] {
  const lines = new Map<string, ExplainedLine>()
  for (const place of placesOf(file.value, file.shape)) {
    if (place.shape.names !== 'field' || typeof place.value !== 'string') continue
    const entity = catalog.entities[scopeOf(place, file, names) ?? '']
    const field = entity?.fields[place.value]
    if (!field) continue
    const under = place.pointer
      .split('/')
      .slice(1)
      .filter((part) => !/^\d+$/.test(part) && part !== 'field')
      .join(' › ')
    const origin = where(fileOf('entity', entity.name)!.source, below('/fields', field.name), true)
    const key = `${under}\n${entity.name}.${field.name}`
    if (lines.has(key)) continue
    const what = `${entity.name}.${field.name} ${text(field.label)}, ${field.type}`
    lines.set(key, { text: `${under}: ${what} (${origin.file}:${origin.line})`, at: where(file.source, place.pointer) })
  }
  return [...lines.values()]
}

function deed({ do: what }: ActionPlan): string {
  switch (what.kind) {
    case 'link':
      return `leads to ${what.to}`
    case 'drawer':
      return `opens ${what.screen}`
    case 'review':
      return `offers ${what.calls.map(({ name }) => name).join(', ')}`
    case 'call':
    case 'delete':
      return `POST ${what.path}`
    default:
      return `GET ${what.path}`
  }
}

/** What the screen itself reads and writes: the texts under `paths` and `path` of its plan. */
function pathsIn(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([key, value]) =>
    key === 'paths' && typeof value === 'object' && value !== null
      ? Object.values(value as object).filter((path): path is string => typeof path === 'string')
      : pathsIn(value),
  )
}

function messageLines(
  name: string,
  actions: readonly ActionPlan[],
  { catalog, where, fileOf }: Known,
): ExplainedLine[] {
  const { states, actions: own } = catalog.entities[name]
  const { source } = fileOf('entity', name)!
  const offered = new Set(actions.map((action) => action.name))
  const sending = [
    ...states.flatMap(({ transitions }, index) =>
      Object.values(transitions).map((transition) => ({
        act: transition,
        pointer: pointerOfTransitions(source.data, index),
      })),
    ),
    ...Object.values(own).map((action) => ({ act: action, pointer: '/actions' })),
  ]
  return sending
    .filter(({ act }) => offered.has(act.name))
    .flatMap(({ act, pointer }) =>
      act.notify.map((notify, index): ExplainedLine => ({
        text: `${notify.type} after ${act.name}: ${text(notify.title)}`,
        at: where(source, `${below(pointer, act.name)}/notify/${index}`),
      })),
    )
}
