import { gzipSync } from 'node:zlib'
import type { BrowserContext, Page, Response } from 'playwright-core'
import { idle } from './opening.ts'
import { yardstick } from './pages.ts'
import { median } from './result.ts'
import type { Result } from './result.ts'
import { password } from './server.ts'

/** What a page has fetched since it was opened: gzip kilobytes of all bodies, and kilobytes as transferred. */
function listen(page: Page) {
  const responses: Response[] = []
  page.on('response', (response) => {
    responses.push(response)
  })
  return async () => {
    let gzip = 0
    let wire = 0
    const files: Record<string, number> = {}
    // Those that arrive meanwhile do not count.
    for (const response of responses.slice()) {
      const body = await response.body().catch(() => Buffer.alloc(0))
      const size = gzipSync(body, { level: 9 }).length / 1024
      gzip += size
      wire += (await response.request().sizes()).responseBodySize / 1024
      files[new URL(response.url()).pathname] = Math.round(size * 10) / 10
    }
    return { gzip, wire, files }
  }
}

/**
 * With an empty cache: the sign-in page, and from there the first list, compared with a hand-written page that only has
 * antd's Table. Then both with an empty cache again, by time, requests and bytes until the rows are drawn.
 */
export async function measureDownload(open: (signedIn: boolean) => Promise<BrowserContext>): Promise<Result[]> {
  const visitor = await open(false)
  const page = await visitor.newPage()
  const fetched = listen(page)
  await page.goto('/')
  await page.locator('#username').waitFor()
  await idle(page)
  const signIn = await fetched()
  await page.fill('#username', 'admin')
  await page.fill('#password', password)
  await page.click('button[type="submit"]')
  await page.locator('main[aria-busy="false"]').waitFor()
  await page.evaluate(() => {
    window.location.hash = '#/customer'
  })
  await page.locator('main .grid tbody tr[aria-rowindex]').first().waitFor()
  await idle(page)
  const list = await fetched()
  await visitor.close()

  const hand = await open(true)
  const handPage = await hand.newPage()
  const handFetched = listen(handPage)
  await handPage.goto(yardstick('table', `path=${encodeURIComponent('/customer/list?page=1&size=20')}`))
  await handPage.click('#open')
  await handPage.locator('.ant-table-row').first().waitFor()
  await idle(handPage)
  const table = await handFetched()
  await hand.close()

  const byHand = await loadCold(open, {
    rows: '.ant-table-row',
    async open(cold) {
      await cold.goto(yardstick('table', `path=${encodeURIComponent('/customer/list?page=1&size=20')}`))
      await cold.click('#open')
    },
  })
  const ours = await loadCold(open, {
    rows: 'main .grid tbody tr[aria-rowindex]',
    open: async (cold) => void (await cold.goto('/#/customer')),
  })
  return [
    { name: 'Download of the sign-in page, gzip', unit: 'KB', ours: signIn.gzip, samples: signIn },
    {
      name: 'Download up to the first list, gzip',
      unit: 'KB',
      ours: list.gzip,
      yardstick: { name: 'one page of antd Table', value: table.gzip },
      samples: { ours: list, antd: table },
    },
    {
      name: 'A list with an empty cache, until its rows are drawn',
      unit: 'ms',
      ours: ours.milliseconds,
      yardstick: { name: 'one page of antd Table', value: byHand.milliseconds },
      aim: { ratio: 0.8 },
    },
    { name: 'Requests until then', unit: 'requests', ours: ours.requests, aim: { value: 12 } },
    {
      name: 'Bytes until then, gzip',
      unit: 'KB',
      ours: ours.gzip,
      yardstick: { name: 'one page of antd Table', value: byHand.gzip },
      aim: { value: 280 },
    },
  ]
}

const loads = 5

interface ColdLoad {
  /** Matches the rows. */
  rows: string
  open(page: Page): Promise<void>
}

/** Medians of several loads, each in a new browser context; requests and bytes of what was sent before the rows came. */
async function loadCold(open: (signedIn: boolean) => Promise<BrowserContext>, load: ColdLoad) {
  const milliseconds: number[] = []
  const requests: number[] = []
  const sizes: number[] = []
  for (let round = 0; round < loads; round++) {
    const context = await open(true)
    const page = await context.newPage()
    await page.addInitScript(noteRows, load.rows)
    const responses: Response[] = []
    page.on('response', (response) => void responses.push(response))
    const begun = performance.now()
    await load.open(page)
    await page.locator(load.rows).first().waitFor()
    milliseconds.push(performance.now() - begun)
    await idle(page)
    const drawn = await page.evaluate(() => (globalThis as { rowsDrawnAt?: number }).rowsDrawnAt!)
    const before = responses.filter((response) => response.request().timing().startTime < drawn)
    requests.push(before.length)
    const bodies = await Promise.all(before.map((response) => response.body().catch(() => Buffer.alloc(0))))
    sizes.push(bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length / 1024, 0))
    await context.close()
  }
  return { milliseconds: median(milliseconds), requests: median(requests), gzip: median(sizes) }
}

/** Runs in the page: notes, in milliseconds since 1970, when the first row was there. */
function noteRows(rows: string) {
  const observer = new MutationObserver(() => {
    if (!document.querySelector(rows)) return
    ;(globalThis as { rowsDrawnAt?: number }).rowsDrawnAt = Date.now()
    observer.disconnect()
  })
  observer.observe(document, { childList: true, subtree: true })
}
