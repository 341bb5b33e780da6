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

/**
 * Notes that such values are about to be compared with those of all records. The rows of a file are not counted: they
 * stay with the name of whoever uploaded it.
 * @throws Refusal tooManyRequests.
 */
export async function noteTries(context: Context, db: Db, tried: readonly Tried[]): Promise<void> {
  const { work, user } = context
  if (!work || work.batch || tried.length === 0) return
  const names = tried.flatMap(({ fields }) => [...fields].map(({ name }) => name))
  const { rows } =
    await sql`select 1 from system_history where user_id = ${user.id} and at > ${context.now}::timestamp - interval '1 hour'
    and (action = ${triedAction} and changes->>'result' = 'denied' or entity = any(${tried.map(({ entity }) => entity.name)}::text[])
      and (changes->>'from')::integer > 0 and changes->'fields' ?| ${names}::text[])
    limit ${mostTries}`.execute(db)
  if (rows.length === mostTries) throw new Refusal('tooManyRequests')
  work.tried = [...(work.tried ?? []), ...tried]
}

const triedAction = 'viewSensitive'
const notSaved: Label = { cn: '未保存：{labels}', en: 'Not saved: {labels}' }

/** Of values that were tried and not written the log tells, in place of the record that there would be. */
export async function tellTries(context: Context, db: Db = context.runtime.database.kysely): Promise<void> {
  const { work } = context
  for (const { entity, fields, id } of work?.tried ?? []) {
    const message = fill(notSaved, { labels: listed([...fields].map(({ label }) => label)) })
    await logOperation(context, entity, triedAction, { id, result: 'denied', message }, { db })
  }
  delete work?.tried
}
