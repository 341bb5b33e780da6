/** What a form says is wrong, as someone hears it who does not see the form: at the control, or as an alert. */
import type { Locator } from 'playwright-core'
import { literal } from './controls.ts'

/** The control with that label, of whatever kind. */
export function control(form: Locator, label: string): Locator {
  const named = { name: label, exact: true }
  return form
    .getByRole('textbox', named)
    .or(form.getByRole('combobox', named))
    .or(form.getByRole('group', named))
    .or(form.getByRole('button', { name: new RegExp(`^上传 ${literal(label)}$`) }))
    .first()
}

/** What the control is described by and alerts; '' where nothing is wrong. */
export const problemAt = (form: Locator, label: string): Promise<string> =>
  control(form, label).evaluate((element) =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id))
      .filter((note) => note?.getAttribute('role') === 'alert')
      .map((note) => note!.textContent)
      .join('\n'),
  )

/** Everything that is said to be wrong at some field, from the top to the bottom. */
export const problemsAt = (form: Locator): Promise<string[]> =>
  form
    .getByRole('alert')
    .evaluateAll((alerts) =>
      alerts
        .filter((alert) => document.querySelector(`[aria-describedby~="${alert.id}"]`))
        .map(({ textContent }) => textContent ?? ''),
    )

/** Has it the focus, and is it seen, with nothing before it? */
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
