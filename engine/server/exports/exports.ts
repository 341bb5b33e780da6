import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { sql } from 'kysely'
import { textIn } from '../../model/language.ts'
import type { Entity, Field, Label, ListQuery } from '../../model/model.ts'
import { demandAny, seesWhole } from '../identity/access.ts'
import { Refusal } from '../errors.ts'
import { chosenBy, logOperation } from '../records/logOperation.ts'
import { policy } from '../identity/policies.ts'
import { queryConditions, readBatches, readIds } from '../records/reading/query.ts'
import { main } from '../records/reading/columnOf.ts'
import { partConditions } from '../records/reading/visibleConditions.ts'
import type { Context } from '../runtime.ts'
import { type RecordSheet, writeRecords } from '../sheets/writeRecords.ts'
import type { Condition } from '../identity/scope.ts'
import { cellWriter } from '../records/reading/cells.ts'
import { permissionsTo } from '../derived.ts'
import { disposition } from '../files/disposition.ts'

export interface ExportQuery extends Omit<ListQuery, 'page' | 'size' | 'countTo' | 'after' | 'before'> {
  /** The exported screen: its title names the file, its columns provide the headers. */
  screen?: string
  /** Only these records. */
  ids?: number[]
}

/** Everything that a list shows, filters included, as a spreadsheet that is sent while it is written. */
export async function exportRecords(
  context: Context,
  entity: Entity,
  query: ExportQuery,
  reply: FastifyReply,
): Promise<FastifyReply> {
  demandAny(context.user, permissionsTo(entity, 'export'))
  const ids = await chosenIds(context, entity, query, partConditions(context, entity, 'export'))
  const { title, fields } = columnsOf(context, entity, query)
  await logExport(context, entity, { action: 'export', rows: ids.length, query })
  return sent(reply, context, `${title}.xlsx`, writeRecords(recordSheet(context, entity, { title, fields, ids })))
}

/** The listed or given records, in order. @throws Refusal exportTooLarge. */
export async function chosenIds(
  context: Context,
  entity: Entity,
  query: ExportQuery,
  conditions: readonly Condition[] = [],
): Promise<number[]> {
  const { matching, tab } = queryConditions(context, entity, query)
  const only = [
    ...conditions,
    ...(query.ids ? [sql<boolean>`${sql.ref(`${main}.id`)} = any(${query.ids}::bigint[])`] : []),
  ]
  const limit = policy(context.runtime, 'exportRows')
  const ids = await readIds(
    context,
    context.runtime.database.kysely,
    entity,
    [...matching, ...tab, ...only],
    query.sort,
    limit + 1,
  )
  if (ids.length > limit) throw new Refusal('exportTooLarge', { parameters: { limit } })
  return ids
}

/** A sheet of these records, read in batches while it is written. */
export function recordSheet(
  context: Context,
  entity: Entity,
  { title, fields, ids }: { title: string; fields: readonly { field: Field; label: Label }[]; ids: number[] },
): RecordSheet {
  const writers = fields.map(({ field }) => ({ name: field.name, write: cellWriter(context, entity, field) }))
  const rows = async function* () {
    for await (const records of readBatches(
      context,
      context.runtime.database.kysely,
      entity,
      ids,
      writers.map(({ name }) => name),
    )) {
      yield records.map((record) => writers.map(({ name, write }) => write(record[name] ?? null)))
    }
  }
  const columns = fields.map(({ field, label }) => {
    const widget = context.derived.widget(field)
    const format = seesWhole(context, entity, field) ? widget.sheet!.format?.(field.options) : '@'
    return {
      header: textIn(label, context.language),
      width: Math.round(widget.width(field.options) / 7),
      ...(format && { format }),
    }
  })
  return { title, columns, batches: rows() }
}

/** The log records who exported which records, and how many. */
export const logExport = (
  context: Context,
  entity: Entity,
  { action, rows, query }: { action: string; rows: number; query: ExportQuery },
) => logOperation(context, entity, action, { rows, ...chosenBy(entity, query) })

/** @param name with its extension; the time is put before it */
export function sent(reply: FastifyReply, { now }: Context, name: string, content: Readable): FastifyReply {
  const dot = name.lastIndexOf('.')
  const type = name.endsWith('.zip')
    ? 'application/zip'
    : 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  return reply
    .type(type)
    .header(
      'content-disposition',
      disposition('attachment', `${name.slice(0, dot)}_${now.slice(0, 16).replace(/\D/g, '')}${name.slice(dot)}`),
    )
    .send(content)
}

/** The wanted fields that a sheet can hold, with the screen's headers. */
function columnsOf(context: Context, entity: Entity, { screen: name, fields }: ExportQuery) {
  const { screens } = context.derived.catalog
  const screen = name !== undefined && Object.hasOwn(screens, name) ? screens[name] : undefined
  const shown = (screen?.body as { columns?: { field: string; label: Label }[] } | undefined)?.columns ?? []
  const wanted = fields ?? (shown.length > 0 ? shown.map(({ field }) => field) : Object.keys(entity.fields))
  return {
    title: textIn(screen?.title ?? entity.label, context.language),
    fields: wanted
      .map((each) => {
        const field = Object.hasOwn(entity.fields, each) ? entity.fields[each] : undefined
        if (!field) throw new Refusal('unknownField', { parameters: { entity: entity.label, field: each } })
        return { field, label: shown.find((column) => column.field === each)?.label ?? field.label }
      })
      .filter(({ field }) => context.derived.widget(field).sheet),
  }
}
