import { textIn } from '../../model/language.ts'
import { Readable } from 'node:stream'
import type { CellStyle } from 'hucre/xlsx'
import { cellAddress } from './cellAddress.ts'
import { reasonLabel } from './matchHeader.ts'
import { noteParts } from './noteParts.ts'
import { cellText, escapeXml } from './sheetText.ts'
import {
  bookParts,
  dataPart,
  font,
  headerCell,
  headerNotes,
  notePart,
  shapePart,
  stylesOfRow,
  templateSheets,
  textCell,
} from './templateBook.ts'
import type { Template } from './templateBook.ts'
import { word } from './templateTexts.ts'
import { zipParts } from './zipParts.ts'
import type { ZipPart } from './zipParts.ts'

/** A row of a template. */
export interface FilledRow {
  /** In its source file, or among those filled in. */
  number: number
  /** By column key, as given. */
  cells: Record<string, string>
}

/** A row that was refused. */
export interface FailedRow extends FilledRow {
  /** In the language of the file. Without a column: of the row as a whole. */
  problems: { column?: string; message: string }[]
}

const noteLimit = 20_000
const chunkLength = 65_536
const bad: CellStyle = {
  font: { ...font, color: { rgb: '9C0006' } },
  fill: { type: 'pattern', pattern: 'solid', fgColor: { rgb: 'FFC7CE' } },
}
const reasonWidth = 60

/**
 * The failed rows as a workbook that is sent while it is written: the template's columns, all cells as texts, invalid
 * ones red with the reason as a comment, and the reasons in the last column. Programs draw every comment when they open
 * a file, so only the first 20,000 invalid cells have one; red cells and reasons continue. `rows` is read once, in
 * order, at the speed of the stream.
 */
export function writeFailures({ rows, ...template }: Template & { rows: AsyncIterable<FailedRow> }): Readable {
  return Readable.from(written(template, rows, true), { objectMode: false })
}

/** The template with known values filled in, to be completed and uploaded; sent while it is written. */
export function writeFilled({ rows, ...template }: Template & { rows: AsyncIterable<FilledRow> }): Readable {
  return Readable.from(written(template, withoutProblems(rows), false), { objectMode: false })
}

async function* withoutProblems(rows: AsyncIterable<FilledRow>): AsyncGenerator<FailedRow> {
  for await (const row of rows) yield { ...row, problems: [] }
}

async function* written(
  template: Template,
  rows: AsyncIterable<FailedRow>,
  hasReasons: boolean,
): AsyncGenerator<Buffer> {
  const { columns, language } = template
  const reason = { cell: headerCell(textIn(reasonLabel, language), false), width: reasonWidth }
  const { data, hidden } = templateSheets(template, [[textCell(''), textCell('', bad)]], hasReasons ? [reason] : [])
  const parts = await bookParts([data, hidden])
  const sheet = parts.get(dataPart)!
  const styles = stylesOfRow(sheet, 2)
  const notes = headerNotes(template)
  const headers = notes.length
  const cell = (column: number, row: number, text: string, style: string) =>
    `<c r="${cellAddress(column, row)}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(cellText(text))}</t></is></c>`
  const rowXml = ({ number, cells, problems }: FailedRow, row: number): string => {
    const own = columns.map(({ key }, column) => {
      const messages = problems.filter((problem) => problem.column === key).map(({ message }) => message)
      if (messages.length > 0 && notes.length - headers < noteLimit)
        notes.push({ column, row, text: listed(messages, '\n') })
      const text = cells[key] ?? ''
      return text === '' && messages.length === 0
        ? ''
        : cell(column, row, text, styles.get(messages.length > 0 ? 1 : 0)!)
    })
    const reasons =
      word('row', language, { number }) +
      listed(
        problems.map(({ message }) => message),
        word('semicolon', language),
      )
    return `<row r="${row}">${own.join('')}${hasReasons ? cell(columns.length, row, reasons, styles.get(0)!) : ''}</row>`
  }
  const sheetXml = async function* () {
    const end = sheet.indexOf('</sheetData>')
    let chunk = sheet.slice(0, sheet.indexOf('<row r="2"')).replace(/<dimension[^>]*>/, '')
    let row = 1
    for await (const failed of rows) {
      row++
      chunk += rowXml(failed, row)
      if (chunk.length < chunkLength) continue
      yield chunk
      chunk = ''
    }
    yield chunk + sheet.slice(end)
  }
  const comments = noteParts(notes)
  const own = new Map<string, ZipPart['content']>([
    [dataPart, sheetXml()],
    [notePart, comments.notes()],
    [shapePart, comments.shapes()],
  ])
  yield* zipParts([
    ...[...own].map(([name, content]) => ({ name, content })),
    ...[...parts].filter(([name]) => !own.has(name)).map(([name, text]) => ({ name, content: [text] })),
  ])
}

const listed = (messages: string[], separator: string): string =>
  messages.length === 1 ? messages[0] : messages.map((message, index) => `${index + 1}. ${message}`).join(separator)
