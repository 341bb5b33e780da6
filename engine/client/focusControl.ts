const takesFocus = 'input:not([type="hidden"]), textarea, button, [tabindex], [contenteditable="true"]'

/** Scrolls to the control of a field and focuses it; among rows, the cell that is wrong. */
export function focusControl(id: string): void {
  const control = document.getElementById(id)
  const item = control?.closest('[data-field]')
  // In rows the group is marked invalid as well, but the cell is what needs correcting.
  const wrong = item?.querySelector<HTMLElement>(`:is(${takesFocus})[aria-invalid="true"]`)
  const seen = wrong ?? item
  seen?.scrollIntoView?.({ block: 'center' })
  const target = wrong ?? (control?.matches(takesFocus) ? control : item?.querySelector<HTMLElement>(takesFocus))
  target?.focus({ preventScroll: true })
}
