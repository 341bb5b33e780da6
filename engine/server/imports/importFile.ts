import { truncateText } from '../../model/truncateText.ts'
import { sql } from 'kysely'
import type { Entity, ImportPlan, ImportProblem, ImportRowStatus, RecordData, Value } from '../../model/model.ts'
import { cellField } from '../../model/model.ts'
import { policy } from '../identity/policies.ts'
import type { Context, Db, Runtime } from '../runtime.ts'
import { tableOf } from '../identity/scope.ts'
import { canonicalValue } from '../records/reading/canonical.ts'

/** A batch, its import, and what is needed to process it. */
export interface ImportBatch {
  plan: ImportPlan
  id: number
  updateExisting: boolean
  /** Field → the value given for the whole file, if any. */
  given: Record<string, Value>
  /** For each column of the file, from the left: its field, or null if it is ignored. */
  fields: (string | null)[]
}

export const batchEntity = (context: Pick<Context, 'derived'>, plan: ImportPlan): Entity =>
  context.derived.catalog.entities[plan.batches]
export const rowEntity = (context: Pick<Context, 'derived'>, plan: ImportPlan): Entity =>
  context.derived.catalog.entities[plan.rows]
export const targetEntity = (context: Pick<Context, 'derived'>, plan: ImportPlan): Entity =>
  context.derived.catalog.entities[plan.into]

/** The import's own limit on rows, or the administrators' if lower. */
export const mostRows = (runtime: Runtime, plan: ImportPlan): number =>
  Math.min(plan.maxRows, policy(runtime, 'importRows'))

/** The values that the batch's record gives for the whole file. */
export const givenIn = (
  context: Pick<Context, 'derived'>,
  plan: ImportPlan,
  batch: RecordData,
): Record<string, Value> =>
  Object.fromEntries(
    plan.given.flatMap(({ field, kept }) =>
      (batch[kept] ?? null) === null
        ? []
        : [[field, canonicalValue(context, batchEntity(context, plan).fields[kept], batch[kept])]],
    ),
  )

/** A row of the file: field → its cell as text, '' if empty. */
export interface FileRow {
  number: number
  cells: Record<string, string>
}

/** A row and its expected result. */
export interface CheckedRow extends FileRow {
  key: string
  status: ImportRowStatus
  problems: readonly ImportProblem[]
  /** As it would be saved; absent if the row is skipped or invalid. */
  record?: RecordData
  old?: RecordData
  /** As of a change. */
  plain?: ReadonlySet<string>
}

export const isHinted = ({ problems }: Pick<CheckedRow, 'problems'>) => problems.some(({ code }) => code === 'hint')

/** Cached by plan, because building these names for each row took longer than the rest of the row. */
const cellNames = new WeakMap<ImportPlan, readonly (readonly [field: string, cell: string])[]>()
function cellsOf(plan: ImportPlan): readonly (readonly [field: string, cell: string])[] {
  let names = cellNames.get(plan)
  if (!names) cellNames.set(plan, (names = plan.columns.map(({ field }) => [field, cellField(field)] as const)))
  return names
}

/** Rows in the form that their entity stores. */
export const rowRecord = (batch: ImportBatch, row: CheckedRow): RecordData => ({
  batch: batch.id,
  rowNo: row.number,
  rowStatus: row.status,
  rowKey: truncateText(row.key, 200) || null,
  errors: row.problems.length > 0 ? (row.problems as never) : null,
  hinted: isHinted(row),
  target: row.old?.id ?? null,
  writtenRevision: null,
  ...Object.fromEntries(cellsOf(batch.plan).map(([field, cell]) => [cell, row.cells[field] || null])),
})

/** A row as it is stored, and the user who last corrected it, if any. */
export interface StoredRow extends FileRow {
  status: ImportRowStatus
  correctedBy: number | null
  /** The record that it was written to, or would be. */
  target: number | null
}

/** Stored rows of a batch in file order. */
export async function readRows(
  context: Context,
  db: Db,
  batch: ImportBatch,
  {
    after = 0,
    limit,
    status,
    numbers,
  }: { after?: number; limit: number; status?: ImportRowStatus[]; numbers?: number[] },
): Promise<StoredRow[]> {
  const cells = cellsOf(batch.plan).map(([, cell]) => sql`${sql.ref(cell)}`)
  const { rows } = await sql<
    Record<string, string | null> & { rowNo: number; rowStatus: ImportRowStatus; correctedBy: number | null } & Pick<
        StoredRow,
        'target'
      >
  >`
    select "rowNo", "rowStatus", "correctedBy", "target", ${sql.join(cells)} from ${tableOf(context, rowEntity(context, batch.plan))}
    where batch = ${batch.id} and "rowNo" > ${after} ${status ? sql`and "rowStatus" = any(${status}::text[])` : sql``}
      ${numbers ? sql`and "rowNo" = any(${numbers}::bigint[])` : sql``} and "deletedAt" is null
    order by "rowNo" limit ${limit}`.execute(db)
  return rows.map((row) => ({
    number: Number(row.rowNo),
    status: row.rowStatus,
    correctedBy: row.correctedBy,
    target: row.target,
    cells: Object.fromEntries(cellsOf(batch.plan).map(([field, cell]) => [field, row[cell] ?? ''])),
  }))
}
