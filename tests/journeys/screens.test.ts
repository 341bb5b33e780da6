import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { FormPlan } from '../../engine/screens/form/form.ts'
import type { ListPlan } from '../../engine/screens/list/list.ts'
import type { ActionPlan, RecordData, ScreenPlan } from '../../engine/model/model.ts'
import { isLong } from '../long.ts'
import { call, list, open, ready, route, url, useDemo } from './app.ts'
import type { Language } from './app.ts'
import { addressOf, catalog, covering, different, holds, hostOf, isBelow, routed, screenCases } from './catalog.ts'
import type { ScreenCase } from './catalog.ts'
import { queryOf } from './grid.ts'
import { actionsOf, drawer, reach, start, subjectOf } from './reach.ts'
import type { Place } from './reach.ts'
import { violations } from './violations.ts'

useDemo()

test('every screen of the catalog is reachable by a route or by an action of a reachable screen', () => {
  const reached = new Set(routed.map(({ plan }) => plan.name))
  const openers = JSON.stringify(Object.values(catalog.screens).map(({ body, variants }) => [body, variants]))
  for (const { name } of Object.values(catalog.screens)) if (openers.includes(`"screen":"${name}"`)) reached.add(name)
  expect([...reached].sort()).toEqual(Object.keys(catalog.screens).sort())
})

/** The ways in which screens differ: what kind they are, how they open, and what a page of details shows. */
const waysOf = ({ plan }: ScreenCase): string[] => {
  if (!isLong) return [plan.kind]
  const way = plan.route !== undefined ? 'page' : hostOf(plan) ? 'part' : 'drawer'
  const shown = plan.kind === 'detail' ? Object.values(catalog.entities[plan.entity!].fields) : []
  return [
    `${plan.kind} in a ${way}`,
    `${plan.kind} with ${plan.parameters.length > 0 ? 'parameters' : 'none'}`,
    ...shown.map(({ type }) => `detail of ${type}`),
  ]
}
/** All screens in the long run, and otherwise a few that differ. */
const opened = isLong
  ? screenCases
  : covering(
      different.filter(({ plan }) => !isBelow(plan)),
      waysOf,
    )

/** Reads texts of the page at once, because each look-up by role searches the whole page. */
const readTexts = (scope: Locator) =>
  scope.evaluate((element: HTMLElement) => {
    const texts = (part: ParentNode, selector: string) =>
      [...part.querySelectorAll<HTMLElement>(selector)]
        .filter((each) => each.checkVisibility())
        .map((each) => each.innerText)
    return {
      alerts: texts(element, '[role=alert]'),
      text: element.innerText,
      mains: document.querySelectorAll('main').length,
      headings: texts(element, 'h1'),
      tabs: texts(document, '.tab-bar > [role=tab][aria-selected=true] > .tab-title'),
      title: document.title,
    }
  })

