import type { Entity, Label, Limit } from '../../model/model.ts'
import type { Condition } from '../identity/scope.ts'
import { sql } from 'kysely'
import { permissionsTo } from '../derived.ts'
import { asAsked, may, systemUser } from '../identity/access.ts'
import { isTried } from './maskedTries.ts'
import { fieldsIn, filledFrom } from './reading/filledFrom.ts'
import { main } from './reading/columnOf.ts'
import { readStored } from './reading/read.ts'
import { visibleConditions } from './reading/visibleConditions.ts'
import { resolveReferences } from './reading/references.ts'
import { naming } from './reading/storedMessages.ts'
import type { Work } from './Work.ts'

/**
 * The message of an exceeded limit, which names the records that stand in the way as far as the user who asked may see
 * them, but no record identified by a value that is masked for them, because that would confirm a guess. The system is
 * told no names, because its reasons are sent to several users and logged for more.
 */
export async function limitMessage(
  { context: acting, db }: Work,
  entity: Entity,
  { message, max, within }: Limit,
  inTheWay: Condition,
): Promise<Label> {
  const fields = fieldsIn(message)
  if (fields.length === 0) return message
  const context = asAsked(acting)
  const isSeen =
    context.user.id !== systemUser.id &&
    permissionsTo(entity, 'view').some((permission) => may(context.user, permission))
  if (!isSeen || within.some((name) => isTried(context, entity, entity.fields[name])))
    return withoutColon(filledFrom(context, entity, message, []))
  const conditions = [...visibleConditions(context, entity), inTheWay]
  const stored = await readStored(context, db, entity, conditions, {
    fields: ['id', ...fields],
    limit: max,
    order: sql.ref(`${main}.id`),
  })
  const filled = filledFrom(context, entity, message, await resolveReferences(context, db, entity, stored))
  if (stored.length === 0) return withoutColon(filled)
  return naming(
    filled,
    stored.map(({ id }) => ({ entity: entity.name, id: id!, own: true })),
  )
}

const withoutColon = (text: Label): Label =>
  Object.fromEntries(Object.entries(text).map(([language, words]) => [language, words.replace(/[\s:：]+$/, '')]))
