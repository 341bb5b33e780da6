import type { Page } from 'playwright-core'
import type { Subject } from './browser.ts'
import { yardstick } from './pages.ts'
import { areaLabel } from './schemas.ts'

/**
 * The signed-in app on its home page, with the benchmark's part of the menu open. Addresses are relative to the
 * context's origin.
 */
export async function openArea(page: Page): Promise<void> {
  await page.goto('/')
  await page.locator('main[aria-busy="false"]').waitFor()
  await page.locator('.sidebar button', { hasText: areaLabel }).click()
  await idle(page)
}

export const yardstickSubject = (
  name: string,
  file: 'table' | 'form',
  query: string,
  drawn: Subject['drawn'],
): Subject => ({
  name,
  click: '#open',
  drawn,
  async prepare(page) {
    await page.goto(yardstick(file, query))
    await page.locator('#open').waitFor()
    await idle(page)
  },
})

/** The page is done: no request is pending, and the browser reports that it is idle. */
export async function idle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        requestIdleCallback(resolve)
      }),
  )
}
