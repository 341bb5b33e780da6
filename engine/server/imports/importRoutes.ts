import type { FastifyReply } from 'fastify'
import { sql } from 'kysely'
import { cellField } from '../../model/model.ts'
import { textIn } from '../../model/language.ts'
import type {
  Entity,
  FileValue,
  ImportPlan,
  ImportProblem,
  ImportProblemGroup,
  Label,
  RecordData,
} from '../../model/model.ts'
import { demand, seesWhole } from '../identity/access.ts'
import { fill, listed, Refusal } from '../errors.ts'
import { nameOf } from '../records/nameOf.ts'
import { logOperation } from '../records/logOperation.ts'
import { main } from '../records/reading/columnOf.ts'
import { messagesSeen, readStored } from '../records/reading/read.ts'
import { visibleConditions } from '../records/reading/visibleConditions.ts'
import type { Context } from '../runtime.ts'
import { refuseMissing } from '../records/save.ts'
import { tableOf } from '../identity/scope.ts'
import { checksums, fileIdOf } from '../files/UploadedFiles.ts'
import type { FailedRow } from '../sheets/writeFailures.ts'
import { writeFailures } from '../sheets/writeFailures.ts'
import { writeTemplate } from '../sheets/writeTemplate.ts'
import { textSeen } from '../records/reading/words.ts'
import { batchEntity, mostRows, readRows, rowEntity } from './importFile.ts'
import { kindOf } from './importProblems.ts'
import type { StoredProblem } from './importQuoted.ts'
import { markerOf, offeringColumns, sheetColumns } from './importSheet.ts'
import { disposition } from '../files/disposition.ts'

const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const failuresAtATime = 1000

/** The file to fill in, in the user's language. */
export async function sendTemplate(context: Context, plan: ImportPlan, reply: FastifyReply): Promise<FastifyReply> {
  demand(context.user, templatePermission(context, plan))
  const { language } = context
  const file = await writeTemplate({
    title: plan.title,
    columns: await offeringColumns(context, plan),
    language,
    marker: markerOf(plan),
    instructions: instructionsOf(context, plan),
  })
  return reply
    .type(sheetType)
    .header('content-disposition', disposition('attachment', `${textIn(plan.title, language)}.xlsx`))
    .send(Buffer.from(file))
}

/** `area:name:template`, besides the permission to see imported files. */
const templatePermission = (context: Context, plan: ImportPlan) =>
  batchEntity(context, plan).permissions.view.replace(/[^:]+$/, 'template')

const labelsOf = (context: Context, plan: ImportPlan): Label => {
  const { fields } = context.derived.catalog.entities[plan.into]
  return listed(plan.key.map((name) => plan.columns.find(({ field }) => field === name)?.label ?? fields[name].label))
}

function instructionsOf(context: Context, plan: ImportPlan) {
  const existing = {
    refuse: { cn: '已存在的数据报错', en: 'existing records are errors' },
    skip: { cn: '已存在的数据跳过', en: 'existing records are skipped' },
    update: { cn: '已存在的数据用非空单元格更新', en: 'filled cells update existing records' },
    choose: {
      cn: '已存在的数据跳过；上传时选择“覆盖已存在数据”则用非空单元格更新',
      en: 'existing records are skipped, or, where "Update existing" is chosen, updated by the filled cells',
    },
  }[plan.existing]
  return [
    {
      cn: `一次最多${mostRows(context.runtime, plan)}行、100MB，仅支持.xlsx。`,
      en: `At most ${mostRows(context.runtime, plan)} rows and 100 MB, .xlsx only.`,
    },
    fill(
      { cn: '按“{labels}”匹配：{existing}。', en: 'Rows are matched by {labels}: {existing}.' },
      { labels: labelsOf(context, plan), existing },
    ),
    ...plan.given.map(({ label }) =>
      fill(
        { cn: '“{label}”在上传时填写，适用于整个文件。', en: '"{label}" is given at the upload, for the whole file.' },
        { label },
      ),
    ),
    {
      cn: '全部数据检查后才写入；有误的行可在线更正，或下载后更正再上传。',
      en: 'All rows are checked before anything is written; wrong ones can be corrected in place, or downloaded, corrected and uploaded again.',
    },
  ]
}

async function batchOf(
  context: Context,
  plan: ImportPlan,
  id: number,
  permission: 'view' | 'export',
): Promise<RecordData> {
  const entity = batchEntity(context, plan)
  demand(context.user, entity.permissions[permission])
  const db = context.runtime.database.kysely
  const [batch] = await readStored(context, db, entity, [
    sql<boolean>`${sql.ref(`${main}.id`)} = ${id}`,
    ...visibleConditions(context, entity),
  ])
  return batch ?? refuseMissing(context, entity)
}

