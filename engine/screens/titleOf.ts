import type { Label } from '../model/model.ts'

/**
 * The title of a screen of such records: `{}` stands for their label, and a language without words uses the label
 * alone.
 */
export const titleOf = (label: Label, words: Label): Label =>
  Object.fromEntries(
    Object.entries(label).map(([language, name]) => {
      const [before] = (words[language] ?? '{}').split('{}')
      return [language, (words[language] ?? '{}').replace('{}', before ? lowered(name) : name)]
    }),
  )

/** The title of a list of such records: in English their plural, elsewhere the label. */
export const listTitleOf = (label: Label): Label =>
  label.en === undefined ? label : { ...label, en: pluralOf(label.en) }

/** Inside a sentence; abbreviations stay as they are. */
const lowered = (name: string) => (/^[A-Z][a-z]/.test(name) ? name[0].toLowerCase() + name.slice(1) : name)

/** The English plural of a name, by its last word. */
export const pluralOf = (name: string): string =>
  /[^aeiou]y$/i.test(name) ? `${name.slice(0, -1)}ies` : /(s|x|z|ch|sh)$/i.test(name) ? `${name}es` : `${name}s`
