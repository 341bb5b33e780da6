import { Refusal } from '../errors.ts'
import type { Archive } from './archive.ts'
import { cellAddress } from './cellAddress.ts'
import { dateOf } from './dateStyles.ts'
import { plainText } from './plainText.ts'
import type { CellValue, SheetLimits, SheetRow } from './sheetRow.ts'
import type { TextTable } from './textTable.ts'
import { XmlScanner } from './xmlScanner.ts'
import type { XmlAttributes, XmlHandlers } from './xmlScanner.ts'

/** What cells refer to. */
export interface RowContext {
  texts: TextTable
  dates: boolean[]
  from1904: boolean
  limits: SheetLimits
  /** How many characters all cells of this file may have together. */
  characters: number
}

const lastRow = 2 ** 20
const lastColumn = 2 ** 14
/** The share of the allowed characters that one chunk of the file may have, because its rows are built at once. */
const shareOfPiece = 1 / 16

/** Characters of a day with its time and zone. */
const longestDate = 40

/** The non-empty rows of a sheet. Reads on only when the last row was consumed. */
export async function* readRows(archive: Archive, part: string, context: RowContext): AsyncGenerator<SheetRow> {
  const builder = new RowBuilder(context)
  const scanner = new XmlScanner(builder)
  for await (const piece of archive.text(part)) {
    scanner.write(piece)
    yield* builder.take()
  }
  scanner.end()
}

class RowBuilder implements XmlHandlers {
  #done: SheetRow[] = []
  #count = 0
  #row = 0
  #cells: CellValue[] = []
  #column = -1
  #type = ''
  #style = -1
  #text = ''
  #reading = false
  #pronounced = false
  #characters = 0
  #untaken = 0

  constructor(readonly context: RowContext) {}

  take(): SheetRow[] {
    const done = this.#done
    this.#done = []
    this.#untaken = 0
    return done
  }

  open(name: string, attributes: XmlAttributes): void {
    switch (name) {
      case 'row':
        this.#startRow(attributes.r)
        break
      case 'c':
        this.#startCell(attributes)
        break
      case 'rPh':
        this.#pronounced = true
        break
      case 'v':
      case 't':
        this.#reading = !this.#pronounced
        break
    }
  }

  text(piece: string): void {
    if (!this.#reading) return
    this.#text += piece
    const limit = this.context.limits.characters
    if (this.#text.length > limit)
      throw new Refusal('sheetCell', { parameters: { cell: cellAddress(this.#column, this.#row), limit } })
  }

  close(name: string): void {
    switch (name) {
      case 'row':
        this.#endRow()
        break
      case 'c':
        this.#endCell()
        break
      case 'rPh':
        this.#pronounced = false
        break
      case 'v':
      case 't':
        this.#reading = false
        break
    }
  }

  /** Row numbers must increase, or two rows would have the same number. */
  #startRow(number: string | undefined): void {
    const row = number === undefined ? this.#row + 1 : Number(number)
    if (!Number.isInteger(row) || row <= this.#row || row > lastRow) throw new Refusal('sheetBroken')
    this.#row = row
    this.#column = -1
  }

  #endRow(): void {
    const cells = this.#cells
    if (cells.length === 0) return
    this.#cells = []
    if (cells.every((cell) => cell === null || (typeof cell === 'string' && cell.trim() === ''))) return
    this.#count++
    const limit = this.context.limits.rows
    if (this.#count > limit + 2) throw new Refusal('sheetRows', { parameters: { limit } })
    this.#done.push({ number: this.#row, cells })
  }

  #startCell({ r: reference = '', t: type = 'n', s: style = '-1' }: XmlAttributes): void {
    this.#type = type
    this.#style = Number(style)
    this.#column = reference === '' ? this.#column + 1 : columnOf(reference)
    if (this.#column >= lastColumn) throw new Refusal('sheetBroken')
    this.#text = ''
  }

  #endCell(): void {
    const value = this.#value()
    if (value === null) return
    const limit = this.context.limits.columns
    if (this.#column >= limit)
      throw new Refusal('sheetColumns', { parameters: { cell: cellAddress(this.#column, this.#row), limit } })
    if (typeof value === 'string') this.#weigh(value.length)
    while (this.#cells.length < this.#column) this.#cells.push(null)
    this.#cells[this.#column] = value
  }

  #weigh(characters: number): void {
    this.#characters += characters
    this.#untaken += characters
    const { characters: most, limits } = this.context
    if (this.#characters > most || this.#untaken > limits.cellCharacters * shareOfPiece)
      throw new Refusal('sheetUnpacked')
  }

  #value(): CellValue {
    if (this.#text === '') return null
    switch (this.#type) {
      case 's':
        return this.context.texts.get(Number(this.#text)) || null
      case 'b':
        return this.#text.trim() === '1' || this.#text.trim() === 'true'
      case 'n':
        return this.#number()
      case 'd':
        return this.#isoDate()
      default:
        return plainText(this.#text) || null
    }
  }

  #number(): CellValue {
    const number = Number(this.#text)
    if (Number.isNaN(number)) return plainText(this.#text)
    return this.context.dates[this.#style] ? dateOf(number, this.context.from1904) : number
  }

  #isoDate(): CellValue {
    if (this.#text.length > longestDate) return plainText(this.#text)
    const date = new Date(/[zZ]|T.*[+-]/.test(this.#text) || !this.#text.includes('T') ? this.#text : `${this.#text}Z`)
    return Number.isNaN(date.getTime()) ? plainText(this.#text) : date
  }
}

/** `C17` → 2. */
function columnOf(reference: string): number {
  let column = 0
  for (let at = 0; at < reference.length; at++) {
    const letter = reference.charCodeAt(at) & ~0x20
    if (letter < 65 || letter > 90) break
    column = column * 26 + letter - 64
  }
  if (column === 0) throw new Refusal('sheetBroken')
  return column - 1
}
