import type { Entity, ImportColumn, ImportProblem, RecordData, Value } from '../../model/model.ts'
import { present } from '../records/reading/read.ts'
import type { Context, Db } from '../runtime.ts'
import { canonicalValue, isEqual } from '../records/reading/canonical.ts'
import { cellText } from './importCells.ts'
import type { FileRow } from './importFile.ts'
import { cellWriter } from '../records/reading/cells.ts'

/** What a row says of a record that is there. */
export interface Said {
  row: FileRow
  values: Record<string, Value>
  problems: ImportProblem[]
  old: RecordData
}

/**
 * A cell that says what an export says of the record changes nothing, also where by itself it means something else or
 * nothing any more: a name that several records have, one that is disabled since, a mask, full-width letters.
 */
export async function keepExported(
  context: Context,
  db: Db,
  entity: Entity,
  columns: readonly ImportColumn[],
  rows: readonly Said[],
): Promise<void> {
  const differs = ({ values, problems, old }: Said, { field }: ImportColumn) =>
    problems.some(({ column }) => column === field) ||
    (Object.hasOwn(values, field) && !isEqual(canonicalValue(context, entity.fields[field], values[field]), old[field]))
  const open = rows.flatMap((said) => {
    const of = columns.filter(
      (column) => !column.compared && (said.old[column.field] ?? null) !== null && differs(said, column),
    )
    return of.length > 0 ? [{ said, of }] : []
  })
  if (open.length === 0) return
  const shown = await present(
    context,
    db,
    entity,
    open.map(({ said }) => said.old),
  )
  const languages = context.derived.catalog.app.languages.map((language) => ({ ...context, language }))
  open.forEach(({ said, of }, index) => {
    for (const { field: name } of of) {
      const field = entity.fields[name]
      const exported = languages.map((reader) =>
        cellText(context, field, cellWriter(reader, entity, field)(shown[index][name] ?? null)),
      )
      if (!exported.includes(said.row.cells[name])) continue
      delete said.values[name]
      said.problems.splice(0, said.problems.length, ...said.problems.filter(({ column }) => column !== name))
    }
  })
}
