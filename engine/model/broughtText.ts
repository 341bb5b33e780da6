/** The placeholder in a `brought` text: matches any text. */
export const broughtHole = '{}'

/**
 * What stands in the holes of a text of `brought`, each as long as possible from the left on; undefined if it is
 * another text. A regular expression would take far longer for long texts with many separators.
 */
export function broughtParts(text: string, value: string): string[] | undefined {
  const [first, ...pieces] = text.split(broughtHole)
  if (pieces.length === 0) return value === text ? [] : undefined
  if (!value.startsWith(first) || !value.endsWith(pieces.at(-1)!)) return undefined
  const parts: string[] = []
  let end = value.length - pieces.at(-1)!.length
  for (const piece of pieces.slice(0, -1).toReversed()) {
    const from = end - 1 - piece.length
    const at = from < 0 ? -1 : value.lastIndexOf(piece, from)
    if (at < 0) return undefined
    parts.unshift(value.slice(at + piece.length, end))
    end = at
  }
  return end > first.length ? [value.slice(first.length, end), ...parts] : undefined
}

/** A regular expression for a stored text of `brought`, with a group for each hole. */
export const broughtPattern = (text: string): string =>
  `^${text
    .split(broughtHole)
    .map((piece) => piece.replace(/[.*+?^${'$'}{}()|[\]\\]/g, '\\$&'))
    .join('(.+)')}$`
