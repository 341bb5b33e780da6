import { Buffer } from 'node:buffer'
import type { CellStyle } from 'hucre/xlsx'
import type { Label } from '../../model/model.ts'
import { noteParts } from './noteParts.ts'
import type { SheetColumn } from './sheetColumn.ts'
import {
  bookParts,
  dataPart,
  font,
  headerNotes,
  instructionSheet,
  notePart,
  shapePart,
  stylesOfRow,
  templateSheets,
  textCell,
} from './templateBook.ts'
import type { SheetCell, Template } from './templateBook.ts'
import { zipParts } from './zipParts.ts'
import type { ZipPart } from './zipParts.ts'

const grey: CellStyle = { font: { ...font, italic: true, color: { rgb: '8C8C8C' } } }
/** Row 3 only has formats, which the columns take over. */
const formatRow = 3

/**
 * The file to fill in: sheet 1 with headers (` *` if required, the rules as comments), the grey sample row, formats and
 * drop-downs; sheet 2 with the instructions: `instructions` line by line, then a line for each column. All in one
 * language.
 */
export async function writeTemplate({
  instructions,
  ...template
}: Template & { instructions: readonly Label[] }): Promise<Uint8Array> {
  const { columns } = template
  const formats = columns.map(({ format }) => (format ? { style: { numFmt: format } } : null))
  const { data, hidden } = templateSheets(template, [columns.map(sampleCell), formats])
  const parts = await bookParts([data, instructionSheet(template, instructions), hidden])
  const written = noteParts(headerNotes(template))
  const own = new Map<string, ZipPart['content']>([
    [dataPart, [withColumnStyles(parts.get(dataPart)!)]],
    [notePart, written.notes()],
    [shapePart, written.shapes()],
  ])
  const chunks: Buffer[] = []
  for await (const chunk of zipParts([...parts].map(([name, text]) => ({ name, content: own.get(name) ?? [text] }))))
    chunks.push(chunk)
  return Buffer.concat(chunks)
}

function sampleCell({ sample, format }: SheetColumn): SheetCell | null {
  if (sample === undefined || sample === null) return format ? { style: { numFmt: format } } : null
  if (typeof sample === 'string') return textCell(sample, grey)
  return { value: sample, style: { ...grey, ...(format && { numFmt: format }) } }
}

/** The library only writes formats of cells. A format of the column applies to every row that is ever filled in. */
function withColumnStyles(sheet: string): string {
  const styles = stylesOfRow(sheet, formatRow)
  return sheet.replace(/<col min="(\d+)"/g, (whole, column: string) => {
    const style = styles.get(Number(column) - 1)
    return style === undefined ? whole : `${whole} style="${style}"`
  })
}
