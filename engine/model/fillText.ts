import { localeOf } from './language.ts'

/** `{name}` and `{customer.name}` in a text, and `{n|line|lines}`: the word for the count. */
export const placeholder = /\{([\w.]+)(?:\|([^{}|]*(?:\|[^{}|]*)+))?\}/g

/** The names of all placeholders in a text, repeated ones included. */
export const namesIn = (text: string): string[] => [...text.matchAll(placeholder)].map(([, name]) => name)

const categories = new Map<string, { rules: Intl.PluralRules; names: string[] }>()
const inOrder = ['zero', 'one', 'two', 'few', 'many', 'other']

function categoriesOf(language: string) {
  let found = categories.get(language)
  if (!found) {
    const rules = new Intl.PluralRules(localeOf(language))
    const names = rules.resolvedOptions().pluralCategories.toSorted((a, b) => inOrder.indexOf(a) - inOrder.indexOf(b))
    categories.set(language, (found = { rules, names }))
  }
  return found
}

/**
 * The word for a count: `line|lines`. Languages with more forms have a word for each of their plural categories, in the
 * order of CLDR; the last word is that of all further ones. In a language without plurals the first is that for one.
 */
export function wordFor(count: unknown, words: string, language = 'en'): string {
  const all = words.split('|')
  const { rules, names } = categoriesOf(language)
  const place = names.length > 1 ? names.indexOf(rules.select(Number(count))) : Number(count) === 1 ? 0 : 1
  return all[Math.min(place, all.length - 1)]
}

/** The text with its placeholders filled in; those without a value stay as they are. */
export const fillText = (text: string, valueOf: (name: string) => string | undefined, language?: string): string =>
  text.replace(placeholder, (whole, name: string, words?: string) => {
    const value = valueOf(name)
    if (value === undefined) return whole
    return words === undefined ? value : wordFor(value, words, language)
  })
