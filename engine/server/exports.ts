import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { FastifyReply } from 'fastify'
import { writeXlsxStream } from 'hucre/xlsx'
import { sql } from 'kysely'
import type { Entity, Field, Label, ListQuery, RecordData, Value } from '../schema/model.ts'
import { demand, seesWhole } from './access.ts'
import { Refusal } from './errors.ts'
import { queryConditions, readBatches, readIds } from './query.ts'
import { main } from './read.ts'
import type { Context } from './runtime.ts'
import { widgetContext } from './words.ts'

export const exportLimit = 200_000

export interface ExportQuery extends Omit<ListQuery, 'page' | 'size'> {
  /** The screen that is exported: its title names the file, its columns their headers. */
  screen?: string
  /** Only these records. */
  ids?: number[]
}

/** Everything that a list shows, its filters included, as a spreadsheet that is sent while it is written. */
export async function exportRecords(context: Context, entity: Entity, query: ExportQuery, reply: FastifyReply): Promise<FastifyReply> {
  demand(context.user, entity.permissions.export)
  const db = context.runtime.database.kysely
  const { matching, tab } = queryConditions(context, entity, query)
  const only = query.ids ? [sql<boolean>`${sql.ref(`${main}.id`)} = any(${query.ids}::bigint[])`] : []
  const ids = await readIds(context, db, entity, [...matching, ...tab, ...only], query.sort, exportLimit + 1)
  if (ids.length > exportLimit) throw new Refusal('exportTooLarge', { parameters: { limit: exportLimit } })

  const { title, fields } = columnsOf(context, entity, query)
  const rows = async function* () {
    for await (const records of readBatches(context, db, entity, ids, fields.map(({ field }) => field.name))) {
      for (const record of records) yield fields.map(({ field }) => cellOf(context, entity, field, record))
    }
  }
  const sheet = writeXlsxStream(rows(), {
    name: title.replace(/[\\/?*[\]:]/g, ' ').slice(0, 31),
    columns: fields.map(({ field, label }) => {
      const widget = context.derived.widget(field)
      const numFmt = seesWhole(context, entity, field) ? widget.sheet!.format?.(field.options) : '@'
      return { header: label[context.language], width: Math.round(widget.width(field.options) / 7), ...(numFmt && { numFmt }) }
    }),
    freezePane: { rows: 1 },
  })
  await sql`insert into system_history (entity, record_id, action, user_id, at, changes)
    values (${entity.name}, 0, 'export', ${context.user.id}, ${context.now}, ${JSON.stringify({ revision: 0, fields: {}, rows: ids.length })}::jsonb)`.execute(db)
  const name = `${title}_${context.now.slice(0, 16).replace(/\D/g, '')}.xlsx`
  return reply
    .type('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    .header('content-disposition', disposition('attachment', name))
    .send(Readable.fromWeb(sheet as ReadableStream))
}

/** RFC 5987: the plain name for those who know no better. */
export const disposition = (kind: 'attachment' | 'inline', name: string): string =>
  `${kind}; filename="${name.replace(/[^\x20-\x7e]|["\\%]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)}`

/** The wanted fields that a sheet can hold, with the headers that the screen gives them. */
function columnsOf(context: Context, entity: Entity, { screen: name, fields }: ExportQuery) {
  const screen = name === undefined ? undefined : context.derived.catalog.screens[name]
  const shown = ((screen?.body as { columns?: { field: string; label: Label }[] } | undefined)?.columns ?? [])
  const wanted = fields ?? (shown.length > 0 ? shown.map(({ field }) => field) : Object.keys(entity.fields))
  return {
    title: (screen?.title ?? entity.label)[context.language],
    fields: wanted.map((one) => {
      const field = Object.hasOwn(entity.fields, one) ? entity.fields[one] : undefined
      if (!field) throw new Refusal('unknownField', { parameters: { entity: entity.label, field: one } })
      return { field, label: shown.find((column) => column.field === one)?.label ?? field.label }
    }).filter(({ field }) => context.derived.widget(field).sheet),
  }
}

/** Texts are written as texts, whatever they begin with: no cell of ours is a formula. */
function cellOf(context: Context, entity: Entity, field: Field, record: RecordData): string | number | boolean | Date | null {
  const value: Value = record[field.name] ?? null
  if (value === null) return null
  if (!seesWhole(context, entity, field)) return String(value)
  return context.derived.widget(field).sheet!.write(value, field.options, widgetContext(context, field), context.language)
}
