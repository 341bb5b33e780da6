/** In pixels, as lists write it. Chinese characters are as wide as the font is high, others about half. */
export const widthOf = (text: string): number =>
  [...text].reduce((sum, character) => sum + (character > '\u2e80' ? 14 : 7.6), 0)

/** A column is wide enough for its name, with room for the arrows that sort; a very long name is cut. */
export const headedWidth = (width: number, label: string): number =>
  Math.max(width, Math.min(240, Math.ceil(widthOf(label)) + 34))
