import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { WorkDetail } from '../../model/model.ts'
import { administrator } from '../identity/access.ts'
import { changeTexts, type StoredChanges } from '../records/reading/changes.ts'
import { logOperation, showsSensitiveChange } from '../records/logOperation.ts'
import { answer } from '../http/envelope.ts'
import { Refusal } from '../errors.ts'
import { userEntity } from '../identity/identity.ts'
import { main } from '../records/reading/columnOf.ts'
import { allOf, visibleConditions } from '../records/reading/visibleConditions.ts'
import { feedEpoch, type FeedPosition, feedStart, readFeed } from '../records/feed.ts'
import { ownChanges, withoutFormer } from '../records/reading/formerChanges.ts'
import { operationLabel, visibleEntity } from '../records/reading/readHistory.ts'
import { readReferences } from '../records/reading/references.ts'
import type { Context } from '../runtime.ts'
import { tableOf } from '../identity/scope.ts'

/** The most changes of one entity that are listed for a work. */
const mostChanges = 200
/** The most works in one answer. */
const mostWorks = 100

interface Row {
  entity: string
  record_id: number
  label: string | null
  action: string
  fields: StoredChanges
  arrived: boolean
}

/**
 * `GET /works/{id}`: what one work changed. `GET /works?after=…`: the feed of all works, for the administrator's
 * programs.
 */
export function workRoutes(api: FastifyInstance): void {
  api.get<{ Querystring: { after?: string; limit?: string } }>('/works', async ({ context, query }) => {
    if (!context.user.roles.includes(administrator)) throw new Refusal('permission')
    const { kysely } = context.runtime.database
    const limit = Number(query.limit ?? mostWorks)
    if (!Number.isInteger(limit) || limit < 1) throw new Refusal('request', { parameters: { detail: 'limit' } })
    const epoch = await feedEpoch(kysely)
    const position = query.after === undefined ? feedStart : positionOf(query.after, epoch)
    const found = await readFeed(kysely, position, Math.min(limit, mostWorks))
    const formatPosition = (at: FeedPosition) => `${epoch}.${at.transaction}.${at.work}`
    const list = found.map(({ position: at, ...work }) => ({ ...work, position: formatPosition(at) }))
    return answer({ list, after: list.at(-1)?.position ?? formatPosition(position) })
  })
  api.get<{ Params: { id: string } }>('/works/:id', async ({ context, params }) =>
    answer(await readWork(context, /^[1-9]\d{0,14}$/.test(params.id) ? Number(params.id) : 0)),
  )
}

/** @throws Refusal request; otherFeed, if another database gave it out. */
function positionOf(after: string, epoch: string): FeedPosition {
  const parts = /^([0-9a-f]{32})\.(\d{1,19})\.(\d{1,15})$/.exec(after)
  if (!parts) throw new Refusal('request', { parameters: { detail: 'after' } })
  if (parts[1] !== epoch) throw new Refusal('otherFeed')
  return { transaction: parts[2], work: Number(parts[3]) }
}

/**
 * The changes of a work, and of those of the same call, to records that the user may see, and their number for each entity.
 * @throws Refusal unknownRecord, if the user may see none of them.
 */
export async function readWork(context: Context, workId: number): Promise<WorkDetail> {
  const db = context.runtime.database.kysely
  const {
    rows: [work],
  } = await sql<{ id: number; cause: string; user_id: number | null; at: string; messages: number }>`
    select first.id, first.cause, first.user_id, first.at,
      (select sum(messages)::integer from system_work where id = first.id or act = first.id) as messages
    from system_work as given join system_work as first on first.id = coalesce(given.act, given.id)
    where given.id = ${workId}`.execute(db)
  if (!work) throw new Refusal('unknownRecord')
  const { id } = work
  const { rows: entities } = await sql<{ entity: string }>`
    select distinct entity from system_history where coalesce(act, work) = ${id} order by entity`.execute(db)
  const found: WorkDetail['entities'] = []
  for (const { entity: name } of entities) {
    const entity = visibleEntity(context, name)
    if (!entity) continue
    // A deleted record is outside every scope except that of users who see all.
    const own = ownChanges(context, entity, 'h')
    const conditions = [...visibleConditions(context, entity), ...(own ? [own.theirs] : [])]
    const { rows } = await sql<Row & { total: number }>`
      select h.entity, h.record_id, h.label, h.action, h.changes->'fields' as fields,
        ${own?.arrived ?? sql`false`} as arrived, count(*) over ()::integer as total
      from system_history as h join ${tableOf(context, entity)} as ${sql.ref(main)} on ${sql.ref(`${main}.id`)} = h.record_id
      where coalesce(h.act, h.work) = ${id} and h.entity = ${name} and ${allOf(conditions)}
      order by h.id limit ${mostChanges}`.execute(db)
    if (rows.length === 0) continue
    const texts = await changeTexts(
      context,
      db,
      entity,
      rows.map(({ fields, arrived }) => (arrived ? withoutFormer(fields) : (fields ?? {}))),
    )
    const shown = texts.filter((changes) => showsSensitiveChange(context, entity, changes)).length
    if (shown > 0) await logOperation(context, entity, 'viewSensitive', { rows: shown })
    found.push({
      entity: name,
      label: entity.label,
      count: rows[0].total,
      changes: rows.map((row, index) => ({
        id: row.record_id,
        name: row.label,
        action: row.action,
        label: operationLabel(context, entity, row.action),
        fields: texts[index],
      })),
    })
  }
  if (found.length === 0) throw new Refusal('unknownRecord')
  const names = await readReferences(context, db, new Map([[userEntity, new Set(work.user_id ? [work.user_id] : [])]]))
  const by = work.user_id && { id: work.user_id, name: names.get(userEntity)?.get(work.user_id)?.name ?? '' }
  return { id, at: work.at, by: by || null, cause: work.cause, messages: work.messages, entities: found }
}
