import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { sql } from 'kysely'
import { checkRules } from '../../expression/verdict.ts'
import { joinedBy, semicolon, textIn } from '../../model/language.ts'
import type { Download, DownloadSheet, Entity, FileValue, ImportPlan, Label, RecordData } from '../../model/model.ts'
import { demand, demandAny, seesWhole } from '../identity/access.ts'
import { fileTypeOf } from '../files/content.ts'
import { procedureOf } from '../records/procedures.ts'
import { Refusal } from '../errors.ts'
import { chosenIds, type ExportQuery, recordSheet, sent, logExport } from './exports.ts'
import { declaredConditions } from '../records/reading/filters.ts'
import { cellText } from '../imports/importCells.ts'
import { markerOf, offeringColumns } from '../imports/importSheet.ts'
import { policy } from '../identity/policies.ts'
import { readBatches, readIds } from '../records/reading/query.ts'
import { main } from '../records/reading/columnOf.ts'
import { readRecords, readStored } from '../records/reading/read.ts'
import { partConditions, visibleConditions } from '../records/reading/visibleConditions.ts'
import { canonicalRecord } from '../records/reading/canonical.ts'
import { verdictContext } from '../records/accept.ts'
import type { Context } from '../runtime.ts'
import { checksums, fileIdOf } from '../files/UploadedFiles.ts'
import type { RecordSheet } from '../sheets/writeRecords.ts'
import { writeFilled } from '../sheets/writeFailures.ts'
import { writeRecords } from '../sheets/writeRecords.ts'
import { zipParts, type ZipPart } from '../sheets/zipParts.ts'
import { permissionsTo } from '../derived.ts'
import { cellWriter } from '../records/reading/cells.ts'
import { disposition } from '../files/disposition.ts'

/** The most records that each get their own sheet or files. */
const mostRecords = 200
/** How many records a refused download names. */
const mostNamed = 20

/**
 * A file that the entity offers for the listed or given records.
 * @throws Refusal permission, notAllowed, exportTooLarge, tooManyRecords, nothingToDownload, nothingToFill.
 */
export async function sendDownload(
  context: Context,
  entity: Entity,
  download: Download,
  query: ExportQuery,
  reply: FastifyReply,
): Promise<FastifyReply> {
  demand(context.user, download.permission)
  const ids = await chosenIds(context, entity, query, [
    ...(download.files === undefined ? partConditions(context, entity, 'export') : []),
    ...declaredConditions(context, entity, main, download.where),
  ])
  await refuseUnfit(context, entity, download.guards, ids)
  const title = textIn(download.label, context.language)
  if (download.files !== undefined) {
    const parts = await filesOf(context, entity, download.files, ids)
    await logExport(context, entity, { action: download.name, rows: ids.length, query })
    // A single file is sent without an archive.
    if (parts.length === 1)
      return reply
        .type(fileTypeOf(parts[0].name)?.type ?? 'application/octet-stream')
        .header('content-disposition', disposition('attachment', parts[0].name))
        .send(Readable.from(parts[0].content, { objectMode: false }))
    return sent(reply, context, `${title}.zip`, zipParts(parts))
  }
  if (download.run !== undefined) return sendMade(context, entity, download, { ids, query }, reply)
  if (download.template !== undefined) {
    if (ids.length === 0) throw new Refusal('nothingToFill')
    await logExport(context, entity, { action: download.name, rows: ids.length, query })
    return sent(
      reply,
      context,
      `${title}.xlsx`,
      await filledTemplate(context, entity, download.template, download.fills ?? {}, ids),
    )
  }
  const sheets: RecordSheet[] = []
  const counted = { rows: 0 }
  for (const sheet of download.sheets!) sheets.push(...(await sheetsOf(context, entity, sheet, ids, counted)))
  await logExport(context, entity, { action: download.name, rows: ids.length, query })
  return sent(reply, context, `${title}.xlsx`, writeRecords(...sheets))
}

/** @throws Refusal notAllowed, naming the records whose state does not allow it. */
async function refuseUnfit(context: Context, entity: Entity, guards: Download['guards'], ids: number[]): Promise<void> {
  if (guards.length === 0) return
  const broken: Label[] = []
  for (let start = 0; start < ids.length && broken.length <= mostNamed; start += mostRecords) {
    const some = ids.slice(start, start + mostRecords)
    const stored = await readStored(
      context,
      context.runtime.database.kysely,
      entity,
      [sql<boolean>`${sql.ref(`${main}.id`)} = any(${some}::bigint[])`],
      { rows: true, order: sql.ref(`${main}.id`) },
    )
    for (const record of stored.map((each) => canonicalRecord(context, entity, each)))
      broken.push(...checkRules(entity, guards, record, verdictContext(context, record)).map(({ message }) => message))
  }
  if (broken.length === 0) return
  const named = broken.slice(0, mostNamed)
  throw new Refusal('notAllowed', {
    text: joinedBy(semicolon, broken.length > mostNamed ? [...named, { cn: '另有其他记录', en: 'and others' }] : named),
  })
}

/** What the procedure returns: `{ name, content }`. */
async function sendMade(
  context: Context,
  entity: Entity,
  { name, run }: Download,
  { ids, query }: { ids: number[]; query: ExportQuery },
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (ids.length === 0) throw new Refusal('nothingToDownload')
  const records = await few(context, entity, ids, [entity.display])
  const made = (await procedureOf(
    context,
    entity,
    run!,
  )({ context, db: context.runtime.database.kysely, entity: entity.name, records, values: {} })) as {
    name: string
    content: Buffer
  }
  await logExport(context, entity, { action: name, rows: ids.length, query })
  return reply
    .type(fileTypeOf(made.name)!.type)
    .header('content-disposition', disposition('attachment', made.name))
    .send(made.content)
}

