import { sql } from 'kysely'
import { declaredOperations, type Entity, type HistoryEntry, type Label } from '../../../model/model.ts'
import { may } from '../../identity/access.ts'
import { changeTexts, type StoredChanges } from './changes.ts'
import { ownChanges, withoutFormer } from './formerChanges.ts'
import { messageEntity, userEntity } from '../../identity/identity.ts'
import { main } from './columnOf.ts'
import { allOf, visibleConditions } from './visibleConditions.ts'
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
  arrived: boolean
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
  const own = ownChanges(context, entity, 'h')
  const { rows } = await sql<Row>`
    select id, action, user_id, at, changes->'fields' as fields, coalesce(act, work) as work,
      ${own?.arrived ?? sql`false`} as arrived, count(*) over () as total
    from system_history as h
    where entity = ${entity.name} and record_id = ${id} and changes->>'aside' is null and ${own?.theirs ?? sql`true`}
    order by id desc limit ${size} offset ${(page - 1) * size}`.execute(db)
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
    rows.map(({ fields, arrived }) => (arrived ? withoutFormer(fields) : fields)),
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

/** The most changes of one entity that are counted for an act: a file has a hundred thousand. */
const mostCounted = 1000

/** The entities of the changes of each work, or of the first of one call; each is found by itself, not among all changes. */
async function entitiesOf(db: Db, works: readonly number[]): Promise<Map<string, number[]>> {
  const next = (work: string, after: string) => sql`(select h.entity from system_history as h
    where coalesce(h.act, h.work) = ${sql.raw(work)} ${sql.raw(after)} order by h.entity limit 1)`
  const { rows } = await sql<{ work: number; entity: string }>`
    with recursive found (work, entity) as (
      select asked.work, ${next('asked.work', '')} from (select distinct unnest(${works}::bigint[]) as work) as asked
      union all
      select found.work, ${next('found.work', 'and h.entity > found.entity')} from found where found.entity is not null
    ) select work, entity from found where entity is not null order by entity, work`.execute(db)
  const found = new Map<string, number[]>()
  for (const { work, entity } of rows) found.set(entity, [...(found.get(entity) ?? []), work])
  return found
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
  for (const [name, own] of await entitiesOf(db, works)) {
    const entity = visibleEntity(context, name)
    if (!entity) continue
    const itself = entity === about.entity ? sql`and h.record_id <> ${about.id}` : sql``
    const { rows } = await sql<{ work: number; count: number; changes: number }>`
      select asked.work, count(distinct ${sql.ref(`${main}.id`)})::integer as count, count(*)::integer as changes
      from unnest(${own}::bigint[]) as asked (work) cross join lateral (
        select h.record_id from system_history as h
        where coalesce(h.act, h.work) = asked.work and h.entity = ${name} ${itself} limit ${mostCounted + 1}
      ) as change left join ${tableOf(context, entity)} as ${sql.ref(main)}
        on ${sql.ref(`${main}.id`)} = change.record_id and ${allOf(visibleConditions(context, entity))}
      group by 1`.execute(db)
    for (const { work, count, changes } of rows) {
      const counted = { entity: name, label: entity.label, count: Math.min(count, mostCounted) }
      if (count > 0) add(work, changes > mostCounted ? { ...counted, more: true } : counted)
    }
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
