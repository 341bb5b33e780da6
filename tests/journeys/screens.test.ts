import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { FormPlan } from '../../engine/screens/form/form.ts'
import type { ScreenPlan } from '../../engine/model/model.ts'
import { call, open, ready, url, useDemo } from './app.ts'
import type { Language } from './app.ts'
import { addressOf, catalog, covering, different, isBelow, languages, routed, screenCases } from './catalog.ts'
import type { ScreenCase } from './catalog.ts'
import { actionsOf, drawer, reach, start, subjectOf } from './reach.ts'
import type { Place } from './reach.ts'

useDemo()

test('every screen of the catalog can be reached: by a route, or by an action of a screen that has one', () => {
  const reached = new Set(routed.map(({ plan }) => plan.name))
  const openers = JSON.stringify(Object.values(catalog.screens).map(({ body, variants }) => [body, variants]))
  for (const { name } of Object.values(catalog.screens)) if (openers.includes(`"screen":"${name}"`)) reached.add(name)
  expect([...reached].sort()).toEqual(Object.keys(catalog.screens).sort())
})

/**
 * What is wrong with what a screen shows; it has just been opened. Read at once: asking by role walks through all open
 * tabs each time.
 */
async function expectSound(scope: Locator, plan?: Pick<ScreenPlan, 'body'>): Promise<void> {
  const { alerts, text } = await scope.evaluate((element: HTMLElement) => ({
    alerts: [...element.querySelectorAll<HTMLElement>('[role=alert]')]
      .filter((alert) => alert.checkVisibility())
      .map((alert) => alert.innerText),
    text: element.innerText,
  }))
  expectNothingWrong(alerts, text, plan)
}

function expectNothingWrong(alerts: string[], text: string, plan?: Pick<ScreenPlan, 'body'>): void {
  // A form may begin with a notice.
  const { notices = [] } = (plan?.body ?? {}) as Partial<FormPlan>
  const known = notices.map(({ title }) => title.cn.replace(/\{.*/s, ''))
  expect(
    alerts.filter((alert) => !known.some((notice) => alert.includes(notice))),
    'nothing is wrong yet',
  ).toEqual([])
  expect(text).not.toMatch(/\{\w+\}|undefined|\[object/)
}

/** Opens the screen's parts, one after the other. */
async function expectPartsSound(page: Page): Promise<void> {
  const parts = page.locator('main [role=tab]:visible')
  for (let index = 1; index < (await parts.count()); index++) {
    await parts.nth(index).click()
    await parts.nth(index).and(page.locator('[aria-selected=true]')).waitFor()
    await ready(page)
    await expectSound(page.locator('main'))
  }
}

describe('one after the other in one window', () => {
  // As in a day's work, each beside what was open before; a window is not kept for ever.
  let page: Page | undefined
  let visited = 0
  test.each(routed)('$name opens, with its parts', async (screen) => {
    const address = await addressOf(screen)
    if (!page || visited++ % 25 === 0) {
      await page?.close()
      page = await open('/home', { kept: true })
    }
    await page.goto(`${url()}/#${address}`)
    // The tab's key has the same parameters, in the order of the screen.
    await page.waitForFunction((wanted) => {
      const sorted = (text: string) =>
        [text.split('?')[0], ...[...new URLSearchParams(text.split('?')[1])].map(String).sort()].join()
      return sorted(document.querySelector('[role=tab][aria-selected=true]')!.id) === sorted(`tab-${wanted}`)
    }, address)
    await ready(page)
    await expectDrawn(page, screen)
    // What families make of one file has the same parts.
    if (different.includes(screen)) await expectPartsSound(page)
  })
})

describe('by its address in a new window', () => {
  const kinds = covering(routed, ({ plan: { kind, parameters } }) => [
    kind,
    parameters.length > 0 ? 'with parameters' : 'with none',
  ])
  test.each(languages.flatMap((language) => kinds.map((screen) => ({ name: screen.name, screen, language }))))(
    '$name opens in $language',
    async ({ screen, language }) => {
      await expectOpen(await open(await addressOf(screen), { language }), screen, language)
    },
  )
})

/** As `expectOpen`, read at once: asking by role walks through all open tabs each time. */
async function expectDrawn(page: Page, { plan }: ScreenCase): Promise<void> {
  const drawn = await page.evaluate(() => {
    const texts = (scope: ParentNode, selector: string) =>
      [...scope.querySelectorAll<HTMLElement>(selector)]
        .filter((element) => element.checkVisibility())
        .map((element) => element.innerText)
    const main = document.querySelector('main')!
    return {
      mains: document.querySelectorAll('main').length,
      headings: texts(main, 'h1'),
      tabs: texts(document, '[role=tab][aria-selected=true] > .tab-title'),
      title: document.title,
      alerts: texts(main, '[role=alert]'),
      text: main.innerText,
    }
  })
  const title = plan.title.cn
  expect(drawn).toMatchObject({
    mains: 1,
    headings: [title],
    tabs: [title],
    title: expect.stringContaining(title) as string,
  })
  expectNothingWrong(drawn.alerts, drawn.text, plan)
}

async function expectOpen(page: Page, { plan }: ScreenCase, language: Language): Promise<void> {
  const title = plan.title[language]
  const main = page.getByRole('main')
  expect(await main.count()).toBe(1)
  expect(await page.getByRole('heading', { level: 1, name: title, exact: true }).count(), `heading ${title}`).toBe(1)
  expect(await page.title()).toContain(title)
  expect(
    await page.getByRole('tab', { name: title, exact: true, selected: true }).count(),
    `visited tab ${title}`,
  ).toBe(1)
  await expectSound(main, plan)
}

/** What each screen opens in drawers, each of them once, and of what families make of one file one. */
const known = new Set<string>()
const openers = screenCases
  .filter(({ plan }) => !isBelow(plan))
  .flatMap((screen) => {
    const drawers = actionsOf(screen.plan).flatMap((action) => {
      if (action.do.kind !== 'drawer') return []
      const { screen: name, query } = action.do
      const opened = screenCases.find(
        ({ plan, variant }) => plan.name === name && (!variant || query[variant.parameter] === variant.value),
      )!
      const isKnown = !different.includes(opened) || known.has(opened.name)
      return isKnown || !known.add(opened.name) ? [] : [{ action, plan: opened.plan }]
    })
    return drawers.length > 0 ? [{ name: screen.name, screen, drawers }] : []
  })
test.each(openers)('what $name opens in a drawer', async ({ screen, drawers }) => {
  let place: Place | undefined
  for (const { action, plan } of drawers) {
    const record = await subjectOf(screen, action)
    // Details are of one record; a list has them all.
    if (!place || screen.plan.kind !== 'list') place = await reach(screen, record)
    await start(place, screen.plan, action, record ? [record] : [])
    const opened = await drawer(place, plan.title.cn)
    await expectSound(opened, plan)
    await place.page.keyboard.press('Escape')
    await opened.waitFor({ state: 'hidden' })
  }
})

test('no script from elsewhere, and none from text, may run on a page', async () => {
  const answer = await fetch(`${(await open('/home')).url().split('#')[0]}`)
  const directives = Object.fromEntries(
    answer.headers
      .get('content-security-policy')!
      .split(';')
      .map((one) => {
        const [name, ...values] = one.trim().split(/\s+/)
        return [name, values]
      }),
  )
  expect(directives['script-src']).toEqual(["'self'"])
  expect(directives['object-src'] ?? directives['default-src']).toEqual(["'none'"])
  expect(await call('GET', '/plans/app')).toHaveProperty('app')
})
