import { colToLetter } from 'hucre/xlsx'

/** The address of a cell in a spreadsheet program: `C17` is column 2 (from 0) of row 17 (from 1). */
export const cellAddress = (columnIndex: number, rowNumber: number): string =>
  `${columnLetter(columnIndex)}${rowNumber}`

/** `C` for column 2. */
export const columnLetter = (columnIndex: number): string => colToLetter(columnIndex)
