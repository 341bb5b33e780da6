import type { Entity, Field, Foreseen, ImportProblem, RecordData } from '../../model/model.ts'
import { procedureOf } from '../records/procedures.ts'
import type { Context, Db } from '../runtime.ts'
import { cellAddress } from '../sheets/cellAddress.ts'
import { isEqual } from '../records/reading/canonical.ts'
import { valueText } from './importCells.ts'
import { type Draft, draftRows } from './importDraft.ts'
import { findExisting, meantBy } from './importExisting.ts'
import { type CheckedRow, type FileRow, type ImportBatch, targetEntity } from './importFile.ts'
import { judge } from './importJudge.ts'
import { keepExported } from './keepExported.ts'
import { keyRows } from './importKeys.ts'
import { problemOf, rowProblem } from './importProblems.ts'
import { quotes } from './importQuote.ts'
import { withQuoted } from './importQuoted.ts'
import { claimValues } from './importValues.ts'
import { hintsOf, type Judged, keyColumn } from './importVerdict.ts'

/**
 * The problems of these rows and their expected results: the same verdict as in a form, plus what only the database
 * knows, in one query for each column. Writes only which row has which value within the file.
 * @param lock locks the records to be updated until the transaction ends
 */
export async function checkRows(
  context: Context,
  db: Db,
  batch: ImportBatch,
  rows: readonly FileRow[],
  { lock = false } = {},
): Promise<CheckedRow[]> {
  const entity = targetEntity(context, batch.plan)
  const drafts = await draftRows(context, db, batch, rows)
  await keyRows(context, db, batch, drafts)
  const existing = await findExisting(
    context,
    db,
    batch.plan,
    drafts.filter(({ key }) => key !== '').map(({ sought }) => sought),
    lock,
  )
  const found = ({ key, values }: Draft) => (key === '' ? undefined : meantBy(batch.plan, existing.get(key), values))
  await keepExported(
    context,
    db,
    entity,
    batch.plan.columns,
    drafts.flatMap((draft) => {
      const old = found(draft)
      return typeof old !== 'object' ? [] : [{ ...draft, old }]
    }),
  )
  const checked = await judge(
    context,
    db,
    batch,
    drafts.map((draft) => ({ draft, found: found(draft) })),
    lock,
  )
  await claim(db, batch, entity, checked, lock)
  await foresee(context, db, batch, entity, checked.filter(isGood))
  return checked.map((row) => finished(context, batch, row))
}

const isGood = ({ status }: Pick<Judged, 'status'>) => status === 'toCreate' || status === 'toUpdate'

/** The expected results of the valid rows: problems that only a procedure finds, and the remaining hints. */
async function foresee(context: Context, db: Db, batch: ImportBatch, entity: Entity, rows: Judged[]): Promise<void> {
  const { foresee: name, columns } = batch.plan
  if (rows.length === 0) return
  const result =
    name === undefined
      ? undefined
      : await procedureOf(
          context,
          entity,
          name,
        )({
          context,
          db,
          entity: entity.name,
          records: rows.map(({ record }) => ({ ...record! })),
          before: rows.map(({ old }) => old ?? null),
          values: {},
        })
  rows.forEach((row, index) => {
    const foreseen = (result?.rows as Foreseen[] | undefined)?.[index]
    const quote = quotes(context, batch.plan, row.draft.row)
    row.problems.push(...(foreseen?.problems ?? []).map((problem) => rowProblem(problem, columns, quote)))
    if (row.problems.length > 0) row.status = 'failed'
    else row.problems.push(...hintsOf(context, batch, entity, row, foreseen?.values))
  })
}

/** Values that must be unique within the file. */
async function claim(
  db: Db,
  batch: ImportBatch,
  entity: Entity,
  rows: readonly Judged[],
  again: boolean,
): Promise<void> {
  const unique = Object.values(entity.fields).filter((field) => field.unique || field.uniqueWithin)
  const claims = rows.flatMap((judged) => {
    const { draft, record, old, status } = judged
    const row = draft.row.number
    const keys = draft.key === '' ? [] : [{ field: '', value: draft.key, row }]
    const values =
      record && status !== 'skipped'
        ? unique.flatMap((field) =>
            (record[field.name] ?? null) === null ||
            isClaimedByKey(batch, judged, field) ||
            isEqual(record[field.name], old?.[field.name])
              ? []
              : textsOf(field, record).map((value) => ({ field: field.name, value, row })),
          )
        : []
    return [...keys, ...values].map((each) => ({ of: judged, claim: each }))
  })
  const held = await claimValues(
    db,
    batch,
    claims.map((claim) => claim.claim),
    again,
  )
  for (const { of: judged, claim: claimed } of claims) {
    const row = held.get(claimed)
    if (row === undefined) continue
    const at = batch.plan.columns.find(({ field }) => field === claimed.field) ?? keyColumn(batch)
    if (judged.problems.some((problem) => problem.code === 'duplicate' && problem.column === at?.field)) continue
    judged.problems.push(problemOf('duplicate', { n: row }, at))
    judged.status = 'failed'
  }
}

/** The key of a new record is already claimed within the file, and no record with it was found. */
const isClaimedByKey = ({ plan }: ImportBatch, { draft, record, old }: Judged, { name, unique }: Field): boolean =>
  unique &&
  !old &&
  plan.key.join() === name &&
  Object.keys(plan.among ?? {}).length === 0 &&
  draft.key !== '' &&
  valueText(record![name]) === draft.key

/** Each item of a list is unique by itself. */
function textsOf({ name, uniqueWithin }: Field, record: RecordData): string[] {
  const value = record[name] ?? null
  const within = uniqueWithin === undefined ? '' : `${valueText(record[uniqueWithin])} `
  return (Array.isArray(value) ? value : [value]).map((each) => within + valueText(each))
}

/** Problems in column order, each with the cell that an operator looks for. */
export function placed(
  { plan, fields }: Pick<ImportBatch, 'plan' | 'fields'>,
  { number }: FileRow,
  problems: readonly ImportProblem[],
): ImportProblem[] {
  if (problems.length === 0) return []
  const order = new Map(plan.columns.map(({ field }, index) => [field, index]))
  const place = ({ column }: ImportProblem) =>
    column === undefined ? plan.columns.length : (order.get(column) ?? plan.columns.length)
  return problems
    .toSorted((a, b) => place(a) - place(b))
    .map((problem) => {
      const at = problem.column === undefined ? -1 : fields.indexOf(problem.column)
      return at < 0 ? problem : { ...problem, cell: cellAddress(at, number) }
    })
}

function finished(
  context: Context,
  batch: ImportBatch,
  { draft, status, problems, record, old, plain }: Judged,
): CheckedRow {
  const about = { old: old?.id, values: record ?? draft.values }
  return {
    ...draft.row,
    key: batch.plan.key
      .map((name) => draft.row.cells[name] ?? '')
      .join(' ')
      .trim(),
    status,
    problems: withQuoted(context, batch.plan, placed(batch, draft.row, problems), about),
    ...(isGood({ status }) && record && { record }),
    ...(old && { old, plain }),
  }
}
