import { differs, fieldWords, paired, words, type Difference, type Renames } from './difference.ts'
import { actionsIn, plansOf } from './explained.ts'
import type { Catalog, ScreenPlan } from '../../model/model.ts'
import { isObject } from '../walk.ts'

const nameOf = ({ route, name }: ScreenPlan) => route ?? name

/** Screens that were added, removed or changed, and the columns, filters, fields and buttons on them. */
export function diffScreens(before: Catalog, after: Catalog, renames: Renames): Difference[] {
  const { added, removed, both } = paired(before.screens, after.screens)
  const difference = (change: Difference['change'], screen: ScreenPlan, text: string): Difference => ({
    group: 'screens',
    change,
    of: nameOf(screen),
    text,
  })
  return [
    ...added.map((name) => difference('added', after.screens[name], `${words(after.screens[name].title)} (${name})`)),
    ...removed.map((name) =>
      difference('removed', before.screens[name], `${words(before.screens[name].title)} (${name})`),
    ),
    ...both.flatMap((name) => {
      const [former, now] = [before.screens[name], after.screens[name]]
      return [
        ...diffHead(former, now).map((text) => difference('changed', now, text)),
        ...diffParts(former, now, before, after, renames),
      ]
    }),
  ]
}

function diffHead(former: ScreenPlan, now: ScreenPlan): string[] {
  const opens = (screen: ScreenPlan) => [...new Set(plansOf(screen).flatMap((plan) => plan.opens ?? [plan.permission]))]
  const values = ({ variants }: ScreenPlan) => Object.keys(variants?.plans ?? {})
  const text = (value: unknown) =>
    value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value)
  return [
    ...(former.route !== now.route ? [`has the route ${text(now.route)}, and had ${text(former.route)}`] : []),
    ...(differs(former.title, now.title) ? [`is called ${words(now.title)}, and was ${words(former.title)}`] : []),
    ...(differs(former.menu, now.menu)
      ? [
          now.menu
            ? former.menu
              ? 'stands elsewhere or otherwise in the menu'
              : 'is in the menu'
            : 'is no longer in the menu',
        ]
      : []),
    ...(differs(opens(former), opens(now))
      ? [`takes ${opens(now).join(' or ')}, and took ${opens(former).join(' or ')}`]
      : []),
    ...(differs(former.roles, now.roles)
      ? [`is for the roles ${text(now.roles)}, and was for ${text(former.roles)}`]
      : []),
    ...(differs(values(former), values(now))
      ? [`has the variants ${values(now).join(', ') || 'none'}, and had ${values(former).join(', ') || 'none'}`]
      : []),
    ...(differs(former.parameters, now.parameters)
      ? [`takes the parameters ${now.parameters.map(({ name }) => name).join(', ') || 'none'}`]
      : []),
  ]
}

const partWords: Record<string, string> = { columns: 'the column', filters: 'the filter' }

function diffParts(
  former: ScreenPlan,
  now: ScreenPlan,
  before: Catalog,
  after: Catalog,
  renames: Renames,
): Difference[] {
  const renamed = renames[now.entity ?? ''] ?? {}
  const called = (name: string) => (Object.hasOwn(renamed, name) ? renamed[name] : name)
  const [was, is] = [partsOf(former), partsOf(now)]
  const difference = (change: Difference['change'], text: string): Difference => ({
    group: 'columns',
    change,
    of: nameOf(now),
    text,
  })
  const groups = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  const [entityBefore, entityAfter] = [before.entities[former.entity ?? ''], after.entities[now.entity ?? '']]
  return groups
    .flatMap((group) => {
      const what = partWords[group] ?? 'the field'
      const formerParts = Object.fromEntries(
        Object.entries(was[group] ?? {}).map(([name, part]) => [called(name), part]),
      )
      const parts = paired(formerParts, is[group] ?? {})
      const formerName = (name: string) => Object.keys(renamed).find((old) => renamed[old] === name) ?? name
      return [
        ...parts.added.map((name) => difference('added', `${what} ${fieldWords(entityAfter, name)}`)),
        ...parts.removed.map((name) => difference('removed', `${what} ${fieldWords(entityBefore, formerName(name))}`)),
        ...parts.both.flatMap((name) => {
          const changes = changedKeys(formerParts[name], is[group][name])
          return changes.length
            ? [difference('changed', `${what} ${fieldWords(entityAfter, name)}: ${changes.join(', ')}`)]
            : []
        }),
      ]
    })
    .concat(diffButtons(former, now).map(({ change, text }) => difference(change, text)))
}

/** Purely visual keys. */
const ofNoInterest = ['width', 'span', 'field']

function changedKeys(former: unknown, now: unknown): string[] {
  if (!isObject(former) || !isObject(now)) return []
  return [...new Set([...Object.keys(former), ...Object.keys(now)])]
    .filter((key) => !ofNoInterest.includes(key) && differs(former[key], now[key]))
    .map(
      (key) =>
        `${key} is ${JSON.stringify(now[key]) ?? 'not there'}, was ${JSON.stringify(former[key]) ?? 'not there'}`,
    )
}

function diffButtons(former: ScreenPlan, now: ScreenPlan): Pick<Difference, 'change' | 'text'>[] {
  const buttons = (screen: ScreenPlan) =>
    Object.fromEntries(
      plansOf(screen)
        .flatMap(({ body }) => actionsIn(body))
        .map((action) => [action.name, action]),
    )
  const [was, is] = [buttons(former), buttons(now)]
  const { added, removed, both } = paired(was, is)
  return [
    ...added.map((name) => ({ change: 'added' as const, text: `the button ${words(is[name].label)} (${name})` })),
    ...removed.map((name) => ({ change: 'removed' as const, text: `the button ${words(was[name].label)} (${name})` })),
    ...both.flatMap((name) =>
      [
        ...(was[name].permission !== is[name].permission
          ? [`takes ${is[name].permission}, and took ${was[name].permission}`]
          : []),
        ...(was[name].shownWhen !== is[name].shownWhen
          ? [`is shown ${is[name].shownWhen === undefined ? 'always' : `when ${is[name].shownWhen}`}`]
          : []),
      ].map((text) => ({ change: 'changed' as const, text: `the button ${words(is[name].label)} ${text}` })),
    ),
  ]
}

/** Part of the screen (`columns`, `filters`, `sections`, …) → field → its entry in the plan. */
function partsOf(screen: ScreenPlan): Record<string, Record<string, unknown>> {
  const parts: Record<string, Record<string, unknown>> = {}
  const collect = (value: unknown, group: string, key: string): void => {
    if (Array.isArray(value)) {
      for (const item of value) {
        if (typeof item === 'string' && ['header', 'fields', 'show'].includes(key)) (parts[group] ??= {})[item] = {}
        else collect(item, group, key)
      }
    } else if (isObject(value)) {
      // What a call prompts for belongs to the button.
      if ('do' in value && 'permission' in value) return
      if (typeof value.field === 'string' && 'label' in value) (parts[group] ??= {})[value.field] = value
      for (const [name, item] of Object.entries(value)) collect(item, group, name)
    }
  }
  for (const { body } of plansOf(screen)) {
    for (const [group, value] of Object.entries(isObject(body) ? body : {}))
      if (!['actions', 'import'].includes(group)) collect(value, group, group)
  }
  return parts
}
