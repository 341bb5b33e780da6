/** Fills controls as an operator does, telling them apart by what the page shows and never by the widget behind it. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

type Scope = Page | Locator
/** What to enter: one text, several choices, the two ends of a range, or a file. */
export type Entry = string | string[]

const pageOf = (scope: Scope): Page => ('page' in scope ? scope.page() : scope)

/** Enters a value into the control with that label, and leaves the control. */
export async function fill(scope: Scope, label: string, entry: Entry): Promise<void> {
  const combobox = scope.getByRole('combobox', { name: label, exact: true })
  const textbox = scope.getByRole('textbox', { name: label, exact: true })
  const group = scope.getByRole('group', { name: label, exact: true })
  const control = combobox
    .or(textbox)
    .or(group)
    .or(scope.getByRole('switch', { name: label, exact: true }))
    .or(scope.getByRole('button', { name: new RegExp(`^(上传|Upload) ${literal(label)}$`) }))
    .first()
  // Read once, because each look-up by role searches the whole form.
  const role = await control.evaluate((element) => element.getAttribute('role') ?? element.tagName.toLowerCase())
  const entries = [entry].flat()
  if (role === 'combobox') return choose(combobox.first(), entries)
  if (role === 'switch') return control.setChecked(entry === 'true')
  if (role === 'button') return upload(control, entries)
  if (role !== 'group' && role !== 'fieldset') return type(textbox, entries)
  // A group may also have the label of its only control.
  if ((await combobox.count()) > 0) return choose(combobox.first(), entries)
  if ((await textbox.count()) > 0) return type(textbox, entries)
  const boxes = group.getByRole('checkbox')
  return (await boxes.count()) > 0 ? tick(boxes, entries) : type(group.getByRole('textbox'), entries)
}

/** Chooses options of a drop-down or tree, or types tags where there are no options. */
export async function choose(combobox: Locator, texts: string[]): Promise<void> {
  const page = pageOf(combobox)
  // Chosen values cover the input, so the click goes to the box around both.
  await combobox.locator('xpath=ancestor::*[contains(@class, "ant-select-selector")]').click()
  const offers = await combobox.evaluate(
    (input) => input.closest('.ant-select')!.querySelector('.ant-select-arrow') !== null,
  )
  for (const text of texts) {
    // A path is searched by its last name and offered as a whole.
    if (await combobox.isEditable()) await combobox.fill(text.split(' / ').at(-1)!)
    if (offers) await option(page, text).click()
    else await combobox.press('Enter')
    // The list returns the focus to its box a moment after a click; a key pressed before that would be undone.
    if (offers) await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
  }
  await combobox.press('Tab')
  // A drop-down that is still closing would offer the same texts to the next control.
  await page.locator('.ant-select-dropdown').filter({ visible: true }).first().waitFor({ state: 'hidden' })
}

/**
 * An option of the open drop-down. Its visible part has no role, since the list for assistive technology is a separate
 * one.
 */
export const option = (page: Page, text: string): Locator =>
  page.locator('.ant-select-dropdown').getByTitle(text, { exact: true }).filter({ visible: true }).first()

/** Ticks exactly the named boxes. */
async function tick(boxes: Locator, names: string[]): Promise<void> {
  const ticked = await boxes.evaluateAll((all) =>
    all.flatMap((box, index) => ((box as HTMLInputElement).checked ? [index] : [])),
  )
  for (const index of ticked) await boxes.nth(index).uncheck()
  for (const name of names) await boxes.and(boxes.page().getByRole('checkbox', { name, exact: true })).check()
}

async function type(boxes: Locator, entries: string[]): Promise<void> {
  // Only some controls name the second end of a range by the label.
  const first = boxes.first()
  const isRange = entries.length > 1
  const ends =
    isRange && (await boxes.count()) === 1 ? [first, first.locator('xpath=following::input[1]')] : [first, boxes.nth(1)]
  for (const [index, entry] of entries.entries()) {
    await ends[index].click()
    await ends[index].fill(entry)
    // A calendar takes typed text on Enter; elsewhere, Enter would already submit the form.
    if (await isCalendar(ends[index])) await ends[index].press('Enter')
  }
  await ends[entries.length - 1].blur()
}

const isCalendar = (box: Locator): Promise<boolean> => box.evaluate((input) => input.closest('.ant-picker') !== null)

async function upload(button: Locator, paths: string[]): Promise<void> {
  const chooser = pageOf(button).waitForEvent('filechooser')
  await button.click()
  await (await chooser).setFiles(paths)
  // A form submitted now would lack the files that are still being uploaded.
  await expect
    .poll(() =>
      pageOf(button)
        .getByRole('status')
        .filter({ hasText: /^\d+%$/ })
        .count(),
    )
    .toBe(0)
}

export const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
