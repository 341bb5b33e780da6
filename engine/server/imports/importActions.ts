import type { ImportPlan, ImportRowStatus, Label, RecordData } from '../../model/model.ts'
import { cellField } from '../../model/model.ts'
import { fill, invalid, Refusal } from '../errors.ts'
import type { Context, Db, Procedure } from '../runtime.ts'
import { lockRecord } from '../records/save.ts'
import { admitBatches } from './admitBatches.ts'
import { changeBatch, countRows, moveJob, readJob } from './importBatches.ts'
import { cellText } from './importCells.ts'
import { checkRows } from './importCheck.ts'
import { batchEntity, givenIn, type ImportBatch, readRows, rowEntity, rowRecord, targetEntity } from './importFile.ts'
import { beginUndo, endUndo } from './importUndo.ts'
import { releaseValues } from './importValues.ts'
import { updateRecords } from '../records/write.ts'
import { canonicalRecord } from '../records/reading/canonical.ts'
import { isMaskOf } from '../records/reading/words.ts'

const planOf = (context: Context, entity: string): ImportPlan => {
  const plan =
    context.derived.imports.get(entity) ?? [...context.derived.imports.values()].find(({ rows }) => rows === entity)
  if (!plan) throw new Refusal('unknownPath')
  return plan
}

/** The valid rows are written by the import worker. */
const importWrite: Procedure = async ({ context, db, entity, records }) => {
  const plan = planOf(context, entity)
  await admitBatches(
    context,
    db,
    records.map(({ createdBy }) => Number(createdBy ?? context.user.id)),
  )
  for (const { id } of records) {
    await changeBatch(context, db, { plan, id: id! }, { status: 'processing', decidedAt: context.now })
    await moveJob(db, { plan, id: id! }, { phase: 'writing', cursor: 0 })
  }
  context.runtime.wakeWorkers()
}

/** Written rows stay, and the rest is never written. */
const importCancel: Procedure = async ({ context, db, entity, records }) => {
  const plan = planOf(context, entity)
  for (const { id } of records) {
    await changeBatch(context, db, { plan, id: id! }, { status: 'cancelled', finishedAt: context.now })
    await moveJob(db, { plan, id: id! }, { phase: 'done' })
    await releaseValues(db, { plan, id: id! })
  }
}

const importUndo: Procedure = async ({ context, db, entity, records }) => {
  const plan = planOf(context, entity)
  for (const { id } of records) await beginUndo(context, db, plan, id!)
}

/** Rows already undone stay undone; the others stay written. */
const importStopUndo: Procedure = async ({ context, db, entity, records }) => {
  const plan = planOf(context, entity)
  for (const { id } of records) await endUndo(context, db, { plan, id: id! }, 'partial')
}

/**
 * New cells for failed rows, kept if they are now valid.
 * @throws Refusal importStatus, invalid at the cells.
 */
const importFix: Procedure = async ({ context, db, entity, records, values }) => {
  const plan = planOf(context, entity)
  let summary: Label | undefined
  for (const row of records) {
    const batch = await waitingBatch(context, db, plan, Number(row.batch))
    const status = await fixRow(context, db, batch, row, values)
    await changeBatch(context, db, batch, await countRows(context, db, batch))
    // The row leaves the list of failed ones.
    summary = fill(fixed, { n: Number(row.rowNo), status: statusLabel(context, status) })
  }
  return { summary }
}

const fixed = { cn: '第{n}行已更正（{status}）', en: 'Row {n} corrected ({status})' }

const statusLabel = ({ derived }: Context, status: string): Label | string =>
  derived.catalog.dictionaries.importRowStatus.choices.find(({ value }) => value === status)?.label ?? status

async function waitingBatch(context: Context, db: Db, plan: ImportPlan, id: number): Promise<ImportBatch> {
  const record = await lockRecord(context, db, batchEntity(context, plan), id)
  if (record.status !== 'checked') throw new Refusal('importStatus')
  const { fields } = await readJob(db, plan, id)
  return { plan, id, updateExisting: record.updateExisting === true, given: givenIn(context, plan, record), fields }
}

async function fixRow(
  context: Context,
  db: Db,
  batch: ImportBatch,
  old: RecordData,
  values: Record<string, unknown>,
): Promise<ImportRowStatus> {
  const { fields } = targetEntity(context, batch.plan)
  const entity = rowEntity(context, batch.plan)
  const [row] = await readRows(context, db, batch, { limit: 1, numbers: [Number(old.rowNo)] })
  for (const { field } of batch.plan.columns) {
    const name = cellField(field)
    const given = values[name]
    if (given !== undefined && !isMaskOf(context, entity, entity.fields[name], given, row.cells[field]))
      row.cells[field] = cellText(context, fields[field], given)
  }
  await releaseValues(db, batch, row.number)
  const [checked] = await checkRows(context, db, batch, [row])
  if (checked.status === 'failed') {
    const first = cellField(batch.plan.columns[0].field)
    throw invalid(
      checked.problems
        .filter(({ code }) => code !== 'hint')
        .map(({ column, code, message }) => ({
          field: column === undefined ? first : cellField(column),
          code,
          message,
        })),
    )
  }
  const record = { ...rowRecord(batch, checked), correctedBy: context.user.id }
  await updateRecords(context, db, entity, [{ record: { ...old, ...canonicalRecord(context, entity, record) }, old }])
  return checked.status
}

export const importProcedures: Record<string, Procedure> = {
  importWrite,
  importCancel,
  importUndo,
  importStopUndo,
  importFix,
}
