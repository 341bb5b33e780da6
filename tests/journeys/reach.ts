/** How an operator reaches a screen, by its address or through the screen that opens it, and the actions there. */
import type { Locator, Page } from 'playwright-core'
import type { DetailPlan } from '../../engine/screens/detail/detail.ts'
import { startsNarrowed } from '../../engine/screens/list/startsNarrowed.ts'
import type { ListPlan } from '../../engine/screens/list/list.ts'
import type { ActionPlan, RecordData, ScreenPlan } from '../../engine/model/model.ts'
import { detail, open } from './app.ts'
import type { Language } from './app.ts'
import { catalog, cellText, holds, hostOf, idIn, recordFor, screenCases } from './catalog.ts'
import type { ScreenCase } from './catalog.ts'
import { fill, literal } from './controls.ts'
import { meeting } from './filters.ts'
import { visit } from './frame.ts'
import { grid, tall } from './grid.ts'
import { ofRow } from './parts.ts'
import { recordWhere } from './records.ts'

/** A screen on its page, and the part of the page that it occupies: all of it, a drawer, or a tab. */
export interface Place {
  page: Page
  scope: Locator
  language: Language
}

const more = { cn: '更多', en: 'More' }
const query = { cn: '查询', en: 'Search' }

export const actionsOf = ({ body }: ScreenPlan): ActionPlan[] => (body as { actions?: ActionPlan[] }).actions ?? []

/**
 * Opens the screen.
 * @param from a page that is no longer needed and navigates to the screen
 * @throws if nothing leads to the screen
 */
export async function reach(
  { plan, variant }: ScreenCase,
  record?: RecordData,
  language: Language = 'cn',
  from?: Page,
): Promise<Place> {
  if (plan.route !== undefined) {
    const needed = plan.parameters.filter(({ name, required }) => required && name !== variant?.parameter)
    const subject = needed.length > 0 ? (record ?? (await recordFor(plan))) : undefined
    const chosen = variant ? [[variant.parameter, variant.value]] : []
    const parameters = new URLSearchParams([
      ...chosen,
      ...needed.map(({ name }) => [name, idIn(subject!, name)]),
      ...whole(plan),
    ])
    const address = parameters.size > 0 ? `${plan.route}?${parameters}` : plan.route
    const isOther = record !== undefined && needed.length > 0
    if (from && isOther) await visit(from, address)
    const page =
      from && isOther ? from : await open(address, { language, stays: true, ...(plan.kind === 'list' && tall) })
    return { page, scope: page.getByRole('main'), language }
  }
  const hosted = hostOf(plan)
  if (hosted) {
    const page = await open(`${hosted.host.route}?${new URLSearchParams([['part', hosted.part], ...whole(plan)])}`, {
      language,
      stays: true,
      ...tall,
    })
    return { page, scope: page.getByRole('tabpanel', { name: hosted.label[language], exact: true }), language }
  }
  for (const opener of screenCases) {
    const action = openerOf({ plan, variant }, opener)
    if (action && (!record || (await offering(opener.plan, action))(record)))
      return openDrawer(opener, action, plan, record, language)
    const isOf = ({ screen, from }: Related) => screen === plan.name && from === undefined
    const tab = (opener.plan.body as Partial<DetailPlan>).tabs?.find(({ related }) => related?.some(isOf))
    if (tab) return openTab(opener, { tab, list: tab.related!.find(isOf)! }, { record, language })
  }
  throw new Error(`${plan.name}: no screen leads to it`)
}

/** Address parameters that clear the initial filters of a list, so that every record can be found. */
const whole = ({ kind, body }: ScreenPlan): [string, string][] =>
  (kind === 'list' ? (body as ListPlan).filters : []).filter(startsNarrowed).map(({ field }) => [`f.${field}`, ''])

