/** An operator without a mouse: where the focus is, whether it can be seen, and where a key leads. */
import type { JSHandle, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Is it where typing goes? */
export const hasFocus = (place: Locator): Promise<boolean> =>
  place.evaluateAll((elements) => elements.some((element) => element === document.activeElement))
/** Is it in the dialog, or at one of the ends that antd puts around it? */
export const isWithin = (place: Locator): Promise<boolean> =>
  place.evaluate((element) => (element.closest('.ant-drawer, .ant-modal') ?? element).contains(document.activeElement))
export const expectFocus = (place: Locator, message?: string): Promise<void> =>
  expect.poll(() => hasFocus(place), { message }).toBe(true)

type Focus = JSHandle<Element | null>
const focusOf = (page: Page): Promise<Focus> => page.evaluateHandle(() => document.activeElement)

/** What someone would call the element. */
const nameOf = (focus: Focus): Promise<string> =>
  focus.evaluate((element) => {
    if (!element || element === document.body) return '(page)'
    const labels = [...((element as HTMLInputElement).labels ?? [])].map((label) => label.textContent).join()
    const name =
      element.getAttribute('aria-label') || labels || element.textContent || element.getAttribute('title') || ''
    return `${element.getAttribute('role') ?? element.tagName.toLowerCase()} "${name.trim().slice(0, 30)}"`
  })

/**
 * The lines and shadows around an element, and around what is drawn for it: its frame, or the mark beside a hidden
 * input.
 */
const lookOf = (focus: Focus): Promise<string> =>
  focus.evaluate(async (element) => {
    const drawn = [element, element?.nextElementSibling]
    const outermost = element?.closest('.ant-select, .ant-picker, label') ?? element?.parentElement
    for (let frame = element?.parentElement; frame && outermost?.contains(frame); frame = frame.parentElement)
      drawn.push(frame)
    const elements = drawn.filter((each) => each !== null && each !== undefined)
    // What moves into its look is looked at when it has arrived.
    await Promise.allSettled(
      elements
        .flatMap((each) => each.getAnimations())
        .filter((each) => each instanceof CSSTransition)
        .map((each) => each.finished),
    )
    // A bar stands under the end of a range that one is at.
    const bar =
      element?.closest('.ant-picker-range')?.querySelector<HTMLElement>('.ant-picker-active-bar')?.style.cssText ?? ''
    return (
      bar +
      elements
        .map((each) => {
          const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(each)
          return outlineStyle === 'none' || outlineWidth === '0px'
            ? boxShadow
            : `${outlineStyle} ${outlineWidth} ${outlineColor} ${boxShadow}`
        })
        .join(' | ')
    )
  })

/** '' where the element stands in the window with nothing before it. */
const hiddenBy = (focus: Focus): Promise<string> =>
  focus.evaluate((element) => {
    const frame = element!.closest('.ant-select, .ant-picker, label') ?? element!
    const { left, top, right, bottom, width, height } = frame.getBoundingClientRect()
    if (width === 0 || height === 0) return 'it has no size'
    const [x, y] = [(left + right) / 2, (top + bottom) / 2]
    const points = [
      [x, y],
      [left + 2, y],
      [right - 2, y],
      [x, top + 2],
      [x, bottom - 2],
    ]
    const hits = points.map(([across, down]) => document.elementFromPoint(across, down))
    if (hits.some((hit) => hit && (frame.contains(hit) || hit.contains(element)))) return ''
    return hits.every((hit) => hit === null)
      ? 'it is outside the window'
      : `it is behind ${hits.find((hit) => hit)!.className}`
  })

/** antd holds the focus in a dialog by elements at its ends that show nothing; it passes over them on its way round. */
const isEndOfDialog = (focus: Focus): Promise<boolean> =>
  focus.evaluate(
    (element) =>
      element?.matches('.ant-modal > div, .ant-drawer > div') === true &&
      !element.hasAttribute('class') &&
      !element.hasAttribute('role'),
  )

/**
 * Presses a key that moves the focus. It must leave where it was, be seen where it arrives, and be seen no longer where
 * it was. The name of where it arrives.
 */
export async function move(page: Page, key = 'Tab'): Promise<string> {
  const from = await focusOf(page)
  const isPassing = await isEndOfDialog(from)
  const before = await lookOf(from)
  await page.keyboard.press(key)
  const to = await focusOf(page)
  const name = await nameOf(to)
  expect(
    await to.evaluate((element, old) => element === old && element !== document.body, from),
    `${key} does not leave ${name}`,
  ).toBe(false)
  const isLeft = await from.evaluate((element) => element !== null && element !== document.body && element.isConnected)
  if (isLeft && !isPassing)
    await expect
      .poll(() => lookOf(from), { message: `the focus is not seen on ${await nameOf(from)}` })
      .not.toBe(before)
  const isSomewhere = await to.evaluate((element) => element !== null && element !== document.body)
  if (isSomewhere && !(await isEndOfDialog(to)))
    await expect.poll(() => hiddenBy(to), { message: `${key} leads to ${name}, which is not seen` }).toBe('')
  return name
}

/** Presses a key until the focus is there. */
export async function moveTo(page: Page, place: Locator, { key = 'Tab', limit = 120 } = {}): Promise<void> {
  const passed: string[] = []
  while (!(await hasFocus(place))) {
    if (passed.length === limit)
      throw new Error(`${key} does not lead to ${String(place)}, but to ${passed.join(' → ')}`)
    passed.push(await move(page, key))
  }
}

/** From the top of the page through everything, until the page begins anew: the names of what was passed. */
export async function wholeRound(page: Page, limit = 400): Promise<string[]> {
  await page.evaluate(() => {
    // What was focused last would be gone on from.
    document.body.tabIndex = -1
    document.body.focus()
    document.body.removeAttribute('tabindex')
  })
  const passed: string[] = []
  const first = await move(page)
  const start = await focusOf(page)
  for (let name = first; passed.length < limit; name = await move(page)) {
    const isRound =
      passed.length > 0 &&
      (await page.evaluate(
        (element) => document.activeElement === element || document.activeElement === document.body,
        start,
      ))
    if (isRound) return passed
    passed.push(name)
  }
  throw new Error(`Tab never comes round: ${passed.join(' → ')}`)
}
