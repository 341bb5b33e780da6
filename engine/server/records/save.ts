import { sql } from 'kysely'
import type { Entity, RecordData, SaveRequest, SaveResult, Value } from '../../model/model.ts'
import { demand, seesWhole } from '../identity/access.ts'
import { invalid, Refusal } from '../errors.ts'
import { main } from './reading/columnOf.ts'
import { readStored } from './reading/read.ts'
import { seesEvery, visibleConditions } from './reading/visibleConditions.ts'
import type { Context, Db } from '../runtime.ts'
import { tableOf } from '../identity/scope.ts'
import { canonicalRecord, changedFields } from './reading/canonical.ts'
import { apply } from './apply.ts'
import type { Change } from './Change.ts'
import { applyEvents, isTrue, recompute, scopeOf } from './effects.ts'
import { accepted, problemsOf } from './judge.ts'
import { verifySeen } from './seen.ts'
import { againstStale } from './stale.ts'
import { attemptWithin, type Work } from './Work.ts'

/** Saves that do not come from a form, such as demo data, may set fields that no client may. */
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
  const [made] = await createRecords(work, entity, [values], options)
  return made
}

/** Many at once. @throws Refusal permission, notAllowed, invalid: the first refusal. */
export async function createRecords(
  work: Work,
  entity: Entity,
  all: readonly SaveRequest['values'][],
  options: SaveOptions = {},
): Promise<SaveResult[]> {
  demand(work.context.user, entity.permissions.create)
  const drafts = await newRecords(work, entity, all, options)
  for (const { refusal } of drafts) if (refusal) throw refusal
  return writeNew(work, entity, drafts)
}

/**
 * Many, each of which may be refused by itself while the others are created. If effects refuse a group, smaller groups
 * are tried. @returns by index what was created, or its refusal @throws Refusal permission.
 */
export async function createEach(
  work: Work,
  entity: Entity,
  all: readonly SaveRequest['values'][],
  options: SaveOptions = {},
): Promise<(SaveResult | Refusal)[]> {
  demand(work.context.user, entity.permissions.create)
  const drafts = await newRecords(work, entity, all, options)
  const good = drafts.filter(({ refusal }) => !refusal)
  try {
    const made = await attemptWithin(work, () => writeNew(work, entity, good))
    return drafts.map((draft) => draft.refusal ?? made[good.indexOf(draft)])
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (all.length === 1) return [error]
  }
  const half = Math.ceil(all.length / 2)
  const first = await createEach(work, entity, all.slice(0, half), options)
  return [...first, ...(await createEach(work, entity, all.slice(half), options))]
}

interface NewRecord {
  record: RecordData
  refusal?: Refusal
}

/** New records as they would be saved, and their refusals. */
async function newRecords(
  { context, db }: Work,
  entity: Entity,
  all: readonly SaveRequest['values'][],
  options: SaveOptions,
): Promise<NewRecord[]> {
  const taken = await accepted(
    context,
    db,
    all.map((values) => ({ entity, values, old: null })),
  )
  for (const { record } of taken) {
    setSystemFields(context, entity, record, options)
    recompute(context, entity, record)
  }
  const judged = await problemsOf(
    context,
    db,
    taken.map(({ record, problems }) => ({ entity, record, old: null, already: problems })),
  )
  return taken.map(({ record, problems }, index) => {
    if (!allows(context, entity, 'create', record)) return { record, refusal: new Refusal('notAllowed') }
    const found = [...problems, ...judged[index]]
    return found.length > 0 ? { record, refusal: invalid(found) } : { record }
  })
}

async function writeNew(work: Work, entity: Entity, all: readonly NewRecord[]): Promise<SaveResult[]> {
  await apply(
    work,
    all.map(({ record }) => savedChange(work.context, entity, record, null)),
  )
  return all.map(({ record }) => ({ id: record.id!, revision: record.revision! }))
}

/** @throws Refusal permission, unknownRecord, outOfScope, notAllowed, stale (with the conflict), invalid. */
export async function updateRecordOf(
  work: Work,
  entity: Entity,
  request: SaveRequest,
  options: SaveOptions = {},
): Promise<SaveResult> {
  const [saved] = await updateRecordsOf(work, entity, [request], options)
  return saved
}

