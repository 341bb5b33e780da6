import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'
import type { Value } from '../model/model.ts'

const controls = 'input:not([type=hidden], [type=file]), textarea, button, [contenteditable=true]'

/** Controls that were focused automatically, until they are left. */
const opened = new WeakSet<Element>()

/** Whether an automatically focused field was left empty without input; it is then not reported as missing yet. */
export function isLeftUntouched(id: string, value: Value | undefined): boolean {
  const control = document.getElementById(id)
  return control !== null && opened.delete(control) && (value ?? null) === null
}

/** Whether the user works outside the form: in a dialog, only what else is in that dialog counts. */
function isElsewhere(form: HTMLElement): boolean {
  const focused = document.activeElement
  if (!focused || focused === document.body || focused.contains(form) || !focused.checkVisibility()) return false
  const dialog = form.closest('[role=dialog]')
  return !dialog || dialog.contains(focused)
}

/** The control of the first field that can be changed; `loading` until the widget of that field is there. */
function firstControl(form: HTMLElement): HTMLElement | 'loading' | undefined {
  for (const item of form.querySelectorAll('.form-item:not(.form-item-reading)')) {
    if (!item.checkVisibility()) continue
    if (item.querySelector('.form-control-loading')) return 'loading'
    const own = document.getElementById(item.querySelector('label')?.htmlFor ?? '')
    const control = own?.matches(controls)
      ? own
      : item.querySelector<HTMLElement>(`.form-item-control :is(${controls})`)
    if (control && !control.matches(':disabled, [readonly]')) return control
  }
  return undefined
}

/**
 * Focuses the first field of a form when it opens, unless the user is elsewhere or a touch keyboard would cover half of
 * the form.
 */
export function useFirstFocus(form: RefObject<HTMLElement | null>, enabled: boolean): void {
  const done = useRef(false)
  useEffect(() => {
    if (!enabled || done.current || window.matchMedia('(pointer: coarse)').matches) return
    const observer = new MutationObserver(focus)
    function focus() {
      const opening = form.current
      const first = opening ? firstControl(opening) : undefined
      if (first === 'loading') return
      observer.disconnect()
      done.current = true
      if (!opening || !first || isElsewhere(opening)) return
      opened.add(first)
      first.focus({ preventScroll: true })
    }
    const frame = requestAnimationFrame(() => {
      if (form.current) observer.observe(form.current, { childList: true, subtree: true })
      focus()
    })
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
    }
  }, [form, enabled])
}
