/**
 * The interface language: stored under `erp-locale`, else the browser's, or Chinese if that is unknown (specification,
 * section 9).
 */
export type Language = 'cn' | 'en'
const storageKey = 'erp-locale'

export function initialLanguage(stored: string | null, browser: string | undefined): Language {
  if (stored === 'cn' || stored === 'en') return stored
  if (!browser || browser.toLowerCase().startsWith('zh')) return 'cn'
  return browser.toLowerCase().startsWith('en') ? 'en' : 'cn'
}

let current = initialLanguage(localStorage.getItem(storageKey), navigator.language)
const listeners = new Set<() => void>()
document.documentElement.lang = current === 'cn' ? 'zh-CN' : 'en'

export const language = {
  get: (): Language => current,
  set(next: Language) {
    current = next
    localStorage.setItem(storageKey, next)
    document.documentElement.lang = next === 'cn' ? 'zh-CN' : 'en'
    listeners.forEach((listener) => listener())
  },
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}
