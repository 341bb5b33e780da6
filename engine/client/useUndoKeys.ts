import { useRef } from 'react'
import type { KeyboardEvent } from 'react'
import type { FormModel } from './form.tsx'

const textOf = (element: Element): string =>
  element.matches('input, textarea') ? (element as HTMLInputElement | HTMLTextAreaElement).value : element.innerHTML

/**
 * Ctrl Z and Ctrl Shift Z (or Ctrl Y) in a form. While the text of a control differs from what it was at the first key
 * pressed in it, the browser's own undo applies; then the form undoes earlier entries.
 */
export function useUndoKeys(model: FormModel) {
  const entered = useRef<{ element: Element; text: string }>(undefined)
  return {
    onBlur() {
      entered.current = undefined
    },
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      const control = event.target as HTMLElement
      if (entered.current?.element !== control) entered.current = { element: control, text: textOf(control) }
      const key = event.key.toLowerCase()
      if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== 'z' && key !== 'y')) return
      const isRedo = key === 'y' || event.shiftKey
      if (isRedo ? !model.canRedo : textOf(control) !== entered.current.text) return
      event.preventDefault()
      if (isRedo) model.redo()
      else model.undo()
      entered.current = undefined
    },
  }
}
