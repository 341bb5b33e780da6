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

/** Inside a sentence; abbreviations stay as they are. */
const lowered = (name: string) => (/^[A-Z][a-z]/.test(name) ? name[0].toLowerCase() + name.slice(1) : name)
