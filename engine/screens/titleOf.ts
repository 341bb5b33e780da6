import type { Label } from '../model/model.ts'

/**
 * The title of a screen of such records: `{}` stands for the label of one, `{s}` for that of several, and a language
 * without words uses the label alone.
 */
export const titleOf = (label: Label, words: Label): Label =>
  Object.fromEntries(
    Object.entries(label).map(([language, name]) => {
      const text = words[language] ?? '{}'
      const [before] = text.split(/\{s?\}/)
      const told = text.includes('{s}') && language === 'en' ? pluralOf(name) : name
      return [language, text.replace(/\{s?\}/, () => (before ? lowered(told) : told))]
    }),
  )

/** Inside a sentence; abbreviations stay as they are. */
const lowered = (name: string) => (/^[A-Z][a-z]/.test(name) ? name[0].toLowerCase() + name.slice(1) : name)

/** The English plural of a name, by its last word. */
export const pluralOf = (name: string): string =>
  /[^aeiou]y$/i.test(name) ? `${name.slice(0, -1)}ies` : /(s|x|z|ch|sh)$/i.test(name) ? `${name}es` : `${name}s`
