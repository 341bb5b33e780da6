/** What the journeys find on the screens, by role and name, and do with it. */
import type { Locator, Page } from 'playwright-core'
import { literal } from './controls.ts'

type Scope = Page | Locator

export const button = (scope: Scope, name: string): Locator => scope.getByRole('button', { name, exact: true })
export const says = (scope: Scope, text: string | RegExp): Promise<void> =>
  scope.getByText(text, { exact: true }).filter({ visible: true }).first().waitFor()
export const form = (page: Page): Locator => page.getByRole('form')

/** The row of the list that shows the record with that name. */
export const row = (page: Page, name: string): Locator =>
  page
    .getByRole('main')
    .getByRole('row')
    .filter({ has: page.getByText(name, { exact: true }) })

const footer = (dialog: Locator): Locator => dialog.locator('.ant-modal-footer, .ant-modal-confirm-btns')
/** The button of a dialog that does what the dialog is about, and has its name. */
export const agreeing = (dialog: Locator): Locator => footer(dialog).locator('.ant-btn-primary')

/** Answers a question and waits until it has closed. */
export async function confirm(page: Page, question: string, answer: 'agree' | 'refuse' = 'agree'): Promise<void> {
  const dialog = page.getByRole('dialog').filter({ hasText: question })
  await (answer === 'agree' ? agreeing(dialog) : footer(dialog).locator('.ant-btn:not(.ant-btn-primary)')).click()
  await dialog.waitFor({ state: 'hidden' })
}

/** Agrees to the foreseen result of a call, over which its question stands if it has one. */
export async function agree(page: Page, question = ''): Promise<void> {
  const dialog = page.getByRole('dialog').filter({ has: page.locator('.outlook'), hasText: question })
  await agreeing(dialog).click()
  await dialog.waitFor({ state: 'hidden' })
}

/** A button or link of a row, whose name ends with the record's. */
export const ofRow = (place: Locator, name: string): Locator => {
  const called = { name: new RegExp(`^${literal(name)}( |$)`) }
  return place.getByRole('link', called).or(place.getByRole('button', called))
}

/** Performs an action of a row, opening 更多 if necessary. */
export async function act(page: Page, place: Locator, name: string): Promise<void> {
  const visible = ofRow(place, name)
  const more = ofRow(place, '更多')
  await visible.or(more).first().waitFor()
  if ((await visible.count()) > 0) return visible.first().click()
  await more.click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}
