import axe from 'axe-core'
import type { Page } from 'playwright-core'

/**
 * What assistive technology would stumble over, serious and critical, as one line each. The page must allow scripts
 * from elsewhere.
 */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const found = await page.evaluate(() =>
    (window as unknown as { axe: typeof axe }).axe.run(document, { resultTypes: ['violations'] }),
  )
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map(({ target }) => target.join(' '))
          .join(' | ')}`,
    )
}
