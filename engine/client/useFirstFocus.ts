import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'
import type { Value } from '../model/model.ts'

const controls = 'input:not([type=hidden], [type=file]), textarea, [contenteditable=true]'

/** Controls that were focused automatically, until they are left. */
const opened = new WeakSet<Element>()

/** Whether an automatically focused field was left empty without input; it is then not reported as missing yet. */
export function isLeftUntouched(id: string, value: Value | undefined): boolean {
  const control = document.getElementById(id)
  return control !== null && opened.delete(control) && (value ?? null) === null
}

/**
 * Focuses the first field of a form when it opens, unless the user is elsewhere or a touch keyboard would cover half of
 * the form.
 */
export function useFirstFocus(form: RefObject<HTMLElement | null>, enabled: boolean): void {
  const done = useRef(false)
  useEffect(() => {
    if (!enabled || done.current || window.matchMedia('(pointer: coarse)').matches) return
    const frame = requestAnimationFrame(() => {
      done.current = true
      const focused = document.activeElement
      if (focused && focused !== document.body && focused.checkVisibility()) return
      const first = [...(form.current?.querySelectorAll<HTMLInputElement>(controls) ?? [])].find(
        (control) => !control.disabled && !control.readOnly && control.checkVisibility(),
      )
      if (!first) return
      opened.add(first)
      first.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [form, enabled])
}
