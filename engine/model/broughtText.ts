/** In a text of `brought`: stands for any text. */
export const broughtHole = '{}'

/** A regular expression for a stored text of `brought`, with a group for each hole. */
export const broughtPattern = (text: string): string =>
  `^${text
    .split(broughtHole)
    .map((piece) => piece.replace(/[.*+?^${'$'}{}()|[\]\\]/g, '\\$&'))
    .join('(.+)')}$`
