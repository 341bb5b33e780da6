/** Languages: in which one a text is read, and by which locale dates, numbers and plurals of a language are written. */
import type { Label } from './shape.ts'

/** Our codes whose tag of BCP 47 is another. */
const tags: Record<string, string> = { cn: 'zh-CN', en: 'en-US' }

const isTag = (language: string): boolean => {
  try {
    return Intl.getCanonicalLocales(language).length > 0
  } catch {
    return false
  }
}

const locales = new Map<string, string>()

/** The tag of BCP 47 for a language; English where its code is none. */
export function localeOf(language: string): string {
  let locale = locales.get(language)
  if (locale === undefined) {
    locale = tags[language] ?? (isTag(language) ? language : tags.en)
    locales.set(language, locale)
  }
  return locale
}

/** `zh` for `cn`, `de` for `de-AT`. */
const primaryOf = (language: string): string => (tags[language] ?? language).split(/[-_]/, 1)[0].toLowerCase()

/** The language of the list that a code or tag stands for: the same, else one with the same primary language. */
export function languageFor(asked: string | null | undefined, languages: readonly string[]): string | undefined {
  if (!asked) return undefined
  const wanted = asked.toLowerCase()
  return (
    languages.find((language) => language.toLowerCase() === wanted) ??
    languages.find((language) => localeOf(language).toLowerCase() === wanted) ??
    languages.find((language) => primaryOf(language) === primaryOf(wanted))
  )
}

const fallbacks = new Map<string, readonly string[]>()

/** Where to look for a text that lacks this language: the same language under another code, then English. */
function fallbacksOf(language: string): readonly string[] {
  let found = fallbacks.get(language)
  if (!found) {
    const primary = primaryOf(language)
    found = [primary, ...Object.keys(tags).filter((code) => primaryOf(code) === primary), 'en']
    fallbacks.set(language, found)
  }
  return found
}

/**
 * A text as a reader of this language gets it: in this language, else in English, else in the first of the listed
 * languages that it has, else in any. The engine's own texts are in Chinese and English only.
 */
export function textIn(text: Label, language: string, listed: readonly string[] = []): string {
  const own: string | undefined = text[language]
  if (own !== undefined) return own
  const found = [...fallbacksOf(language), ...listed, ...Object.keys(text)].find((other) => text[other] !== undefined)
  return found === undefined ? '' : text[found]
}

/** A text put together from others, in every language that one of them has. */
export const composed = (
  parts: readonly Label[],
  say: (read: (part: Label) => string, language: string) => string,
): Label =>
  inEvery([...new Set(parts.flatMap((part) => Object.keys(part)))], (language) =>
    say((part) => textIn(part, language), language),
  )

export const inEvery = (languages: readonly string[], say: (language: string) => string): Label =>
  Object.fromEntries(languages.map((language) => [language, say(language)]))

export const colon: Label = { cn: '：', en: ': ' }
export const comma: Label = { cn: '、', en: ', ' }
export const semicolon: Label = { cn: '；', en: '; ' }

/** Texts behind one another, with a separator as each language writes it. */
export const joinedBy = (separator: Label, parts: readonly Label[]): Label =>
  composed(parts, (read) => parts.map(read).join(read(separator)))
