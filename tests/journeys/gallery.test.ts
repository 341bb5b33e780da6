import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kinds } from '../../engine/screens/index.ts'
import { open, useServer } from './app.ts'
import { languages, widgets } from './catalog.ts'
import { copyDemo } from './demo.ts'
import { openSettings, still } from './frame.ts'
import { startServer } from './server.ts'
import { colourRules, violations } from './violations.ts'
import { isLong } from '../long.ts'

const schemes = [
  { scheme: '浅色', rules: undefined },
  { scheme: '深色', rules: colourRules },
]

// The tests of widgets draw each in every state, and the journeys of forms fill in and audit each.
describe.skipIf(!isLong).each(schemes)('in the scheme $scheme', ({ scheme, rules }) => {
  let end: (() => Promise<void>) | undefined
  beforeAll(async () => {
    const { start, remove } = await copyDemo()
    const server = await startServer({ ...start, dev: true })
    useServer(server.url)
    end = async () => {
      await server.stop()
      await remove()
    }
  })
  afterAll(() => end?.())

  test('the gallery shows every widget in all states and languages, and every kind of screen', async () => {
    const page = await open('/gallery', { fresh: true })
    const drawer = await openSettings(page)
    await drawer.getByText(scheme, { exact: true }).click()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    const posted: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') posted.push(request.url())
    })
    const list = page.getByRole('navigation', { name: '组件库', exact: true })

    for (const [index, { type, label }] of Object.values(widgets).entries()) {
      await list.getByRole('link', { name: `${label.cn} ${type}`, exact: true }).click()
      await page.getByRole('main').getByRole('heading', { level: 1, name: label.cn, exact: true }).waitFor()
      for (const language of languages) {
        const part = page.getByRole('region', { name: language === 'cn' ? '中文' : 'English', exact: true })
        await part.getByText(language === 'cn' ? '禁用' : 'Disabled', { exact: true }).waitFor()
        await expect.poll(() => part.locator('.form-control-loading, .ant-skeleton').count(), { message: type }).toBe(0)
      }
      await still(page)
      // The frame is the same for all, so it is checked once.
      expect(await violations(page, rules, index === 0 ? undefined : 'main'), type).toEqual([])
    }
    for (const { kind, label } of Object.values(kinds)) {
      await list.getByRole('link', { name: `${label.cn} ${kind}`, exact: true }).click()
      await page.getByRole('main').getByRole('heading', { level: 1, name: label.cn, exact: true }).waitFor()
      await page.locator('.gallery-screen[aria-busy=false]').waitFor()
      expect(await page.locator('.gallery-screen .screen-problem').count(), kind).toBe(0)
      await still(page)
      expect(await violations(page, rules, 'main'), kind).toEqual([])
    }
    expect(posted.filter((url) => !url.includes('/preferences'))).toEqual([])
  })
})

test('the production build contains nothing of the gallery', () => {
  const manifest = JSON.parse(readFileSync('dist/client/.vite/manifest.json', 'utf8')) as Record<string, object>
  expect(Object.keys(manifest)).toContain('src/help/Help.tsx')
  expect(Object.keys(manifest).filter((file) => /gallery|examples/i.test(file))).toEqual([])
})
