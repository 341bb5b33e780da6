import { truncateText } from '../../model/truncateText.ts'
import { writeXlsx } from 'hucre/xlsx'
import type { Cell, CellStyle, DataValidation, WriteSheet } from 'hucre/xlsx'
import { textIn } from '../../model/language.ts'
import type { Label } from '../../model/model.ts'
import { cellAddress, columnLetter } from './cellAddress.ts'
import { markerSheet } from './markerSheet.ts'
import type { Note } from './noteParts.ts'
import type { SheetColumn } from './sheetColumn.ts'
import { sheetLimits } from './sheetRow.ts'
import { cellText } from './sheetText.ts'
import { choiceWords, formatWords, ruleWords, word } from './templateTexts.ts'
import { unzipTexts } from './zipParts.ts'

/** The common input of a template and of the failed rows. */
export interface Template {
  /** Names the sheet. */
  title: Label
  columns: readonly SheetColumn[]
  language: string
  /** Any text; `openSheet` returns it, whatever program has saved the file since. */
  marker: string
}

/** The parts of the data sheet, its comments and their boxes in the archive. */
export const dataPart = 'xl/worksheets/sheet1.xml'
export const notePart = 'xl/comments1.xml'
export const shapePart = 'xl/drawings/vmlDrawing1.vml'

export type SheetCell = Pick<Partial<Cell>, 'value' | 'style' | 'comment'>

const solid = (rgb: string): CellStyle['fill'] => ({ type: 'pattern', pattern: 'solid', fgColor: { rgb } })
/** Stated in every style, because programs treat a font without name or size differently. */
export const font = { name: 'Calibri', size: 11 }
const header: CellStyle = {
  font: { ...font, bold: true },
  fill: solid('EDEFF2'),
  alignment: { vertical: 'center', wrapText: true },
  numFmt: '@',
}
const requiredHeader: CellStyle = {
  ...header,
  font: { ...font, bold: true, color: { rgb: 'C00000' } },
  fill: solid('FDE9D9'),
}
const lastRow = sheetLimits.rows + 2
/** The longest list that programs accept inside the rule itself. */
const longestList = 255

/** A text cell in text format: one that begins like a formula stays a text even when it is edited. */
export const textCell = (text: string, style: CellStyle = {}): SheetCell => ({
  value: cellText(text),
  style: { ...style, numFmt: '@' },
})

/**
 * The comment only makes the library declare the comment parts. `noteParts` writes them, with boxes that fit the texts.
 */
export const headerCell = (text: string, required: boolean): SheetCell => ({
  value: cellText(required ? `${text} *` : text),
  style: required ? requiredHeader : header,
  comment: { text: '' },
})

/** The instructions for each column, at its header. */
export const headerNotes = ({ columns, language }: Template): Note[] =>
  columns.map((column, index) => ({ column: index, row: 1, text: ruleWords(column, language) }))

/**
 * The data sheet with its headers and drop-downs, and below them the given cells; and the hidden sheet with the marker
 * and the options of long drop-downs.
 * @param extra headers of columns after the template's own
 */
export function templateSheets(
  { title, columns, language, marker }: Template,
  rows: (SheetCell | null)[][],
  extra: { cell: SheetCell; width: number }[] = [],
): { data: WriteSheet; hidden: WriteSheet } {
  const headers = columns.map((column) => headerCell(textIn(column.label, language), column.required))
  const lists = [...new Set(columns.map((column) => column.choices ?? []))].filter(
    (choices) => choices.length > 0 && !inline(choices),
  )
  const data: WriteSheet = {
    name: sheetName(textIn(title, language), word('instructions', language)),
    columns: [...columns.map(({ width }) => ({ width })), ...extra.map(({ width }) => ({ width }))],
    cells: cellMap([[...headers, ...extra.map(({ cell }) => cell)], ...rows]),
    freezePane: { rows: 1 },
    dataValidations: columns.flatMap((column, index): DataValidation[] => {
      const choices = column.choices ?? []
      if (choices.length === 0) return []
      const letter = columnLetter(lists.indexOf(choices) + 1)
      return [
        {
          type: 'list',
          range: `${cellAddress(index, 2)}:${cellAddress(index, lastRow)}`,
          ...(inline(choices)
            ? { values: choices }
            : { formula1: `${markerSheet}!$${letter}$1:$${letter}$${choices.length}` }),
          allowBlank: true,
          showErrorMessage: true,
          // Codes, and labels in the other language, are understood too.
          errorStyle: 'warning',
          errorMessage: word('choose', language),
        },
      ]
    }),
  }
  const longest = Math.max(1, ...lists.map((choices) => choices.length))
  const hidden = Array.from({ length: longest }, (_, row) => [
    row === 0 ? textCell(marker) : null,
    ...lists.map((choices) => (row < choices.length ? textCell(choices[row]) : null)),
  ])
  return { data, hidden: { name: markerSheet, veryHidden: true, cells: cellMap(hidden) } }
}

/** Instructions, in general and column by column. */
export function instructionSheet({ columns, language }: Template, instructions: readonly Label[]): WriteSheet {
  const names = ['column', 'required', 'format', 'allowed', 'note'] as const
  const heading = names.map((name) => ({ value: word(name, language), style: header }))
  return {
    name: word('instructions', language),
    columns: [24, 10, 24, 48, 48].map((width) => ({ width })),
    cells: cellMap([
      ...instructions.map((line) => [textCell(textIn(line, language))]),
      ...(instructions.length > 0 ? [[]] : []),
      heading,
      ...columns.map((column) =>
        [
          textIn(column.label, language),
          word(column.required ? 'yes' : 'no', language),
          formatWords(column, language),
          choiceWords(column, language, 50),
          column.note ? textIn(column.note, language) : '',
        ].map((text) => textCell(text, { alignment: { vertical: 'top', wrapText: true } })),
      ),
    ]),
  }
}

/** The parts of the workbook, by their names in the archive. */
export const bookParts = async (sheets: WriteSheet[]): Promise<Map<string, string>> =>
  unzipTexts(await writeXlsx({ sheets }))

/** The style of each cell of a row, by its column. */
export function stylesOfRow(sheet: string, row: number): Map<number, string> {
  const cells = sheet.match(new RegExp(`<row r="${row}"[^>]*>(.*?)</row>`, 's'))?.[1] ?? ''
  return new Map(
    [...cells.matchAll(/<c r="([A-Z]+)\d+"[^>]*? s="(\d+)"/g)].map(([, letters, style]) => [
      [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1,
      style,
    ]),
  )
}

const cellMap = (rows: (SheetCell | null)[][]) =>
  new Map(
    rows.flatMap((cells, row) => cells.flatMap((cell, column) => (cell ? [[`${row},${column}`, cell] as const] : []))),
  )

const inline = (choices: string[]) =>
  choices.join(',').length <= longestList && choices.every((choice) => choice === choice.trim() && !/[,"]/.test(choice))

/** No program accepts a name with these characters, a longer one, or a duplicate. */
export function sheetName(title: string, taken = ''): string {
  const name = truncateText(title.replace(/[\\/?*[\]:'\p{Cc}]/gu, ' ').trim(), 31).trim()
  return name === '' || name === markerSheet || name.toLowerCase() === taken.toLowerCase() ? 'Sheet1' : name
}
