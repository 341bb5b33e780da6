import { describe, expect, test } from 'vitest'
import { call, open, useDemo } from './app.ts'
import { addressOf, catalog, languages, routed } from './catalog.ts'

useDemo()

test('every screen of the catalog can be reached: by a route, or by an action of a screen that has one', () => {
  const reached = new Set(routed.map(({ plan }) => plan.name))
  const openers = JSON.stringify(Object.values(catalog.screens).map(({ body, variants }) => [body, variants]))
  for (const { name } of Object.values(catalog.screens)) if (openers.includes(`"screen":"${name}"`)) reached.add(name)
  expect([...reached].sort()).toEqual(Object.keys(catalog.screens).sort())
})

describe.each(languages)('in %s', (language) => {
  test.each(routed)('$name opens', async (screen) => {
    const address = await addressOf(screen)
    const page = await open(address, { language })
    const title = screen.plan.title[language]
    expect(await page.getByRole('main').count()).toBe(1)
    expect(await page.getByRole('heading', { level: 1, name: title, exact: true }).count(), `heading ${title}`).toBe(1)
    expect(await page.title()).toContain(title)
    expect(await page.getByRole('tab', { name: title, exact: true, selected: true }).count(), `visited tab ${title}`).toBe(1)
    expect(await page.getByRole('main').getByRole('alert').count(), 'nothing is wrong yet').toBe(0)
    const shown = await page.getByRole('main').innerText()
    expect(shown).not.toMatch(/\{\w+\}|undefined|\[object/)
  })
})

test('no script from elsewhere, and none from text, may run on a page', async () => {
  const answer = await fetch(`${(await open('/home')).url().split('#')[0]}`)
  const directives = Object.fromEntries(answer.headers.get('content-security-policy')!.split(';').map((one) => {
    const [name, ...values] = one.trim().split(/\s+/)
    return [name, values]
  }))
  expect(directives['script-src']).toEqual(['\'self\''])
  expect(directives['object-src'] ?? directives['default-src']).toEqual(['\'none\''])
  expect(await call('GET', '/plans/app')).toHaveProperty('app')
})
