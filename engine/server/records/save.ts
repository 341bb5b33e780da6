import { sql } from 'kysely'
import { checkRecord } from '../../schema/verdict.ts'
import type { Entity, FieldProblem, RecordData, SaveRequest, SaveResult, Value } from '../../schema/model.ts'
import { demand } from '../access.ts'
import { accept, type Accepted, verdictContext } from '../accept.ts'
import { invalid, Refusal } from '../errors.ts'
import { copied, lookUp } from '../lookups.ts'
import { main, readStored, seesEvery, visibleConditions } from '../read.ts'
import type { Context, Db } from '../runtime.ts'
import { tableOf } from '../scope.ts'
import { canonicalRecord, changedFields } from '../stored.ts'
import { verify, withoutHidden } from '../verify.ts'
import { isMaskOf } from '../words.ts'
import { apply } from './apply.ts'
import type { Change } from './Change.ts'
import { applyEvents, isTrue, recompute, scopeOf } from './effects.ts'
import { verifySeen } from './seen.ts'
import { againstStale } from './stale.ts'
import type { Work } from './Work.ts'

/** Saves that come from elsewhere than a form, such as demo data, may set fields that no client may. */
export interface SaveOptions {
  /** Fields that the system sets, such as how a record was registered. */
  set?: Record<string, Value>
}

/** @throws Refusal permission, notAllowed, invalid. */
export async function createRecord(
  work: Work,
  entity: Entity,
  values: SaveRequest['values'],
  options: SaveOptions = {},
): Promise<SaveResult> {
  const { context, db } = work
  demand(context.user, entity.permissions.create)
  const { record, problems } = await accepted(context, db, entity, values, null)
  setSystemFields(context, entity, record, options)
  recompute(context, entity, record)
  if (!allows(context, entity, 'create', record)) throw new Refusal('notAllowed')
  const found = [...problems, ...(await problemsOf(context, db, entity, record, null, problems))]
  if (found.length > 0) throw invalid(found)

  await apply(work, [savedChange(context, entity, record, null)])
  return { id: record.id!, revision: record.revision! }
}

/** @throws Refusal permission, unknownRecord, outOfScope, notAllowed, stale (with the conflict), invalid. */
export async function updateRecordOf(
  work: Work,
  entity: Entity,
  request: SaveRequest,
  options: SaveOptions = {},
): Promise<SaveResult> {
  const { context, db } = work
  demand(context.user, entity.permissions.update)
  if (request.id === undefined || request.revision === undefined)
    throw new Refusal('request', { parameters: { detail: 'id, revision' } })
  const old = await lockRecord(context, db, entity, request.id)
  if (!allows(context, entity, 'update', old)) throw new Refusal('notAllowed')
  const { record, given, problems } = await accepted(context, db, entity, request.values, old)
  if (request.revision !== old.revision) await againstStale(context, db, entity, request.revision, old, record, given)
  setSystemFields(context, entity, record, options)
  recompute(context, entity, record)
  const found = [...problems, ...(await problemsOf(context, db, entity, record, old, problems))]
  if (found.length > 0) throw invalid(found)

  const plain = new Set(given.filter((name) => context.derived.widget(entity.fields[name]).protect))
  const change = savedChange(context, entity, record, old, plain)
  // A save may have to do something though nothing was changed: to be submitted again, for one.
  const isNothing = change.changed.length === 0 && plain.size === 0 && change.effects.length === 0
  if (!isNothing) await apply(work, [change])
  return { id: record.id!, revision: record.revision! }
}

/**
 * The change that a save makes: the valid record, the old one if there is one, and what the entity's `saves` set.
 * @param action its name in the history: `create` or `update` by default
 */
export function savedChange(
  context: Context,
  entity: Entity,
  record: RecordData,
  old: RecordData | null,
  plain?: ReadonlySet<string>,
  action?: string,
): Change {
  const on = old ? 'update' : 'create'
  const all = changedFields(entity, old, record)
  const changed = old ? all.filter((name) => entity.fields[name].computed === undefined) : all
  const effects = applyEvents(context, entity, on, { record, old, changed })
  recompute(context, entity, record)
  return { entity, record, old, action: action ?? on, effects, changed, plain }
}