/** The file as it was uploaded. */
export async function sendOriginal(
  context: Context,
  plan: ImportPlan,
  id: number,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const batch = await batchOf(context, plan, id, 'view')
  const entity = batchEntity(context, plan)
  // The uploader has the file anyway.
  if (batch.createdBy !== context.user.id && !seesWhole(context, entity, entity.fields.file))
    throw new Refusal('permission', { parameters: { permission: entity.permissions.viewSensitive } })
  const [file] = batch.file as unknown as FileValue[]
  const path = fileIdOf(file.url)
  if (path === undefined) throw new Refusal('unknownFile')
  const { database, uploads } = context.runtime
  const content = await uploads.read(path, (await checksums(database.kysely, [path])).get(path))
  await logOperation(context, entity, 'original', { id, label: nameOf(context, entity, batch) })
  return reply.type(sheetType).header('content-disposition', disposition('attachment', file.name)).send(content)
}

/** The failed rows with reasons in the user's language, to be corrected and uploaded again. */
export async function sendFailures(
  context: Context,
  plan: ImportPlan,
  id: number,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const batch = await batchOf(context, plan, id, 'export')
  const { language } = context
  const entity = batchEntity(context, plan)
  await logOperation(context, entity, 'failures', {
    id,
    label: nameOf(context, entity, batch),
    rows: Number(batch.failCount ?? 0),
  })
  const file = writeFailures({
    title: plan.title,
    columns: sheetColumns(context, plan),
    language,
    marker: markerOf(plan, id),
    rows: failedRows(context, plan, id),
  })
  const name = `${String(batch.batchNo)}_${textIn({ cn: '失败数据', en: 'failures' }, language)}.xlsx`
  return reply.type(sheetType).header('content-disposition', disposition('attachment', name)).send(file)
}

async function* failedRows(context: Context, plan: ImportPlan, id: number): AsyncGenerator<FailedRow> {
  const db = context.runtime.database.kysely
  const entity = rowEntity(context, plan)
  const batch = { plan, id, updateExisting: false, given: {}, fields: [] }
  const shown = (field: string, text: string) =>
    text === '' ? '' : textSeen(context, entity, entity.fields[cellField(field)], text)
  for (let after = 0; ;) {
    const rows = await readRows(context, db, batch, { after, limit: failuresAtATime, status: ['failed'] })
    if (rows.length === 0) return
    after = rows.at(-1)!.number
    const problems = await problemsOf(
      context,
      entity,
      id,
      rows.map(({ number }) => number),
    )
    for (const { number, cells } of rows) {
      yield {
        number,
        cells: Object.fromEntries(Object.entries(cells).map(([field, text]) => [field, shown(field, text)])),
        problems: (problems.get(number) ?? []).map(({ column, message }) => ({
          ...(column !== undefined && { column }),
          message: textIn(message, context.language),
        })),
      }
    }
  }
}

async function problemsOf(
  context: Context,
  entity: Entity,
  id: number,
  numbers: number[],
): Promise<Map<number, ImportProblem[]>> {
  const db = context.runtime.database.kysely
  const { rows } = await sql<{
    number: number
    errors: StoredProblem[] | null
  }>`select "rowNo" as number, errors from ${tableOf(context, entity)}
    where batch = ${id} and "rowNo" = any(${numbers}::bigint[])`.execute(db)
  const shown = await messagesSeen(
    context,
    db,
    rows.map(({ errors }) => errors ?? []),
  )
  return new Map(rows.map(({ number }, index) => [number, shown[index]]))
}

const mostGroups = 100

/** The problems of the failed rows, by column and kind, and the hints about others; problems come first. */
export async function problemGroups(
  context: Context,
  plan: ImportPlan,
  id: number,
): Promise<{ list: ImportProblemGroup[] }> {
  await batchOf(context, plan, id, 'view')
  const db = context.runtime.database.kysely
  const { rows } = await sql<{
    column: string | null
    code: string
    count: number
    first: StoredProblem
  }>`
    select problem->>'column' as column, problem->>'code' as code, count(*)::integer as count, (array_agg(problem order by "rowNo"))[1] as first
    from ${tableOf(context, rowEntity(context, plan))} cross join lateral jsonb_array_elements(errors) as problem
    where batch = ${id} and ("rowStatus" = 'failed' or hinted) and errors is not null group by 1, 2 order by problem->>'code' = 'hint', 3 desc, 1, 2 limit ${mostGroups}`.execute(
    db,
  )
  const [shown] = await messagesSeen(context, db, [rows.map(({ first }) => first)])
  return {
    list: rows.map(({ first: _first, ...row }, index) => {
      const { message } = shown[index]
      return { ...row, message, label: kindOf(row.code, message) }
    }),
  }
}
