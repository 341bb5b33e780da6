import type { ImportColumn, ImportProblem, Value } from '../../model/model.ts'
import type { Context, Db } from '../runtime.ts'
import { mapWithPauses } from '../records/mapWithPauses.ts'
import { cellValue, isAsAbove, longestCell } from './importCells.ts'
import type { FileRow, ImportBatch } from './importFile.ts'
import { problemOf } from './importProblems.ts'
import { quoted } from './importQuote.ts'
import { codeOf, findReferences, type Found } from './importReferences.ts'

/** A row being processed: its values in API form, and the required columns that are empty. */
export interface Draft {
  row: FileRow
  /** The parts of the key; set by `keyRows`, as is `key`: the same as one text, '' if a part is missing. */
  sought: Record<string, Value>
  key: string
  values: Record<string, Value>
  empty: ImportColumn[]
  compared: { column: ImportColumn; value: Value }[]
  problems: ImportProblem[]
}

/** Of an unknown list the first names are enough to see what is wrong with it. */
const mostNamed = 10

/** So many characters take as long as a record. */
const perRecord = 200

/** The values of these rows' cells: one query for each column that refers to records. */
export async function draftRows(
  context: Context,
  db: Db,
  { plan, given: whole }: ImportBatch,
  rows: readonly FileRow[],
): Promise<Draft[]> {
  const entity = context.derived.catalog.entities[plan.into]
  const textIn = (row: FileRow, column: ImportColumn) => {
    const text = row.cells[column.field] ?? ''
    return column.sameAs !== undefined && isAsAbove(text) ? (row.cells[column.sameAs] ?? '') : text
  }
  const drafts = rows.map((row): Draft => ({
    row,
    sought: {},
    key: '',
    values: {},
    empty: [],
    compared: [],
    problems: [],
  }))
  for (const column of plan.columns) {
    const field = entity.fields[column.field]
    const longest = longestCell(context, field)
    const texts = rows.map((row) => textIn(row, column))
    const given = await mapWithPauses(
      texts,
      (text) => (text === '' || text.length > longest.cell ? undefined : cellValue(context, field, text)),
      ({ length }) => 1 + length / perRecord,
    )
    const refers = context.derived.target(field) !== undefined
    const found = refers
      ? await findReferences(context, db, field, given.flatMap(textsIn), whole[field.name])
      : undefined
    const quote = (text: string) => quoted(context, plan, column.field, text)
    const ambiguous = (text: string) => {
      const fill = codeOf(context, field)
      return problemOf(fill ? 'ambiguous' : 'indistinct', { value: quote(text), ...(fill && { fill }) }, column)
    }
    const unknown = (text: string) => problemOf('reference', { value: quote(text) }, column)
    drafts.forEach((draft, index) => {
      const value = given[index]
      if (texts[index].length > longest.cell) {
        draft.problems.push(problemOf('maxLength', { n: longest.value }, column))
        return
      }
      if (value === undefined) {
        if (Object.hasOwn(whole, column.field) && !column.compared) draft.values[column.field] = whole[column.field]
        else if (column.required) draft.empty.push(column)
        return
      }
      const meant = found
        ? resolved(value, found, (text, each) => draft.problems.push(each ? ambiguous(text) : unknown(text)))
        : (value as Value)
      if (meant === undefined) return
      if (column.compared) draft.compared.push({ column, value: meant })
      else draft.values[column.field] = meant
    })
  }
  return drafts
}

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : []

/** Texts → ids; undefined if one of them identifies no record, or several. */
function resolved(
  value: unknown,
  found: ReadonlyMap<string, Found>,
  fails: (text: string, ambiguity: 'ambiguous' | undefined) => void,
): Value | undefined {
  const texts = new Set(textsIn(value))
  const ids: number[] = []
  let failed = 0
  for (const text of texts) {
    const match = found.get(text)
    if (typeof match === 'object') ids.push(match.id)
    else if (failed++ < mostNamed) fails(text, match)
  }
  if (failed > 0) return undefined
  return (Array.isArray(value) ? ids : (ids[0] ?? null)) as Value
}
