/**
 * The text of a cell without control characters, except for tabs and line ends; the format's escapes (`_x000D_`) are
 * decoded.
 */
export function plainText(text: string): string {
  const unescaped = text.includes('_x') ? text.replace(/_x([\dA-Fa-f]{4})_/g, character) : text
  return /[\p{Cc}\p{Cs}\uFFFE\uFFFF]/u.test(unescaped)
    ? unescaped.replace(/\r\n?/g, '\n').replace(/(?![\t\n])[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, '')
    : unescaped
}

const character = (_: string, code: string) => String.fromCharCode(Number.parseInt(code, 16))
