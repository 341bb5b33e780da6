import type { Label } from '../../model/model.ts'
import type { CellValue } from './sheetRow.ts'

/** A column that a file may bring. */
export interface SheetColumn {
  key: string
  /** Its header, in either language. */
  label: Label
  /** Other headers that it is known by: where records are shown, it may be called otherwise. */
  aliases?: Label[]
  required: boolean
  /** What is to be minded when filling it in. */
  note?: Label
  /** A spreadsheet number format; '@' keeps long digits as text. */
  format?: string
  /** In characters. */
  width: number
  /** What a drop-down offers, in the language wanted. */
  choices?: string[]
  /** The cell of the sample row, in the language wanted. */
  sample?: CellValue
}
