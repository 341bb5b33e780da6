import { plainText } from './plainText.ts'

const longestText = 32_767

/**
 * A text as a cell may hold it: without control characters, no longer than programs read, and not taken for one that is
 * escaped.
 */
export const cellText = (text: string): string => literal(plainText(literal(text))).slice(0, longestText)

/** `_x000D_` written by somebody is no end of a line. */
const literal = (text: string) => text.replace(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')

export const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
