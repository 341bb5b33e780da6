import type { BrowserContext } from 'playwright-core'
import { compareClicks, keystrokes, openingResults } from './browser.ts'
import type { Subject } from './browser.ts'
import { formFields } from './fields.ts'
import { openArea, yardstickSubject } from './opening.ts'
import { median } from './result.ts'
import type { Result } from './result.ts'
import { area } from './schemas.ts'
import type { FormSize } from './schemas.ts'

/** Fields that fit a window of 1440 × 900; the rest is drawn when the browser is idle. */
const seen = 27
const keysOfRound = 4
const [seenName, wholeName, handName] = ['ours', 'ours, all fields', 'antd Form']

const ours = (count: number, fields: number): Subject => ({
  name: fields === count ? wholeName : seenName,
  prepare: openArea,
  click: `.sidebar a[href="#/${area}/form${count}"]`,
  drawn: { selector: 'main [data-field] .form-item-control', count: fields },
})
const byHand = (count: number): Subject =>
  yardstickSubject(handName, 'form', `count=${count}`, { selector: '.ant-form-item', count })

/** Forms with linkages: the time until drawn, and a key pressed in a field that linkages read. */
export async function measureForms(
  context: BrowserContext,
  rounds: number,
  sizes: readonly FormSize[],
): Promise<Result[]> {
  const results: Result[] = []
  for (const count of sizes) {
    const samples = await compareClicks(context, [ours(count, seen), ours(count, count), byHand(count)], rounds)
    results.push(
      ...openingResults(`Form of ${count} fields`, samples, seenName, handName, { ratio: 0.5 }),
      ...openingResults(`Form of ${count} fields, to the last one`, samples, wholeName, handName),
    )
    const keys = rounds * keysOfRound
    const mine = await typed(context, ours(count, count), (name) => `[data-field="${name}"] input`, keys)
    const theirs = await typed(context, byHand(count), (name) => `#${name}`, keys)
    results.push({
      name: `Form of ${count} fields, a keystroke`,
      unit: 'ms',
      ours: median(mine),
      aim: { value: 16 },
      yardstick: { name: handName, value: median(theirs) },
      samples: { ours: mine, [handName]: theirs },
    })
  }
  return results
}

async function typed(
  context: BrowserContext,
  subject: Subject,
  input: (name: string) => string,
  keys: number,
): Promise<number[]> {
  const page = await context.newPage()
  await subject.prepare(page)
  await page.click(subject.click)
  await page
    .locator(subject.drawn.selector)
    .nth(subject.drawn.count - 1)
    .waitFor({ state: 'attached' })
  const inputs = formFields(subject.drawn.count)
    .filter(({ linkage }) => linkage?.text)
    .map(({ linkage }) => linkage!.text!)
  // Types once before measuring, because only the first key makes the form dirty.
  await page.locator(input(inputs[0])).fill('b')
  await page.locator(input(inputs[inputs.length >> 1])).focus()
  await page.waitForTimeout(1000)
  const times = await keystrokes(page, keys)
  await page.close()
  return times
}
