import type { Entity, ImportColumn, ImportProblem, RecordData, Value } from '../../model/model.ts'
import { present } from '../records/reading/read.ts'
import type { Context, Db } from '../runtime.ts'
import { canonicalValue, isEqual } from '../records/reading/canonical.ts'
import { cellText } from './importCells.ts'
import type { FileRow } from './importFile.ts'
import { cellWriter } from '../records/reading/cells.ts'

/** A row's values for an existing record. */
export interface RowUpdate {
  row: FileRow
  values: Record<string, Value>
  problems: ImportProblem[]
  old: RecordData
}

/**
 * A cell equal to the record's exported value changes nothing, even if on its own it would mean something else, or
 * nothing any more: an ambiguous name, a disabled value, a mask, full-width letters.
 */
export async function keepExported(
  context: Context,
  db: Db,
  entity: Entity,
  columns: readonly ImportColumn[],
  rows: readonly RowUpdate[],
): Promise<void> {
  const differs = ({ values, problems, old }: RowUpdate, { field }: ImportColumn) =>
    problems.some(({ column }) => column === field) ||
    (Object.hasOwn(values, field) && !isEqual(canonicalValue(context, entity.fields[field], values[field]), old[field]))
  const open = rows.flatMap((update) => {
    const different = columns.filter(
      (column) => !column.compared && (update.old[column.field] ?? null) !== null && differs(update, column),
    )
    return different.length > 0 ? [{ update, of: different }] : []
  })
  if (open.length === 0) return
  const shown = await present(
    context,
    db,
    entity,
    open.map(({ update }) => update.old),
  )
  const languages = context.derived.catalog.app.languages.map((language) => ({ ...context, language }))
  open.forEach(({ update, of: fields }, index) => {
    for (const { field: name } of fields) {
      const field = entity.fields[name]
      const exported = languages.map((reader) =>
        cellText(context, field, cellWriter(reader, entity, field)(shown[index][name] ?? null)),
      )
      if (!exported.includes(update.row.cells[name])) continue
      delete update.values[name]
      update.problems.splice(0, update.problems.length, ...update.problems.filter(({ column }) => column !== name))
    }
  })
}
