import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { openBrowser } from './browser.ts'
import { idle } from './opening.ts'
import { median } from './result.ts'
import type { Result } from './result.ts'
import { startDevelopment } from './server.ts'

/** An edit of the schema files, and where it is visible. `found` occurs there once. */
interface Edit {
  name: string
  address: string
  file: string
  found: string
  written(label: string): string
  /** A selector for where the label appears, as text or in a style. */
  seen: string
  /** What to open first: a list of choices, by the name of its field. */
  opened?: string
  /** The label of a round; by default a text. */
  label?(round: number): string
  /** In milliseconds, if it differs from that of a screen's own file. */
  aim?: number
}

export const edits: Edit[] = [
  {
    name: 'A saved list file, until the open list shows it',
    address: '/customer',
    file: 'customer/customer.list.json',
    seen: 'th',
    found: '{ "field": "corporateName", "width": 260 }',
    written: (label) => `{ "field": "corporateName", "width": 260, "label": { "cn": "${label}", "en": "${label}" } }`,
  },
  {
    name: 'A saved entity file, until the open form shows it',
    address: '/customer/addcustomer?type=add',
    file: 'customer/customer.entity.json',
    seen: 'label',
    found: '"label": { "cn": "备注", "en": "Remark" }',
    written: (label) => `"label": { "cn": "${label}", "en": "Remark" }`,
  },
  {
    name: 'A saved family, until the menu shows it',
    address: '/welfare/accumulationfund/additionalstaff',
    file: 'welfare/accumulationfund.family.json',
    seen: 'nav a',
    found: '"addCn": "增员(开户启封)"',
    written: (label) => `"addCn": "${label}"`,
    aim: 1000,
  },
  {
    name: 'A saved title of the product, until it is shown',
    address: '/customer',
    file: 'app.json',
    seen: 'title, header, aside',
    found: '"title": { "cn": "人力资源服务后台"',
    written: (label) => `"title": { "cn": "${label}"`,
    aim: 1000,
  },
  {
    name: 'A saved name of an area, until the menu shows it',
    address: '/customer',
    file: 'app.json',
    seen: 'nav',
    found: '"label": { "cn": "客户管理", "en": "Customers" }',
    written: (label) => `"label": { "cn": "${label}", "en": "Customers" }`,
    aim: 1000,
  },
  {
    name: 'A saved colour of the product, until it is shown',
    address: '/customer',
    file: 'app.json',
    seen: 'html',
    label: (round) => `#c81e${round % 10}e`,
    found: '"colour": "#1890ff"',
    written: (label) => `"colour": "${label}"`,
    aim: 1000,
  },
  {
    name: 'A saved dictionary, until the open list of choices shows it',
    address: '/customer/addcustomer?type=add',
    file: 'customer/customerType.dictionary.json',
    opened: '客户类型',
    seen: '[role=option], .ant-select-item-option',
    found: '"label": { "cn": "企业", "en": "Enterprise" }',
    written: (label) => `"label": { "cn": "${label}", "en": "Enterprise" }`,
  },
]
const aim = 300

/**
 * From saving a schema file to the frame in which the open screen shows it, in a browser on its own development server.
 */
export async function measureLive(schemas: string, folder: string, rounds: number): Promise<Result[]> {
  const copy = path.join(folder, 'live')
  cpSync(schemas, copy, { recursive: true })
  const server = await startDevelopment(copy, path.join(folder, 'live-data'))
  const browser = await openBrowser(server.token)
  try {
    const context = await browser.context(server.url, true)
    const results: Result[] = await measureFamily(await context.newPage(), copy, rounds)
    for (const [place, edit] of edits.entries()) {
      const page = await context.newPage()
      await page.goto(`/#${edit.address}`)
      await page.locator('main[aria-busy="false"]').waitFor({ timeout: 120_000 })
      const file = path.join(copy, edit.file)
      const before = readFileSync(file, 'utf8')
      if (before.split(edit.found).length !== 2) throw new Error(`${edit.file} does not say ${edit.found} once`)
      const samples: number[] = []
      // The first round warms up, if there are several.
      for (let round = rounds > 1 ? 0 : 1; round <= rounds; round++) {
        await idle(page)
        const label = edit.label?.(round) ?? `备注${place}第${round}`
        if (edit.opened !== undefined) await openChoices(page, edit.opened)
        const shown = await whenSeen(page, edit.seen, label)
        const start = Date.now()
        writeFileSync(file, before.replace(edit.found, edit.written(label)))
        const took = (await shown()) - start
        if (round > 0) samples.push(took)
      }
      results.push({
        name: edit.name,
        unit: 'ms',
        ours: median(samples),
        aim: { value: edit.aim ?? aim },
        samples: { saves: samples },
      })
      await page.close()
    }
    return results
  } finally {
    await browser.close()
    await server.stop()
  }
}

/** A family that the others do without, and what the menu calls a page of it. */
const family = {
  address: '/welfare/accumulationfund/additionalstaff',
  file: 'welfare/accumulationfund.family.json',
  entry: '增员(开户启封)',
}

/** A family's file is removed while a page of it is open, and put back. */
async function measureFamily(page: Page, schemas: string, rounds: number): Promise<Result[]> {
  await page.goto(`/#${family.address}`)
  await page.locator('main[aria-busy="false"]').waitFor({ timeout: 120_000 })
  await page.locator('nav a', { hasText: family.entry }).waitFor()
  const file = path.join(schemas, family.file)
  const text = readFileSync(file, 'utf8')
  const samples: Record<'out' | 'back', number[]> = { out: [], back: [] }
  // The first round warms up, if there are several.
  for (let round = rounds > 1 ? 0 : 1; round <= rounds; round++) {
    for (const way of ['out', 'back'] as const) {
      await idle(page)
      const isDone = await whenSeen(page, 'nav a', family.entry, way === 'back')
      const start = Date.now()
      if (way === 'out') rmSync(file)
      else writeFileSync(file, text)
      const took = (await isDone()) - start
      if (round > 0) samples[way].push(took)
    }
  }
  await page.close()
  const result = (name: string, saves: number[]): Result => ({
    name,
    unit: 'ms',
    ours: median(saves),
    aim: { value: 1000 },
    samples: { saves },
  })
  return [
    result('A family taken out, until the menu no longer shows it', samples.out),
    result('A family put back, until the menu shows it', samples.back),
  ]
}

/** Leaves choices that are open already as they are. */
async function openChoices(page: Page, field: string): Promise<void> {
  const choices = page.getByRole('combobox', { name: field })
  if ((await choices.getAttribute('aria-expanded')) !== 'true') await choices.press('ArrowDown')
  await page.getByRole('option').first().waitFor({ state: 'attached' })
}

/** Starts watching; the result resolves with the time at which the frame with the text, or without it, was drawn. */
async function whenSeen(page: Page, selector: string, text: string, isShown = true): Promise<() => Promise<number>> {
  await page.evaluate(
    ({ selector, text, isShown }) => {
      const watched = window as unknown as { seen: Promise<number> }
      watched.seen = new Promise((resolve) => {
        const look = () => {
          const isThere = [...document.querySelectorAll(selector)].some((element) =>
            [element.textContent, element.getAttribute('style')].some((part) => part?.includes(text)),
          )
          requestAnimationFrame(isThere === isShown ? () => resolve(Date.now()) : look)
        }
        requestAnimationFrame(look)
      })
    },
    { selector, text, isShown },
  )
  return () => page.evaluate(() => (window as unknown as { seen: Promise<number> }).seen)
}
