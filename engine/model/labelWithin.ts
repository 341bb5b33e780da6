import type { Label } from './shape.ts'

/** Languages and peoples, that begin the labels of a few fields. */
const properNames = ['Chinese', 'English']

/**
 * A label as it stands within a sentence: "Please select reason". What begins with an acronym or a proper name stays:
 * "Please enter ID number".
 */
export const labelWithin = (label: Label): Label => {
  if (label.en === undefined) return label
  const [first] = /^\p{L}+/u.exec(label.en) ?? ['']
  const isWord = /^\p{Lu}\p{Ll}+$/u.test(first) && !properNames.includes(first)
  return isWord ? { ...label, en: label.en.charAt(0).toLowerCase() + label.en.slice(1) } : label
}
