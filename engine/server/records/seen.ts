import type { CallRequest, Entity, RecordData } from '../../model/model.ts'
import { Refusal } from '../errors.ts'
import type { Context } from '../runtime.ts'
import { textSeen } from './reading/words.ts'

const keyOf = (entity: string, id: number) => `${entity} ${id}`

/** Takes the revisions that the request's user saw. */
export function seeing(
  context: Context,
  { name }: Entity,
  { id, revision, seen = {} }: Pick<CallRequest, 'id' | 'revision' | 'seen'>,
): Context {
  const revisions = new Map<string, number>()
  for (const [entity, records] of Object.entries(seen))
    for (const [recordId, shown] of Object.entries(records)) revisions.set(keyOf(entity, Number(recordId)), shown)
  if (id !== undefined && revision !== undefined) revisions.set(keyOf(name, id), revision)
  return revisions.size > 0 ? { ...context, seen: { entity: name, revisions } } : context
}

function isStale({ seen }: Context, entity: Entity, { id, revision }: RecordData): boolean {
  const shown = seen?.revisions.get(keyOf(entity.name, id!))
  return shown !== undefined && shown !== revision
}

const mostNamed = 20

/** Those that were changed since the user saw them. */
export const staleAmong = (context: Context, entity: Entity, records: readonly RecordData[]): RecordData[] =>
  records.filter((record) => isStale(context, entity, record))

/**
 * Refuses records that were changed since the user saw them, all of which they may see.
 * @throws Refusal stale; staleRecords, naming them, if there are several or they are not of the entity called.
 */
export function verifySeen(context: Context, entity: Entity, records: readonly RecordData[]): void {
  const stale = staleAmong(context, entity, records)
  if (stale.length > 0) refuseStale(context, entity, stale, records.length === 1)
}

/** @param visible those that the user may see @throws Refusal as `verifySeen`. */
export function refuseStale(context: Context, entity: Entity, visible: readonly RecordData[], isAlone: boolean): never {
  const ids = visible.map(({ id }) => id)
  const isCalled = isAlone && context.seen!.entity === entity.name
  if (isCalled || visible.length === 0) throw new Refusal('stale', { result: { ids } })
  const names = visible
    .slice(0, mostNamed)
    .map((record) => textSeen(context, entity, entity.fields[entity.display], record[entity.display] ?? null))
  const more = visible.length > mostNamed ? '…' : ''
  throw new Refusal('staleRecords', {
    parameters: { entity: entity.label, names: { cn: names.join('、') + more, en: names.join(', ') + more } },
    result: { ids },
  })
}

/** Updates the seen revisions after a write by this work. */
export function noteWritten({ seen }: Context, entity: string, written: readonly { id: number; revision: number }[]) {
  for (const { id, revision } of seen ? written : [])
    if (seen!.revisions.get(keyOf(entity, id)) === revision - 1) seen!.revisions.set(keyOf(entity, id), revision)
}

/** A copy for one work, so that a rollback leaves the original unchanged. */
export const copyOfSeen = ({ seen }: Context): Pick<Context, 'seen'> =>
  seen ? { seen: { ...seen, revisions: new Map(seen.revisions) } } : {}

export function takeSeen({ seen }: Context, written: Context): void {
  for (const [key, revision] of written.seen?.revisions ?? []) seen?.revisions.set(key, revision)
}
