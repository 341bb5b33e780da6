/** Pixels of a Latin letter at the font size of lists: capitals and m are wider than most, i and l narrower. */
const letterWidth = (letter: string): number =>
  /[mwMW@%]/.test(letter) ? 12 : /[A-Z&]/.test(letter) ? 10.2 : /[fijlrtI.,:;'| ]/.test(letter) ? 5 : 8

/** Pixels at the font size of lists. Chinese characters are as wide as the font is high, others about half. */
export const widthOf = (text: string): number =>
  [...text].reduce((sum, character) => sum + (character > '\u2e80' ? 14 : letterWidth(character)), 0)

/** The minimum width for a column's label, with room for the sort arrows; a very long label is cut. */
export const headedWidth = (width: number, label: string): number =>
  Math.max(width, Math.min(240, Math.ceil(widthOf(label)) + 34))

/** The width of a figure in digits: separators are narrower, a currency sign is wider. */
export const digitsOf = (text: string): number =>
  [...text].reduce((sum, character) => sum + (character > '\u2e80' ? 1.9 : /[.,:\s]/.test(character) ? 0.5 : 1), 0)

/** Pixels that a cell needs for a figure, its padding included. */
export const numberWidth = (text: string): number => Math.ceil(digitsOf(text) * 8) + 24

/** Cuts a code in its middle, because codes of a series differ at the end. */
export function cutMiddle(text: string, width: number): string {
  const room = Math.floor((width - 24) / 8.6)
  if (text.length <= room) return text
  const tail = Math.min(5, Math.max(1, room - 2))
  return `${text.slice(0, Math.max(1, room - tail - 1))}…${text.slice(-tail)}`
}
