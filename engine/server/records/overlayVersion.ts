import { sql } from 'kysely'
import type { Entity } from '../../model/model.ts'
import { dictionaryItemEntity, menuEntity } from '../identity/identity.ts'
import type { Db } from '../runtime.ts'

/** Whether all requests, in every process, must see a change of its records at once. */
const isWatched = ({ single, name }: Entity): boolean =>
  single === true || name === dictionaryItemEntity || name === menuEntity

/** In the transaction of a write: every request after its commit rereads the administrators' settings. */
export async function noteChange(db: Db, entity: Entity): Promise<void> {
  if (isWatched(entity)) await sql`update system_overlay set version = version + 1`.execute(db)
}

export async function overlayVersion(db: Db): Promise<number> {
  const {
    rows: [{ version }],
  } = await sql<{ version: number }>`select version from system_overlay`.execute(db)
  return version
}
