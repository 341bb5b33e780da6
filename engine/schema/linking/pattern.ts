/** Why a text is not a regular expression; undefined if it is one. */
export function patternFault(text: string): string | undefined {
  if (/^\/\^|[^\\]\$\/[a-z]*$/.test(text)) return 'it is written without slashes around it'
  try {
    new RegExp(text, 'u')
    return undefined
  } catch (error) {
    // The part of the message after the pattern, because the issue quotes the pattern itself.
    return (error as Error).message.split(': ').at(-1)
  }
}

/**
 * A lower bound of the length that a regular expression matches: never too high, but too low for constructs that are
 * not parsed here.
 */
export function leastLength(pattern: string): number {
  let at = 0
  const alternatives = (): number => {
    let least = sequence()
    while (pattern[at] === '|') {
      at++
      least = Math.min(least, sequence())
    }
    return least
  }
  const sequence = (): number => {
    let length = 0
    while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') {
      const width = atom()
      length += width * times()
    }
    return length
  }
  const atom = (): number => {
    const character = pattern[at++]
    if (character === '^' || character === '$') return 0
    if (character === '[') {
      while (at < pattern.length && pattern[at] !== ']') at += pattern[at] === '\\' ? 2 : 1
      at++
      return 1
    }
    if (character === '(') {
      const looks = /^\?(?:<?[=!])/.exec(pattern.slice(at))
      at += /^\?(?::|<?[=!]|<\w+>)/.exec(pattern.slice(at))?.[0].length ?? 0
      const inner = alternatives()
      at++
      return looks ? 0 : inner
    }
    if (character !== '\\') return 1
    const escaped = /^(?:u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[pP]\{[^}]*\}|.)/u.exec(pattern.slice(at))
    at += escaped?.[0].length ?? 0
    return escaped && /^[bB1-9k]/.test(escaped[0]) ? 0 : 1
  }
  const times = (): number => {
    const [quantifier, count] = /^(?:[*?+]|\{(\d+)(?:,\d*)?\})\??/.exec(pattern.slice(at)) ?? ['']
    at += quantifier.length
    return count !== undefined ? Number(count) : /^[*?]/.test(quantifier) ? 0 : 1
  }
  return alternatives()
}
