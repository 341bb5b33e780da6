import type { Label } from '../model/model.ts'

/** What a screen of such records is called: `{}` stands for them, and a language without words has only their name. */
export const titleOf = (label: Label, words: Label): Label =>
  Object.fromEntries(
    Object.entries(label).map(([language, name]) => {
      const [before] = (words[language] ?? '{}').split('{}')
      return [language, (words[language] ?? '{}').replace('{}', before ? lowered(name) : name)]
    }),
  )

/** Inside of a sentence; abbreviations stay as they are. */
const lowered = (name: string) => (/^[A-Z][a-z]/.test(name) ? name[0].toLowerCase() + name.slice(1) : name)