/**
 * The template of an import with a row for each record, prefilled with the columns that the import finds and compares
 * it by.
 */
async function filledTemplate(
  context: Context,
  entity: Entity,
  template: string,
  fills: Record<string, string>,
  ids: number[],
): Promise<Readable> {
  const plan = (context.derived.catalog.screens[template].body as unknown as { import: ImportPlan }).import
  const writers = Object.entries(fills).map(([column, name]) => ({
    column,
    name,
    write: cellWriter(context, entity, entity.fields[name]),
  }))
  const rows = async function* () {
    let number = 0
    for await (const records of readBatches(
      context,
      context.runtime.database.kysely,
      entity,
      ids,
      Object.values(fills),
    )) {
      for (const record of records) {
        const cells = Object.fromEntries(
          writers.map(({ column, name, write }) => [
            column,
            cellText(context, entity.fields[column], write(record[name] ?? null)),
          ]),
        )
        yield { number: ++number, cells }
      }
    }
  }
  return writeFilled({
    title: plan.title,
    columns: await offeringColumns(context, plan),
    language: context.language,
    marker: markerOf(plan),
    rows: rows(),
  })
}

async function sheetsOf(
  context: Context,
  entity: Entity,
  sheet: DownloadSheet,
  ids: number[],
  counted: { rows: number },
): Promise<RecordSheet[]> {
  const rowEntity = sheet.entity === undefined ? entity : context.derived.catalog.entities[sheet.entity]
  if (rowEntity !== entity && !rowEntity.rowOf) demandAny(context.user, permissionsTo(rowEntity, 'view'))
  const fields = sheet.columns.map(({ field, label }) => ({
    field: rowEntity.fields[field],
    label: label ?? rowEntity.fields[field].label,
  }))
  const whole = async (title: string, ids: number[]) => {
    const rows = rowEntity === entity ? ids : await rowsOf(context, rowEntity, sheet.by!, ids)
    const limit = policy(context.runtime, 'exportRows')
    if ((counted.rows += rows.length) > limit) throw new Refusal('exportTooLarge', { parameters: { limit } })
    return recordSheet(context, rowEntity, { title, fields, ids: rows })
  }
  if (!sheet.each) return [await whole(textIn(sheet.title ?? rowEntity.label, context.language), ids)]
  const sheets: RecordSheet[] = []
  for (const record of await few(context, entity, ids, [entity.display]))
    sheets.push(await whole(String(record[entity.display] ?? record.id), [record.id!]))
  // A workbook needs at least one sheet.
  return sheets.length > 0 ? sheets : [await whole(textIn(rowEntity.label, context.language), [])]
}

/** The rows of the records, in creation order. */
const rowsOf = (context: Context, entity: Entity, by: string, ids: number[]): Promise<number[]> =>
  readIds(
    context,
    context.runtime.database.kysely,
    entity,
    [...visibleConditions(context, entity), sql<boolean>`${sql.ref(`${main}.${by}`)} = any(${ids}::bigint[])`],
    'id',
    policy(context.runtime, 'exportRows') + 1,
  )

/** @throws Refusal tooManyRecords. */
async function few(context: Context, entity: Entity, ids: number[], fields: string[]): Promise<RecordData[]> {
  if (ids.length > mostRecords) throw new Refusal('tooManyRecords', { parameters: { limit: mostRecords } })
  const records = await readRecords(
    context,
    context.runtime.database.kysely,
    entity,
    [sql<boolean>`${sql.ref(`${main}.id`)} = any(${ids}::bigint[])`],
    { fields },
  )
  return ids.map((id) => records.find((record) => record.id === id)).filter((record) => record !== undefined)
}

/** Several records get a folder each. */
async function filesOf(context: Context, entity: Entity, name: string, recordIds: number[]): Promise<ZipPart[]> {
  const field = entity.fields[name]
  if (!seesWhole(context, entity, field))
    throw new Refusal('permission', { parameters: { permission: entity.permissions.viewSensitive } })
  const { database, uploads } = context.runtime
  const taken = new Set<string>()
  const records = await few(context, entity, recordIds, [entity.display, name])
  const filesIn = (record: RecordData) => (record[name] as FileValue[] | null) ?? []
  const ids = records.flatMap(filesIn).map(({ url }) => fileIdOf(url) ?? '')
  const known = await checksums(database.kysely, ids)
  const parts = records.flatMap((record) =>
    filesIn(record).flatMap((file): ZipPart[] => {
      const id = fileIdOf(file.url)
      if (id === undefined) return []
      const folder = records.length > 1 ? `${safe(String(record[entity.display] ?? record.id))}/` : ''
      return [
        {
          name: free(`${folder}${safe(file.name)}`, taken),
          content: opened(() => uploads.read(id, known.get(id))),
        },
      ]
    }),
  )
  if (parts.length === 0) throw new Refusal('nothingToDownload')
  return parts
}

/** Opened in turn, so that only one of many files is open at a time. */
async function* opened(open: () => Promise<Readable>): AsyncGenerator<Buffer> {
  yield* await open()
}

/** A name that any program can unpack, and that cannot escape the target folder. */
const safe = (name: string) => name.replace(/[\\/:*?"<>|\p{Cc}]/gu, '_').replace(/^\.+/, '_')

function free(name: string, taken: Set<string>): string {
  const dot = name.lastIndexOf('.')
  let found = name
  for (let count = 2; taken.has(found.toLowerCase()); count++)
    found = dot > 0 ? `${name.slice(0, dot)} (${count})${name.slice(dot)}` : `${name} (${count})`
  taken.add(found.toLowerCase())
  return found
}
