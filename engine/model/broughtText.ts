/** In a text of `brought`: any part. */
export const broughtHole = '{}'

/** What a text of `brought` looks like where it is stored, as a regular expression with a group for each hole. */
export const broughtPattern = (text: string): string =>
  `^${text
    .split(broughtHole)
    .map((piece) => piece.replace(/[.*+?^${'$'}{}()|[\]\\]/g, '\\$&'))
    .join('(.+)')}$`
