import { sql } from 'kysely'
import { declaredOperations, type Entity, type HistoryEntry, type Label } from '../../../model/model.ts'
import { may } from '../../identity/access.ts'
import { changeTexts, type StoredChanges } from './changes.ts'
import { messageEntity, userEntity } from '../../identity/identity.ts'
import { allOf, main, visibleConditions } from './read.ts'
import { readReferences } from './references.ts'
import type { Context, Db } from '../../runtime.ts'
import { tableOf } from '../../identity/scope.ts'

/** The label of an operation in the history; another entity's operation may have changed the record. */
export function operationLabel({ derived }: Context, entity: Entity, action: string): Label {
  const transition = entity.states.map((machine) => machine.transitions[action]).find(Boolean)
  const known = derived.catalog.dictionaries[declaredOperations].choices.find(({ value }) => value === action)
  return transition?.label ?? entity.actions[action]?.label ?? known?.label ?? { cn: action, en: action }
}

interface Row {
  id: number
  action: string
  user_id: number | null
  at: string
  fields: StoredChanges
  work: number | null
  total: number
}

/** Newest first. The caller has checked that the record is visible. */
export async function readHistory(
  context: Context,
  db: Db,
  entity: Entity,
  id: number,
  page: number,
  size: number,
): Promise<{ list: HistoryEntry[]; total: number }> {
  const { rows } = await sql<Row>`
    select id, action, user_id, at, changes->'fields' as fields, coalesce(act, work) as work, count(*) over () as total from system_history
    where entity = ${entity.name} and record_id = ${id} and changes->>'aside' is null order by id desc limit ${size} offset ${(page - 1) * size}`.execute(
    db,
  )
  const names = await readReferences(
    context,
    db,
    new Map(
      context.derived.catalog.entities[userEntity]
        ? [[userEntity, new Set(rows.flatMap((row) => row.user_id ?? []))]]
        : [],
    ),
  )
  const user = (userId: number | null) =>
    userId === null ? null : { id: userId, name: names.get(userEntity)?.get(userId)?.name ?? '' }
  const changes = await changeTexts(
    context,
    db,
    entity,
    rows.map(({ fields }) => fields),
  )
  const others = await otherChanges(
    context,
    db,
    { entity, id },
    rows.flatMap(({ work }) => work ?? []),
  )
  return {
    total: rows[0]?.total ?? 0,
    list: rows.map((row, index) => ({
      id: row.id,
      at: row.at,
      by: user(row.user_id),
      action: row.action,
      label: operationLabel(context, entity, row.action),
      changes: changes[index],
      work: row.work,
      with: others.get(row.work ?? 0) ?? [],
    })),
  }
}

/** Work, or the first of one call → how many other records it changed, by entity, as far as the user may see them, and its messages. */
async function otherChanges(
  context: Context,
  db: Db,
  about: { entity: Entity; id: number },
  works: readonly number[],
): Promise<Map<number, HistoryEntry['with']>> {
  const found = new Map<number, HistoryEntry['with']>()
  if (works.length === 0) return found
  const add = (work: number, others: HistoryEntry['with'][number]) =>
    found.set(work, [...(found.get(work) ?? []), others])
  const { rows: entities } = await sql<{ entity: string }>`
    select distinct entity from system_history where coalesce(act, work) = any(${works}::bigint[]) order by entity`.execute(
    db,
  )
  for (const { entity: name } of entities) {
    const entity = visibleEntity(context, name)
    if (!entity) continue
    const itself = entity === about.entity ? sql`and h.record_id <> ${about.id}` : sql``
    const { rows } = await sql<{ work: number; count: number }>`
      select coalesce(h.act, h.work) as work, count(distinct h.record_id)::integer as count from system_history as h
      join ${tableOf(context, entity)} as ${sql.ref(main)} on ${sql.ref(`${main}.id`)} = h.record_id
      where coalesce(h.act, h.work) = any(${works}::bigint[]) and h.entity = ${name} ${itself} and ${allOf(visibleConditions(context, entity))}
      group by 1`.execute(db)
    for (const { work, count } of rows) add(work, { entity: name, label: entity.label, count })
  }
  const message = context.derived.catalog.entities[messageEntity]
  const { rows: senders } = await sql<{ work: number; count: number }>`
    select coalesce(act, id) as work, sum(messages)::integer as count from system_work
    where (id = any(${works}::bigint[]) or act = any(${works}::bigint[])) and messages > 0 group by 1`.execute(db)
  for (const { work, count } of senders) add(work, { entity: messageEntity, label: message.label, count })
  return found
}

/** The entity of a change, if it still exists and the user may see its records. */
export function visibleEntity({ derived, user }: Context, name: string): Entity | undefined {
  const entity = Object.hasOwn(derived.catalog.entities, name) ? derived.catalog.entities[name] : undefined
  return entity && !entity.rowOf && may(user, entity.permissions.view) ? entity : undefined
}
