import type { Label } from '../../model/model.ts'
import type { CellValue } from './sheetRow.ts'

/** A column that a file may bring. */
export interface SheetColumn {
  key: string
  /** Its header, in either language. */
  label: Label
  /** Other headers that it is recognised by, because lists may label it differently. */
  aliases?: Label[]
  required: boolean
  /** The instruction for filling it in. */
  note?: Label
  /** A spreadsheet number format; '@' keeps long digits as text. */
  format?: string
  /** In characters. */
  width: number
  /** The options of a drop-down, in the given language. */
  choices?: string[]
  /** The cell of the sample row, in the given language. */
  sample?: CellValue
}
