/** The product's catalog, and what the screens are expected to make of it. */
import { readFileSync } from 'node:fs'
import { inject } from 'vitest'
import type { DetailPlan } from '../../engine/screens/detail/detail.ts'
import type {
  Catalog,
  Dictionary,
  Entity,
  Field,
  Label,
  RecordData,
  ScreenPlan,
  Value,
} from '../../engine/model/model.ts'
import { holds as verdictHolds } from '../../engine/expression/conditions.ts'
import { isWritable } from '../../engine/expression/verdict.ts'
import type { VerdictContext } from '../../engine/expression/VerdictContext.ts'
import type { TabsPlan } from '../../engine/screens/tabs/tabs.ts'
import { lists } from '../../src/lists.ts'
import { detail, known, listed } from './app.ts'
import type { Language } from './app.ts'

export const catalog = JSON.parse(readFileSync(inject('catalogFile'), 'utf8')) as Catalog
export const { widgets } = lists
export const languages: Language[] = ['cn', 'en']

export const dictionary = (name: string): Dictionary => catalog.dictionaries[name]
const now = () => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

/** One line of text for a value, as a list shows it. */
export const textOf = (field: Field, value: Value | undefined, language: Language): string =>
  value === null || value === undefined
    ? ''
    : widgets[field.type].text(value, field.options, { label: field.label, dictionary, now }, language)

/** A value as text in a list cell, which may be abbreviated. */
export const cellText = (field: Field, value: Value | undefined, language: Language): string => {
  const { brief } = widgets[field.type]
  return brief && typeof value === 'string' ? brief(value, field.options) : textOf(field, value, language)
}

/** Keeps only the characters that are read, since tags and texts separate values differently. */
export const bare = (text: string): string => text.replace(/[\s、,，]/g, '')

/** The default values of the settings. */
const settings = Object.fromEntries(
  Object.values(catalog.entities)
    .filter(({ single }) => single)
    .map(({ name, fields }) => [
      name,
      Object.fromEntries(
        Object.values(fields).map((field) => [
          field.name,
          field.default === undefined ? null : (widgets[field.type].normalize(field.default, field.options) as Value),
        ]),
      ),
    ]),
)

/** The context in which the administrator evaluates a condition. */
export const verdictContext = (old: RecordData | null = null): VerdictContext => ({
  widgets,
  entities: catalog.entities,
  dictionary,
  now,
  user: { id: 1, name: '系统管理员', roles: ['admin'], department: null },
  settings,
  old,
})
export const holds = (condition: string | undefined, entity: Entity, record: RecordData): boolean =>
  verdictHolds(condition, true, entity, record, verdictContext(record))

/** Fills placeholders such as `{id}` with values of the record, encoded for an address. */
export const filled = (text: string, record: RecordData): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(record[name])))

export interface ScreenCase {
  name: string
  plan: ScreenPlan
  variant?: { parameter: string; value: string }
}

/** Every screen in every variant. */
export const screenCases: ScreenCase[] = Object.values(catalog.screens).flatMap((plan): ScreenCase[] =>
  plan.variants
    ? Object.entries(plan.variants.plans).map(([value, variant]) => ({
        name: `${plan.name}?${plan.variants!.parameter}=${value}`,
        plan: variant,
        variant: { parameter: plan.variants!.parameter, value },
      }))
    : [{ name: plan.name, plan }],
)
/**
 * A key shared by similar screens: those that families make of one template file, and import forms with the same
 * fields.
 */
export const likenessOf = ({ plan: { file, kind, entity }, variant }: ScreenCase): string => {
  const isOfImport = kind === 'form' && file.endsWith('.imports.json')
  const { fields = {} } = isOfImport ? catalog.entities[entity!] : {}
  const writable = Object.values(fields).filter((field) => isWritable(field, widgets))
  return isOfImport
    ? `form of an import ${writable.map(({ name }) => name).join()}`
    : `${file} ${kind} ${variant?.value ?? ''}`
}
/** One screen of each group of similar screens: the one with the most fields. */
export const different: ScreenCase[] = screenCases.filter((each) => {
  const size = ({ plan: { entity } }: ScreenCase) =>
    entity === undefined ? 0 : Object.keys(catalog.entities[entity].fields).length
  const alike = screenCases.filter((other) => likenessOf(other) === likenessOf(each))
  return alike.length === 1 || alike.reduce((a, b) => (size(b) > size(a) ? b : a)) === each
})
export const routed = screenCases.filter(({ plan }) => plan.route !== undefined)

