/** Languages: in which one a text is read, and by which locale dates, numbers and plurals of a language are written. */
import type { Label } from './shape.ts'

/** Our codes whose tag of BCP 47 is another. */
const tags = new Map([['cn', 'zh-CN']])
const english = 'en-US'

const isTag = (language: string): boolean => {
  try {
    return Intl.getCanonicalLocales(language).length > 0
  } catch {
    return false
  }
}

/** The tag of a language: `zh-CN` for `cn`; the code itself for a language without one. */
export const tagOf = (language: string): string => tags.get(language) ?? language

const locales = new Map<string, string>()

/** The locale by which dates, numbers and plurals of a language are written; English if its code is not a valid tag. */
export function localeOf(language: string): string {
  let locale = locales.get(language)
  if (locale === undefined) {
    locale = language !== 'en' && isTag(tagOf(language)) ? tagOf(language) : english
    locales.set(language, locale)
  }
  return locale
}

/** `zh` for `cn`, `de` for `de-AT`. */
const primaryOf = (language: string): string => tagOf(language).split(/[-_]/, 1)[0].toLowerCase()

/** The language of the list that a code or tag stands for: the same, else one with the same primary language. */
export function languageFor(requested: string | null | undefined, languages: readonly string[]): string | undefined {
  if (!requested) return undefined
  const wanted = requested.toLowerCase()
  return (
    languages.find((language) => language.toLowerCase() === wanted) ??
    languages.find((language) => tagOf(language).toLowerCase() === wanted) ??
    languages.find((language) => primaryOf(language) === primaryOf(wanted))
  )
}

const fallbacks = new Map<string, readonly string[]>()

/** Where to look for a text that lacks this language: the same language under another code, then English. */
function fallbacksOf(language: string): readonly string[] {
  let found = fallbacks.get(language)
  if (!found) {
    const primary = primaryOf(language)
    found = [primary, ...[...tags.keys()].filter((code) => primaryOf(code) === primary), 'en']
    fallbacks.set(language, found)
  }
  return found
}

/** The language in which a reader of this language gets a text; undefined if it has none. */
export const languageIn = (text: Label, language: string, listed: readonly string[] = []): string | undefined =>
  text[language] === undefined
    ? [...fallbacksOf(language), ...listed, ...Object.keys(text)].find((other) => text[other] !== undefined)
    : language

/**
 * A text as a reader of this language gets it: in this language, else in English, else in the first of the listed
 * languages that it has, else in any. The engine's own texts are in Chinese and English only.
 */
export function textIn(text: Label, language: string, listed: readonly string[] = []): string {
  const found = languageIn(text, language, listed)
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

/** A text in each of these languages. */
export const inEvery = (languages: readonly string[], say: (language: string) => string): Label =>
  Object.fromEntries(languages.map((language) => [language, say(language)]))

export const colon: Label = { cn: '：', en: ': ' }
/** Between the items of a list. */
export const comma: Label = { cn: '、', en: ', ' }
/** Between the clauses of a sentence. */
export const clauseComma: Label = { cn: '，', en: ', ' }
export const semicolon: Label = { cn: '；', en: '; ' }

/** Joins texts with the separator of each language. */
export const joinedBy = (separator: Label, parts: readonly Label[]): Label =>
  composed(parts, (read) => parts.map(read).join(read(separator)))
