/**
 * Unique values that a user only sees masked: a save must reveal whether such a value is taken, because otherwise there
 * would be duplicates. It is revealed only to users who are about to create a record with it, and only a limited number
 * of times.
 */
import { sql } from 'kysely'
import type { Entity, Field, Label } from '../../model/model.ts'
import { fill, listed, Refusal } from '../errors.ts'
import { seesWhole } from '../identity/access.ts'
import type { Context, Db, Tried } from '../runtime.ts'
import { logOperation } from './logOperation.ts'

export const isTried = (context: Context, entity: Entity, field: Field): boolean => !seesWhole(context, entity, field)

/** Per hour: refused saves with such values, and records whose values were changed. */
const mostTries = 20
/** Per hour: records created with such values. Nobody types more. */
const mostMade = 200

/**
 * Logs that such values are about to be compared with those of all records. A user's tries run in sequence, so that
 * each counts the outcome of the others. Rows of a file are not counted, because they stay attributed to the uploader.
 * @throws Refusal tooManyRequests.
 */
export async function noteTries(context: Context, db: Db, tried: readonly Tried[]): Promise<void> {
  const { work, user } = context
  if (!work || work.batch || tried.length === 0) return
  if (!work.tries) {
    await sql`select pg_advisory_lock(${keyOf(context)})`.execute(db)
    work.tries = { made: [], lost: [] }
  }
  const names = tried.flatMap(({ fields }) => [...fields].map(({ name }) => name))
  const ofThese = sql`entity = any(${tried.map(({ entity }) => entity.name)}::text[]) and changes->'fields' ?| ${names}::text[]`
  const {
    rows: [{ tries, made }],
  } = await sql<{ tries: number; made: number }>`
    select count(*) filter (where action = ${triedAction} and changes->>'result' = 'denied'
        or ${ofThese} and (changes->>'from')::integer > 0)::integer as tries,
      count(*) filter (where ${ofThese} and (changes->>'from')::integer = 0)::integer as made
    from system_history where user_id = ${user.id} and at > ${context.now}::timestamp - interval '1 hour'`.execute(db)
  const { lost, made: kept } = work.tries
  const isNew = ({ id }: Tried) => id === 0
  if (tries + lost.length >= mostTries || (tried.some(isNew) && made + kept.filter(isNew).length >= mostMade))
    throw new Refusal('tooManyRequests')
  kept.push(...tried)
}

const triedAction = 'viewSensitive'
const notSaved: Label = { cn: '未保存：{labels}', en: 'Not saved: {labels}' }

const keyOf = ({ user }: Context) => sql`hashtextextended('tries', ${user.id})`
const release = (context: Context, db: Db) => sql`select pg_advisory_unlock(${keyOf(context)})`.execute(db)
/** The transaction holds the lock, too, until others see its outcome. */
const holdToTheEnd = (context: Context, db: Db) => sql`select pg_advisory_xact_lock(${keyOf(context)})`.execute(db)

/** Tries in a part of a work that is rolled back, from this index on, do not count as written. */
export function loseTries({ work }: Context, from: number): void {
  work?.tries?.lost.push(...work.tries.made.splice(from))
}

/** At the end of a committed work: logs values that were tried but not written. */
export async function logTries(context: Context, db: Db): Promise<void> {
  const { work } = context
  if (!work?.tries) return
  for (const { entity, fields, id } of work.tries.lost) {
    const message = fill(notSaved, { labels: listed([...fields].map(({ label }) => label)) })
    await logOperation(context, entity, triedAction, { id, result: 'denied', message }, { db })
  }
  // Not earlier: a part that is rolled back would release it.
  await holdToTheEnd(context, db)
  await release(context, db)
  delete work.tries
}

/**
 * The same in place of a failed work: only this is committed, and the same user's other tries wait.
 * @param isRepeated the work is retried, so nothing was revealed yet
 */
export async function logTriesAlone(context: Context, db: Db, isRepeated: boolean): Promise<void> {
  if (!context.work?.tries) return
  await sql`rollback and chain`.execute(db)
  if (isRepeated) context.work.tries = { made: [], lost: [] }
  loseTries(context, 0)
  try {
    await logTries(context, db)
  } catch (error) {
    // The connection returns to the pool, so it must release the lock.
    await sql`rollback and chain`.execute(db)
    await release(context, db)
    throw error
  }
}
