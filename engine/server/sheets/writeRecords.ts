import { PassThrough, pipeline } from 'node:stream'
import type { Readable } from 'node:stream'
import { columnLetter } from './cellAddress.ts'
import { serialOf } from './dateStyles.ts'
import type { CellValue } from './sheetRow.ts'
import { cellText, escapeXml } from './sheetText.ts'
import { bookParts, font, sheetName, stylesOfRow, textCell } from './templateBook.ts'
import { type ZipPart, zipParts } from './zipParts.ts'

export interface RecordColumn {
  header: string
  /** A spreadsheet number format; '@' keeps long digits as text. */
  format?: string
  /** In characters. */
  width: number
}

/** One sheet: a header, and rows in batches. */
export interface RecordSheet {
  title: string
  columns: readonly RecordColumn[]
  batches: AsyncIterable<CellValue[][]>
}

const chunkLength = 65_536

/**
 * A workbook that is written at the speed at which it is read, sheet after sheet. Texts stay texts, whatever they begin
 * with. A reader that stops also stops `batches`.
 */
export function writeRecords(...sheets: readonly RecordSheet[]): Readable {
  const written = new PassThrough()
  partsOf(sheets).then(
    // Its reader gets the error; destroying it also stops reading records.
    (parts) => pipeline(zipParts(parts), written, () => {}),
    (error: Error) => written.destroy(error),
  )
  return written
}

async function partsOf(sheets: readonly RecordSheet[]): Promise<ZipPart[]> {
  const names = new Set<string>()
  // A row of nothing but formats determines the style of each column.
  const parts = await bookParts(
    sheets.map(({ title, columns }) => {
      const head = columns.map(({ header }) => textCell(header, { font: { ...font, bold: true } }))
      const formats = columns.map(({ format }) => ({ value: '', style: { font, ...(format && { numFmt: format }) } }))
      return {
        name: freeName(title, names),
        columns: columns.map(({ width }) => ({ width })),
        freezePane: { rows: 1 },
        cells: new Map(
          [head, formats].flatMap((cells, row) => cells.map((cell, column) => [`${row},${column}`, cell] as const)),
        ),
      }
    }),
  )
  const written = new Map(sheets.map((sheet, index) => [`xl/worksheets/sheet${index + 1}.xml`, sheet]))
  return [
    ...[...written].map(([name, sheet]) => ({ name, content: sheetXml(parts.get(name)!, sheet) })),
    ...[...parts].filter(([name]) => !written.has(name)).map(([name, text]) => ({ name, content: [text] })),
  ]
}

/** Names of sheets differ regardless of case. */
function freeName(title: string, taken: Set<string>): string {
  const wanted = sheetName(title)
  let name = wanted
  for (let count = 2; taken.has(name.toLowerCase()); count++)
    name = `${wanted.slice(0, 31 - String(count).length - 1)} ${count}`
  taken.add(name.toLowerCase())
  return name
}

async function* sheetXml(sheet: string, { columns, batches }: RecordSheet): AsyncGenerator<string> {
  const styles = stylesOfRow(sheet, 2)
  const letters = columns.map((_, column) => columnLetter(column))
  const opened = columns.map((_, column) => (styles.has(column) ? `" s="${styles.get(column)}"` : '"'))
  const cellXml = (value: CellValue, column: number, row: number): string => {
    if (value === null || value === '') return ''
    const start = `<c r="${letters[column]}${row}${opened[column]}`
    if (typeof value === 'string')
      return `${start} t="inlineStr"><is><t xml:space="preserve">${escapeXml(cellText(value))}</t></is></c>`
    if (typeof value === 'boolean') return `${start} t="b"><v>${Number(value)}</v></c>`
    return `${start}><v>${value instanceof Date ? serialOf(value) : value}</v></c>`
  }
  const formatRow = sheet.indexOf('<row r="2"')
  // A sheet can hold none of the columns.
  if (formatRow < 0) return yield sheet
  let chunk = sheet.slice(0, formatRow).replace(/<dimension[^>]*>/, '')
  let row = 1
  for await (const batch of batches) {
    for (const cells of batch) {
      row++
      chunk += `<row r="${row}">`
      for (let column = 0; column < cells.length; column++) chunk += cellXml(cells[column], column, row)
      chunk += '</row>'
      if (chunk.length < chunkLength) continue
      yield chunk
      chunk = ''
    }
  }
  yield chunk + sheet.slice(sheet.indexOf('</sheetData>'))
}
