import type { Conflict, Entity, RecordData, Value } from '../../model/model.ts'
import { Refusal } from '../errors.ts'
import { seesWhole } from '../identity/access.ts'
import { changedSince } from './history.ts'
import { userEntity } from '../identity/identity.ts'
import { present } from './reading/read.ts'
import { readReferences } from './reading/references.ts'
import type { Context, Db } from '../runtime.ts'
import { isEqual } from './reading/canonical.ts'

/**
 * Checks a save based on an older revision. Others' changes to fields that this save does not touch merge by
 * themselves, because only touched fields are sent.
 * @param given the fields that this save touches, and would change now
 * @throws Refusal `stale` with both sides of the fields that both touch
 */
export async function againstStale(
  context: Context,
  db: Db,
  entity: Entity,
  revision: number,
  current: RecordData,
  wanted: RecordData,
  given: readonly string[],
): Promise<void> {
  const steps = { id: current.id!, revision, current: current.revision! }
  const since = revision < current.revision! ? await changedSince(context, db, entity, steps) : undefined
  if (!since) throw new Refusal('stale')
  const isSame = (name: string) =>
    seesWhole(context, entity, entity.fields[name]) && isEqual(wanted[name], current[name])
  const both = given.filter((name) => Object.hasOwn(since.fields, name) && !isSame(name))
  if (both.length === 0) return

  const pick = (record: RecordData): RecordData => Object.fromEntries(both.map((name) => [name, record[name] ?? null]))
  const [base, theirs, mine] = await present(
    context,
    db,
    entity,
    [pick(since.fields), pick(current), pick(wanted)].map((side) => clear(context, entity, side)),
  )
  const names = await readReferences(
    context,
    db,
    new Map(context.derived.catalog.entities[userEntity] && since.by ? [[userEntity, new Set([since.by])]] : []),
  )
  const conflict: Conflict = {
    revision: current.revision!,
    fields: Object.fromEntries(
      both.map((name) => [name, { base: side(base, name), theirs: side(theirs, name), mine: side(mine, name) }]),
    ),
    by: since.by === null ? '' : (names.get(userEntity)?.get(since.by)?.name ?? ''),
    at: since.at,
  }
  throw new Refusal('stale', { conflict })
}

const side = (record: RecordData, name: string): Value => record[name] ?? null

/** Secrets are not shown, old or new. */
const clear = (context: Context, entity: Entity, record: RecordData): RecordData =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      context.derived.widget(entity.fields[name]).protect ? null : value,
    ]),
  )
