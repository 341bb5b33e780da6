import { languageFor, localeOf, tagOf } from '../../engine/model/language.ts'

/** One of the languages of app.json. */
export type Language = string
const storageKey = 'erp-locale'
/** The languages of a product that has other ones than ours: known before the page has reached the server. */
const listedKey = 'erp-languages'
/** Written down, because each page draws them, and `Intl.DisplayNames` first loads the names of all languages. */
const ownNames: ReadonlyMap<Language, string> = new Map([
  ['cn', '中文'],
  ['en', 'English'],
])
const ownLanguages: readonly Language[] = [...ownNames.keys()]

/**
 * The interface language: stored under `erp-locale`, else the browser's, or the product's first if it does not have that
 * (specification, section 9).
 */
export function initialLanguage(
  stored: string | null,
  browser: string | undefined,
  listed: readonly Language[] = ownLanguages,
): Language {
  return stored !== null && listed.includes(stored) ? stored : (languageFor(browser, listed) ?? listed[0])
}

/** What a language is called in itself: 中文, English, Deutsch. */
export function ownName(language: Language): string {
  const known = ownNames.get(language)
  if (known !== undefined) return known
  const tag = tagOf(language)
  try {
    const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? language
    return name[0].toLocaleUpperCase(localeOf(language)) + name.slice(1)
  } catch {
    // A code that is not a valid tag has no name of its own.
    return language
  }
}

const storedList = localStorage.getItem(listedKey)?.split(',')
let listed = storedList ?? ownLanguages
let current = initialLanguage(localStorage.getItem(storageKey), navigator.language, listed)
const listeners = new Set<() => void>()
document.documentElement.lang = tagOf(current)

function speak(next: Language): void {
  current = next
  document.documentElement.lang = tagOf(next)
  listeners.forEach((listener) => listener())
}

export const language = {
  get: (): Language => current,
  set(next: Language) {
    localStorage.setItem(storageKey, next)
    speak(next)
  },
  listed: (): readonly Language[] => listed,
  /** Sets the product's languages as reported by the server. */
  offer(languages: readonly Language[]) {
    if (languages.length === 0 || languages.join() === listed.join()) return
    listed = [...languages]
    if (listed.join() === ownLanguages.join()) localStorage.removeItem(listedKey)
    else localStorage.setItem(listedKey, listed.join())
    speak(initialLanguage(localStorage.getItem(storageKey), navigator.language, listed))
  },
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}
