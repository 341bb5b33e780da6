/** `{name}` and `{customer.name}` in a text, and `{n|line|lines}`: singular or plural, by the count. */
export const placeholder = /\{([\w.]+)(?:\|([^{}|]*)\|([^{}|]*))?\}/g

/** The names of all placeholders in a text, repeated ones included. */
export const namesIn = (text: string): string[] => [...text.matchAll(placeholder)].map(([, name]) => name)

/** Singular or plural for this count: `line|lines`. */
export function wordFor(count: unknown, words: string): string {
  const [one, more] = words.split('|')
  return Number(count) === 1 ? one : more
}

/** The text with its placeholders filled in; those without a value stay as they are. */
export const fillText = (text: string, valueOf: (name: string) => string | undefined): string =>
  text.replace(placeholder, (whole, name: string, one?: string, more?: string) => {
    const value = valueOf(name)
    if (value === undefined) return whole
    return one === undefined ? value : wordFor(value, `${one}|${more}`)
  })