/** Taken over with what is looked up of the records that it then refers to, those of its defaults too. */
export async function accepted(
  context: Context,
  db: Db,
  entity: Entity,
  values: SaveRequest['values'],
  old: RecordData | null,
): Promise<Accepted> {
  const [copies] = old ? [{}] : await copied(context, db, entity, [values])
  // A user who was shown a masked copy sends the mask back.
  const masks = Object.keys(copies).filter((name) =>
    isMaskOf(context, entity, entity.fields[name], values[name], copies[name]),
  )
  const sent = { ...copies, ...Object.fromEntries(Object.entries(values).filter(([name]) => !masks.includes(name))) }
  // A record that the user may not see is treated like a missing one: nothing is looked up through it.
  const known = (record: RecordData) => withoutHidden(context, db, entity, record, old)
  const [lookups] = await lookUp(context, db, entity, [await known(sent)])
  const result = accept(context, entity, sent, old, lookups)
  // Records may be found by what a formula makes of the others.
  recompute(context, entity, result.record)
  Object.assign(result.record, (await lookUp(context, db, entity, [await known(result.record)]))[0])
  return result
}

/**
 * The stored record, canonical, with its rows, locked until the transaction ends.
 * @throws Refusal unknownRecord, outOfScope; stale, staleRecords where the user was shown another revision.
 */
export async function lockRecord(context: Context, db: Db, entity: Entity, id: number): Promise<RecordData> {
  // Who had to wait for the lock sees in the same statement the record as it is now, but other records as they were
  // before the wait.
  if (readsOthers(entity)) await sql`select 1 from ${tableOf(context, entity)} where id = ${id} for update`.execute(db)
  const [record] = await readStored(
    context,
    db,
    entity,
    [sql<boolean>`${sql.ref(`${main}.id`)} = ${id}`, ...visibleConditions(context, entity)],
    { lock: true, rows: true },
  )
  if (!record) refuseMissing(context, entity)
  verifySeen(context, entity, [record])
  return canonicalRecord(context, entity, record)
}

const readsOthers = ({ fields }: Entity): boolean =>
  Object.values(fields).some(({ computed }) => computed !== undefined && computed.kind !== 'formula')

/**
 * Deleted, never there, or outside the user's scope: users who do not see all records get the same answer for each, so
 * that nobody can find out which ids exist.
 */
export function refuseMissing(context: Context, entity: Entity): never {
  throw new Refusal(seesEvery(context, entity) ? 'unknownRecord' : 'outOfScope')
}

export function allows(
  context: Context,
  entity: Entity,
  operation: keyof Entity['allow'],
  record: RecordData,
): boolean {
  const rule = entity.allow[operation]
  return typeof rule === 'boolean' ? rule : isTrue(context, entity, rule, scopeOf(context, entity, record, null))
}

/**
 * What the shared verdict finds, and what only the database knows; a field that is in the wrong already is not asked
 * about again.
 */
export async function problemsOf(
  context: Context,
  db: Db,
  entity: Entity,
  record: RecordData,
  old: RecordData | null,
  already: FieldProblem[],
  fields?: readonly string[],
): Promise<FieldProblem[]> {
  const changed = changedFields(entity, old, record)
  const refused = new Set(already.map((one) => one.field))
  const judged = checkRecord(entity, record, verdictContext(context, old, { changed, fields })).filter(
    (one) => !refused.has(one.field),
  )
  const wrong = new Set([...refused, ...judged.map((one) => one.field)])
  // A value of the wrong shape would be an error in SQL, not an answer.
  if ([...wrong].some((path) => changed.includes(path.split('.')[0]))) {
    const sound = changed.filter((name) => ![...wrong].some((path) => path.split('.')[0] === name))
    return [
      ...judged,
      ...(await verify(
        context,
        db,
        entity,
        record,
        old,
        fields ? sound.filter((name) => fields.includes(name)) : sound,
      )),
    ]
  }
  return [...judged, ...(await verify(context, db, entity, record, old, fields))]
}

function setSystemFields(context: Context, entity: Entity, record: RecordData, { set }: SaveOptions): void {
  if (set) Object.assign(record, canonicalRecord(context, entity, set))
}
