/**
 * Values that nobody else may have, and that a user sees only masked: who saves one is told if it is taken, as there
 * would be duplicates otherwise. It is told to none but who would make the record with it, and only so often.
 */
import { sql } from 'kysely'
import type { Entity, Field, Label } from '../../model/model.ts'
import { fill, listed, Refusal } from '../errors.ts'
import { seesWhole } from '../identity/access.ts'
import type { Context, Db, Tried } from '../runtime.ts'
import { logOperation } from './logOperation.ts'

export const isTried = (context: Context, entity: Entity, field: Field): boolean => !seesWhole(context, entity, field)

/** Within an hour: refused saves with such values, and records whose values were changed. */
const mostTries = 20
/** Within an hour: records that were made with such values. Nobody types more. */
const mostMade = 200

/**
 * Notes that such values are about to be compared with those of all records. What a user tries is tried one after the
 * other, so that each counts what the others came to. The rows of a file are not counted: they stay with the name of
 * whoever uploaded it.
 * @throws Refusal tooManyRequests.
 */
export async function noteTries(context: Context, db: Db, tried: readonly Tried[]): Promise<void> {
  const { work, user } = context
  if (!work || work.batch || tried.length === 0) return
  if (!work.tries) {
    await sql`select pg_advisory_lock(${keyOf(context)})`.execute(db)
    work.tries = { made: [], lost: [] }
    await holdToTheEnd(context, db)
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
const holdToTheEnd = (context: Context, db: Db) => sql`select pg_advisory_xact_lock(${keyOf(context)})`.execute(db)

/** What was compared in a part of a work that is rolled back, from this place on, was tried for nothing. */
export function loseTries({ work }: Context, from: number): void {
  work?.tries?.lost.push(...work.tries.made.splice(from))
}

/** At the end of a work that is kept: of values that were tried and not written the log tells. */
export async function tellTries(context: Context, db: Db): Promise<void> {
  const { work } = context
  if (!work?.tries) return
  for (const { entity, fields, id } of work.tries.lost) {
    const message = fill(notSaved, { labels: listed([...fields].map(({ label }) => label)) })
    await logOperation(context, entity, triedAction, { id, result: 'denied', message }, { db })
  }
  // From here on the transaction holds it, until others see what it came to.
  await release(context, db)
  delete work.tries
}

/**
 * The same instead of a work that failed: all is rolled back but this, and nobody else's tries are counted meanwhile.
 * @param isRepeated it begins again, so nothing was told yet
 */
export async function tellTriesAlone(context: Context, db: Db, isRepeated: boolean): Promise<void> {
  if (!context.work?.tries) return
  await sql`rollback and chain`.execute(db)
  if (isRepeated) context.work.tries = { made: [], lost: [] }
  loseTries(context, 0)
  await holdToTheEnd(context, db)
  try {
    await tellTries(context, db)
  } catch (error) {
    // The connection goes back to the others: it must not go on holding the lock.
    await sql`rollback and chain`.execute(db)
    await release(context, db)
    throw error
  }
}
