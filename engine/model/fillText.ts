/** `{name}` and `{customer.name}` in a text, and `{n|line|lines}`: one of two words, by how many there are. */
export const placeholder = /\{([\w.]+)(?:\|([^{}|]*)\|([^{}|]*))?\}/g

/** The names that a text is filled with, each as often as it stands there. */
export const namesIn = (text: string): string[] => [...text.matchAll(placeholder)].map(([, name]) => name)

/** Which of two words goes with so many: `line|lines`. */
export function wordFor(count: unknown, words: string): string {
  const [one, more] = words.split('|')
  return Number(count) === 1 ? one : more
}

/** The text with its placeholders filled in; those that have no value stay as they are. */
export const fillText = (text: string, valueOf: (name: string) => string | undefined): string =>
  text.replace(placeholder, (whole, name: string, one?: string, more?: string) => {
    const value = valueOf(name)
    if (value === undefined) return whole
    return one === undefined ? value : wordFor(value, `${one}|${more}`)
  })
