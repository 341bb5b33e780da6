import type { Entity } from '../../model/model.ts'
import { enabled, userEntity, userFields } from '../identity/identity.ts'
import { closeSessionsOf } from '../identity/session.ts'
import type { Db } from '../runtime.ts'
import type { WrittenPair } from './refuseEscalation.ts'

/** In the transaction of the write, because a session that outlasts it would be valid again once the user is. */
export async function endSessions(db: Db, entity: Entity, ids: readonly number[]): Promise<void> {
  if (entity.name === userEntity && ids.length > 0) await closeSessionsOf(db, ids)
}

/** Ends the sessions of those users among the written records who may not sign in. */
export const endSessionsOfDisabled = (db: Db, entity: Entity, written: readonly WrittenPair[]): Promise<void> =>
  endSessions(
    db,
    entity,
    written.flatMap(({ record, old }) => ({ ...old, ...record })[userFields.status] === enabled ? [] : [record.id!]),
  )
