import { sql } from 'kysely'
import type { Entity, Label } from '../../model/model.ts'
import { fill } from '../errors.ts'
import { may } from '../identity/access.ts'
import { userEntity } from '../identity/identity.ts'
import { scopeCondition, tableOf } from '../identity/scope.ts'
import { main } from '../records/reading/columnOf.ts'
import { allOf, partConditions } from '../records/reading/visibleConditions.ts'
import { operationLabel } from '../records/reading/readHistory.ts'
import { readReferences } from '../records/reading/references.ts'
import { firstReferring } from '../records/referred.ts'
import { visibleIds } from '../records/visibleReferences.ts'
import type { Context, Db } from '../runtime.ts'

/** A record that keeps an import from being undone. */
export interface Keeping {
  entity: Entity
  id: number
  /** The last entry of history that the import wrote about it; null if there is none. */
  last: number | null
}

interface Undoing {
  /** Causes whose works do not count as changes: the import itself and its undo so far. */
  own: readonly string[]
  /** What else would be undone, by entity. */
  going: ReadonlyMap<string, ReadonlySet<number>>
}

const texts = {
  deleted: { cn: '已删除', en: 'deleted' },
  changed: { cn: '{by}{operation}', en: '{operation} by {by}' },
  changedBySystem: { cn: '系统{operation}', en: '{operation} by the system' },
  used: { cn: '用于{label}{name}', en: 'used by {label}{name}' },
  usedByOther: { cn: '已被其他数据使用', en: 'used by other data' },
} satisfies Record<string, Label>

/** Whether the user may see the record. */
export const sees = async (context: Context, db: Db, entity: Entity, id: number): Promise<boolean> =>
  may(context.user, entity.permissions.view) && (await visibleIds(context, db, entity, [id])).has(id)

/**
 * That the record was deleted, or who has changed it since and how, or else what uses it; undefined if nobody knows, or
 * the user may not see the record (or could not, if it were not deleted).
 */
export async function reasonOf(
  context: Context,
  db: Db,
  keeping: Keeping,
  undoing: Undoing,
): Promise<Label | undefined> {
  if (await isDeleted(context, db, keeping)) return texts.deleted
  if (!(await sees(context, db, keeping.entity, keeping.id))) return undefined
  return (await changeSince(context, db, keeping, undoing)) ?? (await usedBy(context, db, keeping, undoing))
}

/** Whether the record was deleted, and the user could see it otherwise. */
async function isDeleted(context: Context, db: Db, { entity, id }: Keeping): Promise<boolean> {
  if (!may(context.user, entity.permissions.view)) return false
  const scope = scopeCondition(context, entity, main)
  const conditions = [
    sql<boolean>`${sql.ref(`${main}.id`)} = ${id}`,
    sql<boolean>`${sql.ref(`${main}.deletedAt`)} is not null`,
    ...(scope ? [scope] : []),
    ...partConditions(context, entity, 'view'),
  ]
  const { rows } = await sql`select 1 from ${tableOf(context, entity)} as ${sql.ref(main)}
    where ${allOf(conditions)}`.execute(db)
  return rows.length > 0
}

async function changeSince(
  context: Context,
  db: Db,
  { entity, id, last }: Keeping,
  { own }: Undoing,
): Promise<Label | undefined> {
  if (last === null) return undefined
  const { rows } = await sql<{ action: string; by: number | null }>`
    select h.action, h.user_id as by from system_history as h left join system_work as w on w.id = h.work
    where h.entity = ${entity.name} and h.record_id = ${id} and h.id > ${last} and h.changes ? 'revision'
      and not h.changes ? 'aside' and (w.cause is null or w.cause <> all(${own}::text[]))
    order by h.id desc limit 1`.execute(db)
  const [change] = rows
  if (!change) return undefined
  const operation = operationLabel(context, entity, change.action)
  const by = change.by === null ? '' : await namedAs(context, db, userEntity, change.by)
  return by === '' ? fill(texts.changedBySystem, { operation }) : fill(texts.changed, { by, operation })
}

async function usedBy(context: Context, db: Db, keeping: Keeping, { going }: Undoing): Promise<Label | undefined> {
  const using = await firstReferring(context, db, keeping, going)
  if (!using) return undefined
  const { entity, id } = using
  if (!may(context.user, entity.permissions.view)) return texts.usedByOther
  const name = (await sees(context, db, entity, id)) ? await namedAs(context, db, entity.name, id) : ''
  return fill(texts.used, { label: entity.label, name: name && ` ${name}` })
}

async function namedAs(context: Context, db: Db, entity: string, id: number): Promise<string> {
  if (!context.derived.catalog.entities[entity]) return ''
  const names = await readReferences(context, db, new Map([[entity, new Set([id])]]))
  return String(names.get(entity)?.get(id)?.name ?? '')
}
