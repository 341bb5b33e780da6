/** The mistakes that a form shows, as assistive technology finds them: at the control, or as an alert. */
import type { Locator } from 'playwright-core'
import { literal } from './controls.ts'

/** The control with that label, of any kind. */
export function control(form: Locator, label: string): Locator {
  const named = { name: label, exact: true }
  return form
    .getByRole('textbox', named)
    .or(form.getByRole('combobox', named))
    .or(form.getByRole('group', named))
    .or(form.getByRole('button', { name: new RegExp(`^上传 ${literal(label)}$`) }))
    .first()
}

/** The text of the alerts that describe the control; '' if nothing is wrong. */
export const problemAt = (form: Locator, label: string): Promise<string> =>
  control(form, label).evaluate((element) =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id))
      .filter((note) => note?.getAttribute('role') === 'alert')
      .map((note) => note!.textContent)
      .join('\n'),
  )

/** All mistakes shown at fields, from top to bottom. */
export const problemsAt = (form: Locator): Promise<string[]> =>
  form
    .getByRole('alert')
    .evaluateAll((alerts) =>
      alerts
        .filter((alert) => document.querySelector(`[aria-describedby~="${alert.id}"]`))
        .map(({ textContent }) => textContent ?? ''),
    )

/** Whether the control has the focus and is visible, with nothing in front of it. */
export const isInHand = (place: Locator): Promise<boolean> =>
  place.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const seen = document.elementFromPoint(left + width / 2, top + height / 2)
    return (
      document.activeElement === element &&
      seen !== null &&
      (element.contains(seen) || element.closest('.ant-select')?.contains(seen) === true)
    )
  })
