import type { BrowserContext } from 'playwright-core'
import { compareClicks, openingResults, scroll } from './browser.ts'
import type { Scrolls, Subject } from './browser.ts'
import { openArea, yardstickSubject } from './opening.ts'
import type { Result } from './result.ts'
import { area } from './schemas.ts'

export const pageRows = 100

const path = (size: number) => encodeURIComponent(`/${area}/wide/list?page=1&size=${size}`)
/** Both only draw visible rows, so a full window shows that they are done. */
const windowRows = 15
const virtual = 'antd Table virtual'

const ours = (route: string, rows: number): Subject => ({
  name: 'ours',
  prepare: openArea,
  click: `.sidebar a[href="#/${area}/${route}"]`,
  drawn: { selector: `main table[aria-rowcount="${rows + 1}"] tbody tr[aria-rowindex]`, count: windowRows },
})
const byHand = (name: string, size: number, onlySeen: boolean): Subject => {
  const drawn = { selector: '.ant-table-row', count: onlySeen ? windowRows : size }
  return yardstickSubject(name, 'table', `path=${path(size)}${onlySeen ? '&virtual' : ''}`, drawn)
}

/** Fifty columns: a page of a hundred rows, and many rows at once (ten thousand by default) that are scrolled. */
export async function measureLists(context: BrowserContext, rounds: number, allRows: number): Promise<Result[]> {
  const small = await compareClicks(
    context,
    [ours('wide', pageRows), byHand('antd Table', pageRows, false), byHand(virtual, pageRows, true)],
    rounds,
  )
  const [mine, theirs] = [ours('wideAll', allRows), byHand(virtual, allRows, true)]
  const large = await compareClicks(context, [mine, theirs], Math.ceil(rounds / 2))
  const scrolls = {
    mine: await scrolled(context, mine, 'main .grid', { rounds, allRows }),
    theirs: await scrolled(context, theirs, '.ant-table-tbody-virtual', { rounds, allRows }),
  }
  return [
    ...openingResults(`List 50 × ${pageRows}`, small, 'ours', virtual, { ratio: 0.5 }),
    ...openingResults(`List 50 × ${pageRows}`, small, 'ours', 'antd Table'),
    ...openingResults(`List 50 × ${allRows}`, large, 'ours', virtual),
    ...(['down', 'right'] as const).flatMap((direction): Result[] => {
      const name = `List 50 × ${allRows}, scrolled ${direction}`
      const [own, other] = [scrolls.mine[direction], scrolls.theirs[direction]]
      return [
        {
          name: `${name}: frames over 50 ms`,
          unit: 'frames',
          ours: slow(own.frames),
          aim: { value: 0 },
          yardstick: { name: virtual, value: slow(other.frames) },
          samples: { ours: own, [virtual]: other },
        },
        {
          name: `${name}: longest frame`,
          unit: 'ms',
          ours: Math.max(...own.frames),
          yardstick: { name: virtual, value: Math.max(...other.frames) },
        },
        {
          name: `${name}: main thread, a turn of the wheel`,
          unit: 'ms',
          ours: own.work,
          yardstick: { name: virtual, value: other.work },
        },
      ]
    }),
  ]
}

const slow = (frames: number[]) => frames.filter((time) => time > 50).length
/** How many rows a turn of the wheel passes. */
const turnRows = 20

/** The median of three: a frame delayed by something else on the machine proves nothing. */
async function scrolled(
  context: BrowserContext,
  subject: Subject,
  over: string,
  { rounds, allRows }: { rounds: number; allRows: number },
): Promise<Scrolls> {
  const repeats = Math.min(3, rounds)
  const runs: Scrolls[] = []
  for (let repeat = 0; repeat < repeats; repeat++) {
    const page = await context.newPage()
    await subject.prepare(page)
    await page.click(subject.click)
    await page
      .locator(subject.drawn.selector)
      .nth(windowRows - 1)
      .waitFor()
    // The after-effects of opening do not count as scrolling.
    await page.waitForTimeout(1500)
    runs.push(await scroll(page, over, Math.min(120, Math.floor(allRows / turnRows))))
    await page.close()
  }
  const middle = (direction: keyof Scrolls) =>
    runs
      .map((run) => run[direction])
      .sort((a, b) => slow(a.frames) - slow(b.frames) || Math.max(...a.frames) - Math.max(...b.frames))[repeats >> 1]
  return { down: middle('down'), right: middle('right') }
}