/** Several at once, none of them twice. @throws Refusal as `updateRecordOf`: the first refusal. */
export async function updateRecordsOf(
  work: Work,
  entity: Entity,
  requests: readonly SaveRequest[],
  options: SaveOptions = {},
): Promise<SaveResult[]> {
  const { context, db } = work
  demand(context.user, entity.permissions.update)
  const ids = requests.flatMap(({ id, revision }) => (id === undefined || revision === undefined ? [] : id))
  if (ids.length < requests.length) throw new Refusal('request', { parameters: { detail: 'id, revision' } })
  const stored = new Map((await lockRecords(context, db, entity, ids)).map((record) => [record.id!, record]))
  const olds = ids.map((id) => stored.get(id)!)
  if (!olds.every((old) => allows(context, entity, 'update', old))) throw new Refusal('notAllowed')
  const taken = await accepted(
    context,
    db,
    requests.map(({ values }, index) => ({ entity, values, old: olds[index] })),
  )
  for (const [index, { record, given }] of taken.entries()) {
    const [{ revision }, old] = [requests[index], olds[index]]
    if (revision !== old.revision) await againstStale(context, db, entity, revision!, old, record, given)
    setSystemFields(context, entity, record, options)
    recompute(context, entity, record)
  }
  const judged = await problemsOf(
    context,
    db,
    taken.map(({ record, problems }, index) => ({ entity, record, old: olds[index], already: problems })),
  )
  for (const [index, { problems }] of taken.entries()) {
    const found = [...problems, ...judged[index]]
    if (found.length > 0) throw invalid(found)
  }
  const changes = taken.map(({ record, given }, index) =>
    savedChange(context, entity, record, olds[index], unseenOf(context, entity, given)),
  )
  // A save may have effects though nothing was changed, such as resubmitting.
  const made = changes.filter(({ changed, plain, effects }) => changed.length + plain!.size + effects.length > 0)
  if (made.length > 0) await apply(work, made)
  return taken.map(({ record }) => ({ id: record.id!, revision: record.revision! }))
}

/** Fields that count as changed even if they look the same: secrets, and values that the user only sees masked. */
export const unseenOf = (context: Context, entity: Entity, given: readonly string[]): ReadonlySet<string> =>
  new Set(
    given.filter((name) => {
      const field = entity.fields[name]
      return context.derived.widget(field).protect !== undefined || !seesWhole(context, entity, field)
    }),
  )

/**
 * The change made by a save: the valid record, the old one if there is one, and what the entity's `saves` set.
 * @param action its name in history: `create` or `update` by default
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
  const all = [...new Set([...changedFields(entity, old, record), ...(plain ?? [])])]
  const changed = old ? all.filter((name) => entity.fields[name].computed === undefined) : all
  const effects = applyEvents(context, entity, on, { record, old, changed })
  recompute(context, entity, record)
  return { entity, record, old, action: action ?? on, effects, changed, plain }
}

/**
 * The stored record, canonical, with its rows, locked until the transaction ends.
 * @throws Refusal unknownRecord, outOfScope; stale, staleRecords if the user was shown another revision.
 */
export async function lockRecord(context: Context, db: Db, entity: Entity, id: number): Promise<RecordData> {
  const [record] = await lockRecords(context, db, entity, [id])
  return record
}

/**
 * Several, in id order, in which they are locked too, so that two calls on the same records cannot deadlock. @throws
 * Refusal as `lockRecord`; stale ones are all reported together.
 */
export async function lockRecords(
  context: Context,
  db: Db,
  entity: Entity,
  ids: readonly number[],
): Promise<RecordData[]> {
  if (ids.length === 0) return []
  // After a wait for the lock, the same statement sees the current record, but other records as they were before the
  // wait.
  if (readsOthers(entity))
    await sql`select 1 from ${tableOf(context, entity)} where id = any(${ids}::bigint[]) order by id for update`.execute(
      db,
    )
  const records = await readStored(
    context,
    db,
    entity,
    [sql<boolean>`${sql.ref(`${main}.id`)} = any(${ids}::bigint[])`, ...visibleConditions(context, entity)],
    { order: sql.ref(`${main}.id`), lock: true, rows: true },
  )
  if (records.length < new Set(ids).size) refuseMissing(context, entity)
  verifySeen(context, entity, records)
  return records.map((record) => canonicalRecord(context, entity, record))
}

const readsOthers = ({ fields }: Entity): boolean =>
  Object.values(fields).some(({ computed }) => computed !== undefined && computed.kind !== 'formula')

/**
 * Deleted, never existed, or outside the user's scope: users who do not see all records get the same answer for each,
 * so that nobody can find out which ids exist.
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

function setSystemFields(context: Context, entity: Entity, record: RecordData, { set }: SaveOptions): void {
  if (set) Object.assign(record, canonicalRecord(context, entity, set))
}
