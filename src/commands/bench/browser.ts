import { chromium } from 'playwright-core'
import type { BrowserContext, Page } from 'playwright-core'
import { tokenCookie } from '../../session/token.ts'
import { launchBrowser } from '../../../tests/journeys/browser.ts'
import { median } from './result.ts'
import type { Result } from './result.ts'

export interface BenchBrowser {
  context(origin: string, signedIn: boolean): Promise<BrowserContext>
  version: string
  close(): Promise<void>
}

export async function openBrowser(token: string): Promise<BenchBrowser> {
  const server = await launchBrowser()
  const browser = await chromium.connect(server.wsEndpoint())
  return {
    version: browser.version(),
    async context(baseURL, signedIn) {
      const context = await browser.newContext({
        baseURL,
        viewport: { width: 1440, height: 900 },
        locale: 'zh-CN',
        timezoneId: 'Asia/Shanghai',
      })
      // A helper that tsx adds to functions passed to the page.
      await context.addInitScript('globalThis.__name = (made) => made')
      await context.addInitScript(
        (stored) => {
          localStorage.setItem('erp-locale', 'cn')
          if (stored) localStorage.setItem('token', stored)
        },
        signedIn ? token : '',
      )
      if (signedIn) await context.addCookies([{ name: tokenCookie, value: token, url: baseURL }])
      return context
    },
    async close() {
      await browser.close()
      await server.close()
    },
  }
}

/** Something that a click opens. */
export interface Subject {
  name: string
  /** Brings a new page to the point where only the click is missing. */
  prepare(page: Page): Promise<void>
  click: string
  /** Drawn when this many elements match. */
  drawn: { selector: string; count: number }
}

/**
 * Milliseconds from the click to the second animation frame after the page contains the expected elements. The same
 * probe for all.
 */
async function clickToDrawn(page: Page, { click, drawn }: Subject): Promise<number> {
  return page.evaluate(
    ({ click, drawn }) =>
      new Promise<number>((resolve, reject) => {
        setTimeout(() => reject(new Error(`${drawn.selector} did not come`)), 60_000)
        const element = document.querySelector<HTMLElement>(click)!
        const start = performance.now()
        const look = () => {
          if (document.querySelectorAll(drawn.selector).length < drawn.count) requestAnimationFrame(look)
          else requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - start)))
        }
        requestAnimationFrame(look)
        element.click()
      }),
    { click, drawn },
  )
}

/**
 * The time of opening: until drawn, and how long the page's main thread worked, which hardly depends on the machine's
 * other load.
 */
export interface Opening {
  drawn: number
  busy: number
}

/**
 * Subject → its samples, each on a new page; if there are several rounds, one before them warms up, and every round has
 * another order.
 */
export async function compareClicks(
  context: BrowserContext,
  subjects: Subject[],
  rounds: number,
): Promise<Record<string, Opening[]>> {
  const samples: Record<string, Opening[]> = Object.fromEntries(subjects.map(({ name }) => [name, []]))
  for (let round = rounds > 1 ? 0 : 1; round <= rounds; round++) {
    for (const subject of shuffled(subjects)) {
      const page = await context.newPage()
      await subject.prepare(page)
      // A pointer rests before it presses; what the page fetches meanwhile does not count.
      await page.hover(subject.click)
      await page.waitForTimeout(100)
      const busy = await mainThread(page)
      const before = await busy()
      const drawn = await clickToDrawn(page, subject)
      const opening = { drawn, busy: (await busy()) - before }
      if (round > 0) samples[subject.name].push(opening)
      await page.close()
    }
  }
  return samples
}

/** Returns the milliseconds that the page's main thread has worked so far: scripts, style, layout and paint. */
async function mainThread(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000
  }
}

/** Milliseconds that the page's main thread works for each keystroke in the focused control. */
export async function keystrokes(page: Page, count: number): Promise<number[]> {
  const busy = await mainThread(page)
  // Until the next frame is drawn.
  const settle = () =>
    page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          requestAnimationFrame(() => setTimeout(resolve))
        }),
    )
  const times: number[] = []
  for (let index = -3; index < count; index++) {
    await settle()
    const start = await busy()
    await settle()
    const before = await busy()
    // The first key triggers the linkages and the next undoes them.
    await page.keyboard.press(index % 2 ? 'Backspace' : 'a')
    await settle()
    const after = await busy()
    // An idle frame shows how long the measurement itself takes.
    if (index >= 0) times.push(Math.max(0, after - before - (before - start)))
  }
  return times
}

/** Milliseconds between animation frames, and the main thread's work for each turn of the wheel. */
export interface Scroll {
  frames: number[]
  work: number
}
export interface Scrolls {
  down: Scroll
  right: Scroll
}

/**
 * Turns the wheel above `over`: first down this often, a window's height each time, then to the right, which ends
 * sooner.
 */
export async function scroll(page: Page, over: string, turns: number): Promise<Scrolls> {
  const busy = await mainThread(page)
  const box = (await page.locator(over).first().boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + Math.min(box.height / 2, 300))
  const turn = async (x: number, y: number, times: number): Promise<Scroll> => {
    const before = await busy()
    await page.evaluate(() => {
      const recorder = window as unknown as { frames?: number[] }
      const frames: number[] = (recorder.frames = [])
      let last = performance.now()
      const note = () => {
        if (recorder.frames !== frames) return
        const now = performance.now()
        frames.push(now - last)
        last = now
        requestAnimationFrame(note)
      }
      requestAnimationFrame(note)
    })
    for (let index = 0; index < times; index++) {
      await page.mouse.wheel(x, y)
      await page.evaluate(
        () =>
          new Promise((resolve) => {
            requestAnimationFrame(resolve)
          }),
      )
    }
    const frames = await page.evaluate(() => {
      const recorder = window as unknown as { frames?: number[] }
      const { frames } = recorder
      recorder.frames = undefined
      return frames!.slice(1)
    })
    return { frames, work: ((await busy()) - before) / times }
  }
  const down = await turn(0, 700, turns)
  const right = await turn(400, 0, Math.min(40, turns))
  return { down, right }
}

/** A line for the time until drawn, one for the work of the main thread. */
export function openingResults(
  name: string,
  samples: Record<string, Opening[]>,
  ours: string,
  byHand: string,
  aim?: Result['aim'],
): Result[] {
  const medianOf = (subject: string, what: keyof Opening) => median(samples[subject].map((opening) => opening[what]))
  const line = (what: keyof Opening) => ({
    unit: 'ms',
    ours: medianOf(ours, what),
    yardstick: { name: byHand, value: medianOf(byHand, what) },
  })
  return [
    {
      name: `${name}, click to drawn`,
      ...line('drawn'),
      ...(aim && { aim }),
      samples: { [ours]: samples[ours], [byHand]: samples[byHand] },
    },
    { name: `${name}, work of the main thread`, ...line('busy') },
  ]
}

function shuffled<T>(values: readonly T[]): T[] {
  const result = [...values]
  for (let index = result.length - 1; index > 0; index--) {
    const other = Math.floor(Math.random() * (index + 1))
    ;[result[index], result[other]] = [result[other], result[index]]
  }
  return result
}
