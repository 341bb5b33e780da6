/**
 * The value of a cell. A number that the sheet shows as a date or time is a Date whose UTC fields are what the sheet
 * shows. A time without a day is on 1899-12-31. The error of a formula is its text (`#N/A`).
 */
export type CellValue = string | number | boolean | Date | null

/** A non-empty row. Cells after the last filled one are absent. */
export interface SheetRow {
  /** As in the spreadsheet program, from 1. */
  number: number
  cells: CellValue[]
}

export interface SheetLimits {
  /** The maximum size of the file. */
  bytes: number
  /** The maximum size of all its parts, unpacked. */
  unpackedBytes: number
  /** The maximum size of the workbook's shared texts, in UTF-8. */
  textBytes: number
  /** The maximum compression ratio of a part, and of all cells' characters to the bytes of the file. */
  ratio: number
  /** Files inside the file. */
  parts: number
  /** Rows of data, without the header and one sample row. */
  rows: number
  columns: number
  /** Of one cell. */
  characters: number
  /**
   * Of all cells together, each counted where it is used, because a file may share one long text among a million cells;
   * fewer if the file is small.
   */
  cellCharacters: number
}

export const sheetLimits: SheetLimits = {
  bytes: 100 * 2 ** 20,
  unpackedBytes: 2 ** 30,
  textBytes: 256 * 2 ** 20,
  ratio: 250,
  parts: 5_000,
  rows: 200_000,
  columns: 300,
  characters: 100_000,
  cellCharacters: 2 ** 28,
}
