import { sql } from 'kysely'
import type { Entity } from '../../model/model.ts'
import { invalid } from '../errors.ts'
import { declaredConditions } from './reading/filters.ts'
import { main } from './reading/columnOf.ts'
import { allOf } from './reading/visibleConditions.ts'
import type { Context, Tried } from '../runtime.ts'
import { type Condition, tableOf } from '../identity/scope.ts'
import { byEntity, type Change } from './Change.ts'
import { byName } from './lockTogether.ts'
import { isTried, noteTries } from './maskedTries.ts'
import { isEqual } from './reading/canonical.ts'
import { limitMessage } from './limitMessage.ts'
import type { Work } from './Work.ts'

/**
 * Checks, after a write and within its transaction, whether a record exceeds a limit. Other writers wait for the end of
 * this transaction, so that two at once cannot both take the last place. @throws Refusal invalid.
 */
export async function keepLimits(work: Work, changes: readonly Pick<Change, 'entity' | 'record' | 'old'>[]) {
  const { context, db } = work
  const groups = [...byEntity(changes)].toSorted(([a], [b]) => byName(a, b))
  for (const [entity, group] of groups) {
    const ids = group.map(({ record }) => record.id!)
    for (const limit of entity.limits) {
      const { where, max, within, period, at } = limit
      const matching = allOf([
        sql<boolean>`${sql.ref(`${main}.deletedAt`)} is null`,
        ...declaredConditions(context, entity, main, where),
      ])
      const table = sql`${tableOf(context, entity)} as ${sql.ref(main)}`
      const isEmpty = within.map((name) => sql`${sql.ref(`${main}.${name}`)} is null`)
      const { rows: own } =
        await sql<Own>`select ${sql.ref(`${main}.id`)} as id, array[${sql.join(isEmpty)}]::boolean[] as empty
        from ${table} where ${sql.ref(`${main}.id`)} = any(${ids}::bigint[]) and ${matching}`.execute(db)
      if (own.length === 0) continue
      await sql`select pg_advisory_xact_lock(hashtext(${`limit ${entity.name}.${at}`}))`.execute(db)
      await noteTries(context, db, triedIn(context, entity, within, group))
      for (const { empty, ids: alike } of byEmptyFields(own)) {
        const met = allOf([
          ...within.map((name, index) => sameAs(context, entity, name, empty[index])),
          ...(period ? [meets(period)] : []),
        ])
        // One lookup for each record, so that it uses an index however many records there are.
        const { rows: broken } = await sql<{ id: number }>`select own.id from ${tableOf(context, entity)} as own
          cross join lateral (select 1 from ${table} where ${matching} and ${met} limit 1 offset ${max}) as further
          where own.id = any(${alike}::bigint[])`.execute(db)
        if (broken.length === 0) continue
        // Records written by the same act do not exist for the user yet.
        const inTheWay = sql<boolean>`${matching} and ${sql.ref(`${main}.id`)} <> all(${ids}::bigint[]) and exists (
          select from ${tableOf(context, entity)} as own where own.id = ${broken[0].id} and ${met})`
        throw invalid([{ field: at, code: 'limit', message: await limitMessage(work, entity, limit, inTheWay) }])
      }
    }
  }
}

interface Own {
  id: number
  /** Which of the fields that records are limited by are empty. */
  empty: boolean[]
}

/** Grouped by which fields are empty, because no index serves "is not distinct from". */
function byEmptyFields(own: readonly Own[]): { empty: boolean[]; ids: number[] }[] {
  const groups = new Map<string, { empty: boolean[]; ids: number[] }>()
  for (const { id, empty } of own) {
    const group = groups.get(empty.join()) ?? { empty, ids: [] }
    groups.set(empty.join(), group)
    group.ids.push(id)
  }
  return [...groups.values()]
}

/** Changes of these fields that the user only sees masked. */
const triedIn = (
  context: Context,
  entity: Entity,
  within: readonly string[],
  changes: readonly Pick<Change, 'record' | 'old'>[],
): Tried[] => {
  const masked = within.map((name) => entity.fields[name]).filter((field) => isTried(context, entity, field))
  return changes.flatMap(({ record, old }) => {
    const fields = new Set(masked.filter(({ name }) => !isEqual(record[name], old?.[name])))
    return fields.size > 0 ? [{ entity, fields, id: old?.id ?? 0 }] : []
  })
}

const both = (name: string) => [sql.ref(`${main}.${name}`), sql.ref(`own.${name}`)] as const

function sameAs(context: Context, entity: Entity, name: string, isEmpty: boolean): Condition {
  const [theirs, own] = both(name)
  if (context.derived.columns[entity.name][name].endsWith('[]')) return sql<boolean>`${theirs} && ${own}`
  return isEmpty ? sql<boolean>`${theirs} is null` : sql<boolean>`${theirs} = ${own}`
}

/** Both ends are inclusive; a period without an end is open. */
function meets({ from, to }: { from: string; to: string }): Condition {
  const [[theirStart, start], [theirEnd, end]] = [both(from), both(to)]
  return sql<boolean>`(${theirStart} <= coalesce(${end}, 'infinity') and ${start} <= coalesce(${theirEnd}, 'infinity'))`
}
