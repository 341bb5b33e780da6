/** `npm run screenshots` takes pictures of every screen for inspection; this checks nothing and is not a test. */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { test } from 'vitest'
import { open, ready, useDemo, type Language } from './app.ts'
import { addressOf, covering, routed, type ScreenCase } from './catalog.ts'

useDemo()

const folder = process.env.PICTURES!
const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } } as const
/** One screen of each kind. */
const kinds = covering(routed, ({ plan: { kind } }) => [kind])

interface Shot {
  screen: ScreenCase
  size: keyof typeof sizes
  language: Language
  dark?: boolean
}

async function take({ screen, size, language, dark = false }: Shot): Promise<void> {
  const page = await open(await addressOf(screen), { ...sizes[size], language, fresh: dark })
  if (dark) {
    await page.evaluate(() => localStorage.setItem('scheme', 'dark'))
    await page.reload()
    await ready(page)
  }
  const into = path.join(folder, `${language}${dark ? '-dark' : ''}-${size}`)
  mkdirSync(into, { recursive: true })
  await page.screenshot({
    path: path.join(into, `${screen.name.replace(/[^\w.=-]+/g, '_')}.png`),
    animations: 'disabled',
  })
}

test.each(routed)('takes pictures of $name in Chinese at both sizes', async (screen) => {
  for (const size of ['wide', 'narrow'] as const) await take({ screen, size, language: 'cn' })
})
test.each(kinds)('takes pictures of $name in English, and in dark colours', async (screen) => {
  for (const size of ['wide', 'narrow'] as const) await take({ screen, size, language: 'en' })
  await take({ screen, size: 'wide', language: 'cn', dark: true })
})