const openerOf = (
  { plan, variant }: Pick<ScreenCase, 'plan' | 'variant'>,
  opener: ScreenCase,
): ActionPlan | undefined =>
  opener.plan.name === plan.name
    ? undefined
    : actionsOf(opener.plan).find(
        ({ do: run }) =>
          run.kind === 'drawer' &&
          run.screen === plan.name &&
          (!variant || run.query[variant.parameter] === variant.value),
      )

/** A predicate for the records of the screen for which it offers the action. */
async function offering(
  { entity: name, body }: ScreenPlan,
  { on, shownWhen }: ActionPlan,
): Promise<(record: RecordData) => boolean> {
  const entity = catalog.entities[name!]
  const isAmong = await meeting(entity, (body as Partial<ListPlan>).where)
  return (record) => on === 'toolbar' || (isAmong(record) && holds(shownWhen, entity, record))
}

/** A predicate for the records with which some screen opens this one. */
export async function opening(screen: ScreenCase): Promise<(record: RecordData) => boolean> {
  if (screen.plan.route !== undefined || hostOf(screen.plan)) return () => true
  const offers = await Promise.all(
    screenCases.flatMap((opener) => {
      const action = openerOf(screen, opener)
      return action ? [offering(opener.plan, action)] : []
    }),
  )
  return (record) => offers.some((isOffered) => isOffered(record))
}

/** A record with which a drawer can be opened; undefined if it is opened without one. */
export async function openedWith(screen: ScreenCase): Promise<RecordData | undefined> {
  if (screen.plan.route !== undefined || hostOf(screen.plan)) return undefined
  for (const opener of screenCases) {
    const action = openerOf(screen, opener)
    if (action) return subjectOf(opener, action)
  }
  return undefined
}

/** A record for which the action is offered; undefined if it takes none. */
export async function subjectOf({ plan }: ScreenCase, action: ActionPlan): Promise<RecordData | undefined> {
  if (action.on === 'toolbar') return undefined
  const { where = {} } = plan.body as Partial<ListPlan>
  if (action.shownWhen === undefined && Object.keys(where).length === 0) return recordFor(plan)
  const entity = catalog.entities[plan.entity!]
  return recordWhere(entity, (record) => holds(action.shownWhen, entity, record), `allows "${action.name}"`, {
    within: where,
  })
}

async function openDrawer(
  opener: ScreenCase,
  action: ActionPlan,
  { title }: ScreenPlan,
  record: RecordData | undefined,
  language: Language,
): Promise<Place> {
  const subject = action.on === 'toolbar' ? undefined : (record ?? (await subjectOf(opener, action)))
  const place = await reach(opener, subject, language)
  await start(place, opener.plan, action, subject ? [subject] : [])
  return { ...place, scope: await drawer(place, title[language]) }
}

/** The drawer with that title, once its screen has rendered. */
export async function drawer({ page }: Place, title: string): Promise<Locator> {
  const opened = page.getByRole('dialog', { name: title, exact: true })
  await opened.locator('[aria-busy="false"]').first().waitFor()
  return opened
}

type Related = NonNullable<DetailPlan['tabs'][number]['related']>[number]

async function openTab(
  opener: ScreenCase,
  { tab: { label, related }, list }: { tab: DetailPlan['tabs'][number]; list: Related },
  { record, language }: { record: RecordData | undefined; language: Language },
): Promise<Place> {
  const [parent] = [record?.[list.by] ?? []].flat() as { id: number }[]
  const place = await reach(
    opener,
    parent && (await detail(catalog.entities[opener.plan.entity!].endpoint, parent.id)),
    language,
  )
  const name = label[language]
  // A single tab is rendered without a tab bar.
  if ((opener.plan.body as DetailPlan).tabs.length === 1) return place
  await place.scope.getByRole('tab', { name, exact: true }).click()
  const scope = place.page.getByRole('tabpanel', { name, exact: true })
  // Several lists in one tab have a heading each.
  if (related!.length === 1) return { ...place, scope }
  return { ...place, scope: scope.getByRole('region', { name: list.title[language], exact: true }) }
}

