import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** The rules to check in another colour scheme, where all else is the same. */
export const colourRules = ['color-contrast', 'link-in-text-block']

/** Rules that axe rates as less than serious, but that matter for orientation. */
const places = ['region', 'heading-order', 'page-has-heading-one', 'empty-heading', 'target-size']

const overPage = /\.ant-(\w+-)?(dropdown|message|notification|tooltip|popover)/

/**
 * The accessibility violations of the page, serious and critical, as one line each. The page must allow scripts from
 * elsewhere.
 * @param rules only these, for instance where nothing but the colours has changed
 * @param within only this part of the page, where the rest was checked before
 */
export async function violations(page: Page, rules?: string[], within?: string): Promise<string[]> {
  await page.evaluate(axe.source)
  const found = await page.evaluate(
    ([values, part]) =>
      (window as unknown as { axe: typeof axe }).axe.run(part ?? document, {
        resultTypes: ['violations'],
        rules: { 'target-size': { enabled: true } },
        ...(values && { runOnly: { type: 'rule', values } }),
      }),
    [rules, within] as const,
  )
  return (
    found.violations
      // What lies over the page, such as a menu or a message, gets the focus or is read out, so it needs no region.
      .map((violation) => ({
        ...violation,
        nodes: violation.nodes.filter(
          ({ target }) => violation.id !== 'region' || !target.some((selector) => overPage.test(String(selector))),
        ),
      }))
      .filter(({ nodes }) => nodes.length > 0)
      .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || places.includes(id))
      .map(
        ({ id, nodes }) =>
          `${id}: ${nodes
            .slice(0, 3)
            .map(({ target }) => target.join(' '))
            .join(' | ')}`,
      )
  )
}