/** The tabs screen that contains this screen, and the name and label of the tab. */
export function hostOf({ name }: ScreenPlan): { host: ScreenPlan; part: string; label: Label } | undefined {
  for (const host of Object.values(catalog.screens)) {
    if (host.kind !== 'tabs') continue
    const tab = (host.body as TabsPlan).tabs.find(({ screen }) => screen === name)
    if (tab) return { host, part: tab.name, label: tab.label }
  }
  return undefined
}
/**
 * Entities listed only below a record of another entity: their actions start from that record and have journeys of
 * their own.
 */
const below = new Set(
  Object.values(catalog.screens).flatMap(({ body }) =>
    ((body as Partial<DetailPlan>).tabs ?? []).flatMap(({ related = [] }) =>
      related.flatMap(({ screen }) => {
        const plan = catalog.screens[screen]
        return plan?.entity !== undefined && plan.route === undefined && !hostOf(plan) ? [plan.entity] : []
      }),
    ),
  ),
)
for (const plan of Object.values(catalog.screens))
  if (plan.kind === 'list' && plan.entity && (plan.route !== undefined || hostOf(plan))) below.delete(plan.entity)
export const isBelow = ({ entity }: ScreenPlan): boolean => entity !== undefined && below.has(entity)
/** Screens with an address of their own, or inside a screen that has one. */
export const placed = different.filter(({ plan }) => plan.route !== undefined || hostOf(plan))

/**
 * A small selection of cases that together have every feature that any case has. The browser proves the behaviour of
 * each widget, screen kind and condition once; the remaining cases are proven through the API or from the catalog.
 */
export function covering<T>(cases: readonly T[], thingsOf: (example: T) => readonly string[]): T[] {
  const missing = new Set(cases.flatMap(thingsOf))
  const left = new Map(cases.map((each) => [each, new Set(thingsOf(each))]))
  const chosen = new Set<T>()
  while (missing.size > 0) {
    const news = (example: T) => [...left.get(example)!].filter((thing) => missing.has(thing)).length
    const best = [...left.keys()].reduce((a, b) => (news(b) > news(a) ? b : a))
    for (const thing of left.get(best)!) missing.delete(thing)
    chosen.add(best)
    left.delete(best)
  }
  return cases.filter((each) => chosen.has(each))
}
/** The cases that are not among the others. */
export const except = <T>(cases: readonly T[], others: readonly T[]): T[] =>
  cases.filter((each) => !others.includes(each))

/** The address that opens the screen, with a suitable record where it needs one. */
export async function addressOf({ plan, variant }: ScreenCase): Promise<string> {
  const hosted = plan.route === undefined ? hostOf(plan) : undefined
  if (hosted) return `${hosted.host.route}?part=${hosted.part}`
  const needed = plan.parameters.filter(({ name, required }) => required && name !== variant?.parameter)
  const record = needed.length > 0 ? await recordFor(plan) : {}
  const query = [
    ...(variant ? [[variant.parameter, variant.value]] : []),
    ...needed.map(({ name }) => [name, idIn(record as RecordData, name)]),
  ]
  return query.length > 0 ? `${plan.route}?${new URLSearchParams(query)}` : plan.route!
}

/** The value of a record for a parameter; `batchId` is the id of its `batch`. */
export const idIn = (record: RecordData, name: string): string =>
  String(record[name] ?? (record[name.replace(/Id$/, '')] as { id: number } | undefined)?.id)

/** A record that the screen can open, and may edit if it edits. */
export async function recordFor(given: ScreenPlan): Promise<RecordData> {
  // A screen made of tabs is opened with a record that its first tab needs.
  const plan =
    given.entity === undefined && given.kind === 'tabs'
      ? catalog.screens[(given.body as TabsPlan).tabs[0].screen]
      : given
  const entity = catalog.entities[plan.entity!]
  const condition =
    (plan.body as { mode?: string }).mode === 'edit' && typeof entity.allow.update === 'string'
      ? entity.allow.update
      : undefined
  const found = (await listed(entity.endpoint)).find((record) => holds(condition, entity, record))
  if (!found) throw new Error(`${plan.name}: the demo has no ${entity.name} to open it with`)
  return detail(entity.endpoint, found.id!)
}

/** The ids of a node of a tree and of all nodes below it. */
export async function idsUnder(entity: Entity, id: number): Promise<Set<number>> {
  const { list: nodes } = await known<{ list: { id: number; parent?: number | null }[] }>(`${entity.endpoint}/options`)
  const ids = new Set([id])
  for (let size = 0; size !== ids.size;) {
    size = ids.size
    for (const node of nodes) if (typeof node.parent === 'number' && ids.has(node.parent)) ids.add(node.id)
  }
  return ids
}
