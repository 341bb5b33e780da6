/** An operator without a mouse: where the focus is, whether it is visible, and where a key leads. */
import type { JSHandle, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Whether the element has the focus. */
export const hasFocus = (place: Locator): Promise<boolean> =>
  place.evaluateAll((elements) => elements.some((element) => element === document.activeElement))
/** Whether the focus is in the dialog, or on one of the ends that antd puts around it. */
export const isWithin = (place: Locator): Promise<boolean> =>
  place.evaluate((element) => (element.closest('.ant-drawer, .ant-modal') ?? element).contains(document.activeElement))
export const expectFocus = (place: Locator, message?: string): Promise<void> =>
  expect.poll(() => hasFocus(place), { message }).toBe(true)

type Focus = JSHandle<Element | null>
const focusOf = (page: Page): Promise<Focus> => page.evaluateHandle(() => document.activeElement)

/** A readable name of the element. */
const nameOf = (focus: Focus): Promise<string> =>
  focus.evaluate((element) => {
    if (!element || element === document.body) return '(page)'
    const labels = [...((element as HTMLInputElement).labels ?? [])].map((label) => label.textContent).join()
    const name =
      element.getAttribute('aria-label') || labels || element.textContent || element.getAttribute('title') || ''
    return `${element.getAttribute('role') ?? element.tagName.toLowerCase()} "${name.trim().slice(0, 30)}"`
  })

/**
 * The outlines and shadows of an element and of what is rendered for it: its frame, or the mark beside a hidden input.
 */
const lookOf = (focus: Focus): Promise<string> =>
  focus.evaluate(async (element) => {
    const drawn = [element, element?.nextElementSibling]
    const outermost = element?.closest('.ant-select, .ant-picker, label') ?? element?.parentElement
    for (let frame = element?.parentElement; frame && outermost?.contains(frame); frame = frame.parentElement)
      drawn.push(frame)
    const elements = drawn.filter((each) => each !== null && each !== undefined)
    // Waits for transitions, to see the final look.
    await Promise.allSettled(
      elements
        .flatMap((each) => each.getAnimations())
        .filter((each) => each instanceof CSSTransition)
        .map((each) => each.finished),
    )
    // A bar marks the end of a range that has the focus.
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

/** '' if the element is inside the window with nothing in front of it, else the reason. */
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

/** antd keeps the focus in a dialog by invisible elements at its ends, which the focus passes on its way round. */
const isEndOfDialog = (focus: Focus): Promise<boolean> =>
  focus.evaluate(
    (element) =>
      element?.matches('.ant-modal > div, .ant-drawer > div') === true &&
      !element.hasAttribute('class') &&
      !element.hasAttribute('role'),
  )

/**
 * Presses a key that moves the focus: it must leave its element, be visible where it arrives, and no longer be visible
 * where it was.
 * @returns the name of the element where it arrives
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

/** Presses a key until the element has the focus. */
export async function moveTo(page: Page, place: Locator, { key = 'Tab', limit = 120 } = {}): Promise<void> {
  const passed: string[] = []
  while (!(await hasFocus(place))) {
    if (passed.length === limit)
      throw new Error(`${key} does not lead to ${String(place)}, but to ${passed.join(' → ')}`)
    passed.push(await move(page, key))
  }
}

/** Has Tab begin at the top of the page, instead of at the element that had the focus last. */
export const toTop = (page: Page): Promise<void> =>
  page.evaluate(() => {
    document.body.tabIndex = -1
    document.body.focus()
    document.body.removeAttribute('tabindex')
  })

/**
 * Presses Tab from the top of the page until it comes round.
 * @returns the names of the elements passed
 */
export async function wholeRound(page: Page, limit = 400): Promise<string[]> {
  await toTop(page)
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
