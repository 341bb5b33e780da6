import { useEffect } from 'react'

const isTypedInto = (target: Element) =>
  target.matches('input, textarea, select, [contenteditable=true], [role=combobox]')

/** What saves: in the dialog that lies on top, else on the screen that is seen. */
function saver(): HTMLElement | undefined {
  const seen = (selector: string, within: ParentNode = document) =>
    [...within.querySelectorAll<HTMLElement>(selector)].filter((element) => element.checkVisibility()).at(-1)
  const top = seen('[aria-modal=true]')
  return top
    ? seen('[aria-keyshortcuts="Control+S"], .ant-modal-footer .ant-btn-primary', top)
    : seen('[aria-keyshortcuts="Control+S"]')
}

/** The keys of the whole window: Ctrl S saves, a question mark shows all keys. */
export function useKeys(showKeys: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 's' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
        event.preventDefault()
        const button = saver()
        if (!button) return
        // What a control still holds back it hands on when it is left.
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