/** Expects no problem in a screen that has just been opened. */
async function expectSound(scope: Locator, plan?: Pick<ScreenPlan, 'body'>, language: Language = 'cn') {
  const read = await readTexts(scope)
  // A form may start with a notice.
  const { notices = [] } = (plan?.body ?? {}) as Partial<FormPlan>
  const known = notices.map(({ title }) => title[language].replace(/\{.*/s, ''))
  expect(
    read.alerts.filter((alert) => !known.some((notice) => alert.includes(notice))),
    'nothing is wrong yet',
  ).toEqual([])
  expect(read.text).not.toMatch(/\{\w+\}|undefined|\[object/)
  return read
}

/** Expects the page to show the screen: its heading, its tab, and the title of the window. */
async function expectOpen(page: Page, { plan }: ScreenCase, language: Language = 'cn'): Promise<void> {
  const title = (hostOf(plan)?.host ?? plan).title[language]
  const { mains, headings, tabs, title: named } = await expectSound(page.locator('main'), plan, language)
  expect({ mains, headings, tabs }).toEqual({ mains: 1, headings: [title], tabs: [title] })
  expect(named).toContain(title)
}

/** Leaves out what lies behind a drawer, which was checked before. */
const expectAccessible = async (page: Page, { name, plan }: ScreenCase) =>
  expect(await violations(page, undefined, hasAddress({ plan }) ? undefined : '.ant-drawer-open'), name).toEqual([])

/** Parts with an address of their own are opened by it, and by a click only in the first of their hosts. */
const firstHost = screenCases.find(({ plan }) => plan.kind === 'tabs')
const hasParts = (screen: ScreenCase) =>
  opened.includes(screen) &&
  (screen.plan.kind === 'detail' ||
    (screen.plan.kind === 'tabs' && (screen === firstHost || screen.plan.parameters.length > 0)))
/** Opens the parts by clicks, one after the other; the short run opens one. */
async function expectPartsSound(page: Page): Promise<void> {
  const parts = page.locator('main [role=tab]:visible')
  const count = Math.min(await parts.count(), isLong ? Infinity : 2)
  for (let index = 1; index < count; index++) {
    await parts.nth(index).click()
    await parts.nth(index).and(page.locator('[aria-selected=true]')).waitFor()
    await ready(page)
    await expectSound(page.locator('main'))
  }
}

interface DrawerOf {
  screen: ScreenCase
  action: ActionPlan
  plan: ScreenPlan
}
/** A part that depends on a record is opened with its host. */
const hasAddress = ({ plan }: Pick<ScreenCase, 'plan'>) =>
  plan.route !== undefined || (hostOf(plan) !== undefined && plan.parameters.length === 0)
/** Each screen that opens in a drawer, once: if possible from a screen that is opened anyway and has an address. */
const drawers = new Map<string, DrawerOf>()
const rank = (screen: ScreenCase) => Number(!opened.includes(screen)) * 2 + Number(!hasAddress(screen))
// What has no address is opened by way of another screen, which only the long run does.
for (const screen of screenCases.filter((item) => isLong || hasAddress(item)).toSorted((a, b) => rank(a) - rank(b))) {
  for (const action of isBelow(screen.plan) ? [] : actionsOf(screen.plan)) {
    if (action.do.kind !== 'drawer') continue
    const { screen: name, query } = action.do
    const shown = screenCases.find(
      ({ plan, variant }) => plan.name === name && (!variant || query[variant.parameter] === variant.value),
    )!
    const { mode = '' } = shown.plan.body as Partial<FormPlan>
    const key = isLong ? shown.name : `${shown.plan.kind} ${mode}`
    if (!drawers.has(key)) drawers.set(key, { screen, action, plan: shown.plan })
  }
}
const drawersOf = (screen: ScreenCase) => [...drawers.values()].filter((drawer) => drawer.screen === screen)

/** A record that the action is offered for; in a list, one that it shows, if there is one. */
async function subjectAt({ page }: Place, screen: ScreenCase, action: ActionPlan): Promise<RecordData | undefined> {
  if (screen.plan.kind !== 'list' || action.on === 'toolbar') return subjectOf(screen, action)
  const entity = catalog.entities[screen.plan.entity!]
  const { list: shown } = await list(entity.endpoint, queryOf(screen.plan.body as ListPlan, route(page)))
  return shown.find((record) => holds(action.shownWhen, entity, record)) ?? subjectOf(screen, action)
}

async function expectDrawersSound(screen: ScreenCase, given?: Place): Promise<void> {
  let place = given
  for (const { action, plan } of drawersOf(screen)) {
    const record = place ? await subjectAt(place, screen, action) : await subjectOf(screen, action)
    // Details show one record, and a list shows them all.
    if (!place || (screen.plan.kind !== 'list' && record)) place = await reach(screen, record, 'cn', place?.page)
    await start(place, screen.plan, action, record ? [record] : [])
    const shown = await drawer(place, plan.title.cn)
    await expectSound(shown, plan)
    await place.page.keyboard.press('Escape')
    await shown.waitFor({ state: 'hidden' })
  }
}

/** One screen of each kind. */
const audited = covering(opened.filter(hasAddress), ({ plan }) => [plan.kind])
const isOpened = (screen: ScreenCase) => opened.includes(screen) || drawersOf(screen).length > 0
test.each(screenCases.filter((screen) => hasAddress(screen) && isOpened(screen)))(
  '$name opens, with its parts and drawers',
  async (screen) => {
    const { plan } = screen
    const [first] = drawersOf(screen)
    const place = await reach(screen, first && plan.kind !== 'list' ? await subjectOf(screen, first.action) : undefined)
    await expectOpen(place.page, screen)
    if (isLong || audited.includes(screen)) await expectAccessible(place.page, screen)
    if (hasParts(screen)) await expectPartsSound(place.page)
    await expectDrawersSound(screen, place)
  },
)

test.skipIf(!isLong).each(screenCases.filter(hasAddress))('$name is accessible at 390 pixels', async (screen) => {
  const page = await open(await addressOf(screen), { width: 390, height: 844, stays: true })
  expect(await violations(page)).toEqual([])
})

test.each(screenCases.filter((screen) => !hasAddress(screen) && drawersOf(screen).length > 0))(
  'the drawers of $name open',
  (screen) => expectDrawersSound(screen),
)

// The compiler guarantees that both languages are complete, and a journey in English opens screens, too.
test
  .skipIf(!isLong)
  .each(
    covering(routed, ({ plan: { kind, parameters } }) => [
      kind,
      parameters.length > 0 ? 'with parameters' : 'with none',
    ]),
  )('$name opens in English', async (screen) => {
  const { page } = await reach(screen, undefined, 'en')
  await expectOpen(page, screen, 'en')
  await expectAccessible(page, screen)
})

test('the content security policy lets a page run no script from elsewhere and none from text', async () => {
  const answer = await fetch(url())
  const directives = Object.fromEntries(
    answer.headers
      .get('content-security-policy')!
      .split(';')
      .map((each) => {
        const [name, ...values] = each.trim().split(/\s+/)
        return [name, values]
      }),
  )
  expect(directives['script-src']).toEqual(["'self'"])
  expect(directives['object-src'] ?? directives['default-src']).toEqual(["'none'"])
  expect(await call('GET', '/plans/app')).toHaveProperty('app')
})
