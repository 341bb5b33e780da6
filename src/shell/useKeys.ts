import { useEffect } from 'react'

const isTypedInto = (target: Element) =>
  target.matches('input, textarea, select, [contenteditable=true], [role=combobox]')

/** The save button: in the topmost dialog, else on the visible screen. */
function saver(): HTMLElement | undefined {
  const seen = (selector: string, within: ParentNode = document) =>
    [...within.querySelectorAll<HTMLElement>(selector)].filter((element) => element.checkVisibility()).at(-1)
  const top = seen('[aria-modal=true]')
  return top
    ? seen('[aria-keyshortcuts="Control+S"], .ant-modal-footer .ant-btn-primary', top)
    : seen('[aria-keyshortcuts="Control+S"]')
}

/** The window's shortcuts: Ctrl S saves, a question mark shows all shortcuts. */
export function useKeys(showKeys: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 's' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
        event.preventDefault()
        const button = saver()
        if (!button) return
        // A control passes on pending input when it loses the focus.
        const focused = document.activeElement as HTMLElement | null
        focused?.blur()
        setTimeout(() => {
          button.click()
          if (document.activeElement === document.body) focused?.focus({ preventScroll: true })
        })
      }
      if (event.key === '?' && !event.ctrlKey && !event.metaKey && !isTypedInto(event.target as Element)) showKeys()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [showKeys])
}