/** The row of a list that shows the record, searched for as an operator would. */
export async function rowOf(
  { page, scope, language }: Place,
  plan: ScreenPlan<ListPlan>,
  record: RecordData,
  { search = true } = {},
): Promise<Locator> {
  const entity = catalog.entities[plan.entity!]
  const { body } = plan
  const table = grid(scope, plan, language).and(page.locator('[aria-busy=false]'))
  // Two people may have the same name; an operator would compare further columns.
  const own = table.locator(`[data-record="${record.id}"]`)
  await table.waitFor()
  if ((await own.count()) > 0) return own
  const tab = await tabOf(plan, record)
  // The previous record may have been in another tab.
  if (body.tabs.length > 0)
    await scope.getByRole('tab', { name: new RegExp(`^${literal(body.tabs[tab].label[language])}`) }).click()
  const words = entity.search.map((field) => record[field]).find((value) => typeof value === 'string' && value !== '')
  if (search && body.search && words !== undefined) {
    const form = scope.getByRole('search')
    await fill(form, body.search[language], String(words))
    await form.getByRole('button', { name: query[language], exact: true }).click()
  }
  const named = body.columns.filter(
    ({ field, hidden }) => !hidden && (field === entity.display || field === entity.code),
  )
  const texts = (named.length > 0 ? named : body.columns.slice(0, 3))
    .map(({ field }) => cellText(entity.fields[field], record[field], language))
    .filter(Boolean)
  if (texts.length === 0) throw new Error(`${plan.name}: nothing in its row says which record it is`)
  const row = texts.reduce((found, text) => found.filter({ has: page.getByText(text, { exact: true }) }), own)
  await row.waitFor()
  return row
}

/** The index of the first tab that contains the record. */
async function tabOf({ entity: name, body }: ScreenPlan<ListPlan>, record: RecordData): Promise<number> {
  const entity = catalog.entities[name!]
  for (const [index, { filter }] of body.tabs.entries()) if ((await meeting(entity, filter))(record)) return index
  return 0
}

/** Clicks the control that starts the action on these records. */
export async function start(place: Place, plan: ScreenPlan, action: ActionPlan, records: RecordData[]): Promise<void> {
  const { page, scope, language } = place
  const name = action.label[language]
  if (action.on === 'row') {
    const row = await rowOf(place, plan, records[0])
    if ((await ofRow(row, name).count()) > 0) return ofRow(row, name).first().click()
    await ofRow(row, more[language]).click()
    return page.getByRole('menuitem', { name, exact: true }).click()
  }
  if (action.on === 'batch') {
    for (const record of records)
      await (await rowOf(place, plan, record, { search: records.length === 1 })).getByRole('checkbox').check()
    return control(scope, language === 'cn' ? `${name}（${records.length}）` : `${name} (${records.length})`).click()
  }
  await control(scope, name).first().click()
}

const control = (scope: Locator, name: string): Locator =>
  scope.getByRole('button', { name, exact: true }).or(scope.getByRole('link', { name, exact: true }))

/** The actions that a row offers, including those behind 更多, in order. */
export async function offeredBy({ page, language }: Place, row: Locator): Promise<string[]> {
  const shown = await row
    .getByRole('cell')
    .last()
    .getByRole('button')
    .or(row.getByRole('cell').last().getByRole('link'))
    .allInnerTexts()
  if (!shown.includes(more[language])) return shown
  await ofRow(row, more[language]).click()
  const menu = page.getByRole('menu', { name: more[language], exact: true })
  const hidden = await menu.getByRole('menuitem').allInnerTexts()
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'hidden' })
  return [...shown.filter((name) => name !== more[language]), ...hidden]
}

/** The labels of those actions that a detail screen offers. */
export async function offeredAbove({ scope, language }: Place, actions: ActionPlan[]): Promise<string[]> {
  const names = actions.map(({ label }) => label[language])
  const there = await Promise.all(names.map((name) => control(scope, name).count()))
  return names.filter((_, index) => there[index] > 0)
}
