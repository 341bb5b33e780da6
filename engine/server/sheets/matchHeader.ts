import type { Label } from '../../model/model.ts'
import { columnLetter } from './cellAddress.ts'
import type { SheetColumn } from './sheetColumn.ts'
import type { CellValue } from './sheetRow.ts'

/** The header of the column with the reasons of failed rows. */
export const reasonLabel: Label = { cn: '失败原因', en: 'Reason' }

/** Which columns a file has. */
export interface HeaderMatch {
  /** For each column of the file, the key of the matching column. */
  keys: (string | null)[]
  /** The keys of columns that the file lacks. */
  missing: string[]
  /** Unknown columns; empty headers and the reasons of failed rows are not listed. */
  unknown: { column: string; text: string }[]
  /** The keys of columns that the file has more than once; the first one counts. */
  doubled: string[]
}

/**
 * Matches the columns by their labels in either language, else by their aliases, in any order; `*`, case, width of
 * letters and surrounding spaces do not matter.
 */
export function matchHeader(cells: readonly CellValue[], columns: readonly SheetColumn[]): HeaderMatch {
  const named = keysBy(columns, ({ label }) => [label])
  const known = keysBy(columns, ({ aliases = [] }) => aliases)
  const reasons = new Set(Object.values(reasonLabel).map(plain))
  const found = new Set<string>()
  const match: HeaderMatch = { keys: [], missing: [], unknown: [], doubled: [] }
  for (const [index, cell] of cells.entries()) {
    const text = cell === null ? '' : String(cell).trim()
    const candidates = [...(named.get(plain(text)) ?? known.get(plain(text)) ?? [])]
    const key = candidates.find((candidate) => !found.has(candidate)) ?? null
    match.keys.push(key)
    if (key !== null) found.add(key)
    else if (candidates.length > 0)
      match.doubled.push(...candidates.filter((candidate) => !match.doubled.includes(candidate)))
    else if (plain(text) !== '' && !reasons.has(plain(text))) match.unknown.push({ column: columnLetter(index), text })
  }
  match.missing = columns.map(({ key }) => key).filter((key) => !found.has(key))
  return match
}

function keysBy(columns: readonly SheetColumn[], labelsOf: (column: SheetColumn) => Label[]): Map<string, Set<string>> {
  const keys = new Map<string, Set<string>>()
  for (const column of columns) {
    for (const text of labelsOf(column)
      .flatMap((label) => Object.values(label))
      .map(plain))
      keys.set(text, (keys.get(text) ?? new Set()).add(column.key))
  }
  return keys
}

/**
 * Whether this is the template's unchanged sample row. `columns` are those of the template's language. Missing and
 * unknown columns do not count.
 */
export function isSample(
  cells: readonly CellValue[],
  keys: readonly (string | null)[],
  columns: readonly SheetColumn[],
): boolean {
  const samples = new Map(columns.map(({ key, sample }) => [key, sample ?? null]))
  const pairs = keys.flatMap((key, index) =>
    key === null ? [] : [{ cell: cells[index] ?? null, sample: samples.get(key) ?? null }],
  )
  return (
    pairs.some(({ sample }) => comparable(sample) !== '') &&
    pairs.every(({ cell, sample }) => comparable(cell) === comparable(sample))
  )
}

const plain = (text: string) => text.normalize('NFKC').replaceAll('*', '').replace(/\s+/g, ' ').trim().toLowerCase()

/** Spreadsheet programs store times of day as fractions, so they are only exact to the second. */
function comparable(value: CellValue): string {
  if (value === null) return ''
  return value instanceof Date
    ? new Date(Math.round(value.getTime() / 1000) * 1000).toISOString()
    : String(value).trim()
}
