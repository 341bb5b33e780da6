import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Of another colour scheme, where all else is the same. */
export const colourRules = ['color-contrast', 'link-in-text-block']

/**
 * What assistive technology would stumble over, serious and critical, as one line each. The page must allow scripts
 * from elsewhere. `rules`: only these, such as where nothing but the colours has changed.
 */
export async function violations(page: Page, rules?: string[]): Promise<string[]> {
  await page.evaluate(axe.source)
  const found = await page.evaluate(
    (values) =>
      (window as unknown as { axe: typeof axe }).axe.run(document, {
        resultTypes: ['violations'],
        ...(values && { runOnly: { type: 'rule', values } }),
      }),
    rules,
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
