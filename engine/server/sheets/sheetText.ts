import { truncateText } from '../../model/truncateText.ts'
import { plainText } from './plainText.ts'

const longestText = 32_767

/**
 * A text that is valid in a cell: without control characters, within the length limit, and not mistaken for an escaped
 * text.
 */
export const cellText = (text: string): string => truncateText(literal(plainText(literal(text))), longestText)

/** A `_x000D_` that a user typed is not a line end. */
const literal = (text: string) => text.replace(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')

export const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
