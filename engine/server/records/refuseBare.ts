import type { CallRequest, Entity } from '../../model/model.ts'
import { Refusal } from '../errors.ts'
import type { Context } from '../runtime.ts'

/**
 * What would be done twice if it came twice says which time this is: by a key, or by the revision of each record that
 * it is about, which moves when it is done. @throws Refusal keyless, unseen.
 */
export function refuseBare({ request }: Context, entity: Entity, name: string, body: unknown): void {
  if (request || !entity.once?.includes(name)) return
  if (name === 'create') throw new Refusal('keyless')
  const { id, ids, revision, seen } = (body ?? {}) as CallRequest
  const isSeen = (one: number) => (one === id && revision !== undefined) || seen?.[entity.name]?.[one] !== undefined
  const about = ids ?? (id === undefined ? [] : [id])
  if (about.length === 0 || !about.every(isSeen)) throw new Refusal('unseen')
}
