import { sql } from 'kysely'
import type { ImportPlan } from '../../model/model.ts'
import { fill, Refusal } from '../errors.ts'
import { main } from '../records/reading/columnOf.ts'
import { readStored } from '../records/reading/read.ts'
import { visibleConditions } from '../records/reading/visibleConditions.ts'
import type { Context, Db } from '../runtime.ts'
import { cellText, cutCell } from './importCells.ts'
import {
  asBatch,
  changeBatch,
  countRows,
  hasNotes,
  type Job,
  moveJob,
  recount,
  notifyUploader,
} from './importBatches.ts'
import { checkRows } from './importCheck.ts'
import { batchEntity, type FileRow, mostRows, rowEntity, rowRecord, targetEntity } from './importFile.ts'
import { type Header, readHeader } from './importHeader.ts'
import { sheetColumns } from './importSheet.ts'
import { insertRecords } from '../records/write.ts'
import { checksums, fileIdOf } from '../files/UploadedFiles.ts'
import { isSample } from '../sheets/matchHeader.ts'
import { type OpenedSheet, openSheet, type SheetRow } from '../sheets/readSheet.ts'
import type { SheetColumn } from '../sheets/sheetColumn.ts'

const sampleRow = 2
/** A step takes no more rows once those taken reach this many characters. */
const mostCharacters = 2 ** 23

/** A file being read, from one step to the next. A process that lost it reopens it and skips what was read. */
export interface OpenFile {
  sheet: OpenedSheet
  rows: AsyncGenerator<SheetRow>
  at: number
}

export async function openFile({ runtime }: Pick<Context, 'runtime'>, db: Db, job: Job): Promise<OpenFile> {
  const path = fileIdOf(job.file)
  if (path === undefined) throw new Refusal('unknownFile')
  const content = await runtime.uploads.read(path, (await checksums(db, [path])).get(path))
  const sheet = await openSheet(content, { rows: mostRows(runtime, job.plan) })
  return { sheet, rows: sheet.rows(), at: 0 }
}

/** Reads and checks the next rows of the file. @throws Refusal if the file as a whole cannot be imported. */
export async function readStep(context: Context, db: Db, job: Job, file: OpenFile, chunk: number): Promise<void> {
  const columns = sheetColumns(context, job.plan)
  const header = job.fields ? undefined : await headerOf(job, columns, file)
  const fields = job.fields ?? header!.fields
  const batch = asBatch({ ...job, fields })
  const entity = targetEntity(context, job.plan)

  const found: FileRow[] = []
  let ended = false
  let characters = 0
  while (found.length < chunk && characters < mostCharacters && !ended) {
    const row = await next(file)
    if (!row) ended = true
    else if (
      row.number > Math.max(job.cursor, 1) &&
      !(row.number === sampleRow && isSample(row.cells, fields, columns))
    ) {
      const cells: FileRow['cells'] = {}
      let length = 0
      fields.forEach((field, index) => {
        if (field === null) return
        const text = cellText(context, entity.fields[field], row.cells[index])
        cells[field] = cutCell(context, entity.fields[field], text)
        length += text.length
      })
      characters += length
      if (length > 0) found.push({ number: row.number, cells })
    }
  }
  const checked = await checkRows(context, db, batch, found)
  await insertRecords(
    context,
    db,
    rowEntity(context, job.plan),
    checked.map((row) => rowRecord(batch, row)),
  )
  await recount(
    context,
    db,
    batch,
    [],
    checked.map(({ status }) => status),
  )
  if (header) {
    const corrects = await correctedBatch(context, db, job.plan, header.corrects)
    await changeBatch(context, db, batch, { ...(header.notes.length > 0 && { notes: header.notes }), corrects })
  }
  await moveJob(db, job, { cursor: Math.max(job.cursor, file.at), fields })
  if (ended) await decide(context, db, { ...job, fields })
}

async function headerOf({ plan }: Job, columns: readonly SheetColumn[], file: OpenFile): Promise<Header> {
  const first = await next(file)
  if (!first) throw new Refusal('importEmpty')
  return readHeader(plan, columns, first.cells, file.sheet.marker)
}

/** A file may come from another installation, or contain the failed rows of a batch that this user may not see. */
async function correctedBatch(
  context: Context,
  db: Db,
  plan: ImportPlan,
  id: number | undefined,
): Promise<number | undefined> {
  if (id === undefined) return undefined
  const entity = batchEntity(context, plan)
  const isIt = sql<boolean>`${sql.ref(`${main}.id`)} = ${id}`
  const [batch] = await readStored(context, db, entity, [isIt, ...visibleConditions(context, entity)], {
    fields: ['batchNo'],
  })
  return batch?.id
}

async function next(file: OpenFile): Promise<SheetRow | undefined> {
  const { value, done } = await file.rows.next()
  if (done) return undefined
  file.at = value.number
  return value
}

/** Once the whole file is checked, a file without problems may be written at once; any other waits for the operator. */
async function decide(context: Context, db: Db, job: Job): Promise<void> {
  const batch = asBatch(job)
  const counts = await countRows(context, db, batch)
  if (counts.totalCount === 0) throw new Refusal('importEmpty')
  // The reader's limit also has to admit a header and a sample.
  const limit = mostRows(context.runtime, job.plan)
  if (counts.totalCount > limit) throw new Refusal('sheetRows', { parameters: { limit } })
  const good = counts.createCount + counts.updateCount
  if (counts.failCount === 0 && good === 0) {
    await changeBatch(context, db, batch, { status: 'completed', finishedAt: context.now })
    await moveJob(db, job, { phase: 'done' })
    return notifyUploader(context, db, batch, { cn: '导入完成：{file}', en: 'Import finished: {file}' }, allSkipped)
  }
  // Ignored columns are for the operator to judge.
  if (!job.plan.confirmAlways && counts.failCount === 0 && !(await hasNotes(context, db, batch))) {
    await changeBatch(context, db, batch, { decidedAt: context.now })
    return moveJob(db, job, { phase: 'writing', cursor: 0 })
  }
  await changeBatch(context, db, batch, { status: 'checked' })
  await moveJob(db, job, { phase: 'done' })
  await notifyUploader(
    context,
    db,
    batch,
    { cn: '导入待确认：{file}', en: 'Import to confirm: {file}' },
    fill(checkedText, { ...counts }),
  )
}

const allSkipped = { cn: '所有数据均已存在，未写入', en: 'All records already exist; nothing was written' }
const checkedText = {
  cn: '共{totalCount}条：新增{createCount}，更新{updateCount}，跳过{skipCount}，有误{failCount}',
  en: '{totalCount} rows: {createCount} to add, {updateCount} to update, {skipCount} skipped, {failCount} with errors',
}
