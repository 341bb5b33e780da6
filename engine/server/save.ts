import { sql } from 'kysely'
import { checkRecord } from '../schema/verdict.ts'
import type { Entity, FieldProblem, RecordData, SaveEvent, SaveRequest, SaveResult, Value } from '../schema/model.ts'
import { demand } from './access.ts'
import { accept, type Accepted, verdictContext } from './accept.ts'
import { applySets, followUp, isTrue, recompute, scopeOf } from './effects.ts'
import { invalid, Refusal } from './errors.ts'
import { writeHistory } from './history.ts'
import { copied, lookUp } from './lookups.ts'
import { main, readStored, visibleConditions } from './read.ts'
import type { Context, Db } from './runtime.ts'
import { tableOf } from './scope.ts'
import { againstStale } from './stale.ts'
import { canonicalRecord, changedFields } from './stored.ts'
import { verify } from './verify.ts'
import { insertRecords, updateRecord } from './write.ts'

/**
 * How a record comes in: the API, and whoever else writes records (imports, procedures, demo data), which may skip what
 * is theirs.
 */
export interface SaveOptions {
  /** What history calls it: `create` or `update` by default. */
  action?: string
  /** Fields that the system sets and no client may: import's registration method, and the like. */
  set?: Record<string, Value>
}

/** @throws Refusal permission, notAllowed, invalid. */
export async function createRecord(
  context: Context,
  db: Db,
  entity: Entity,
  values: SaveRequest['values'],
  options: SaveOptions = {},
): Promise<SaveResult> {
  demand(context.user, entity.permissions.create)
  const { record, problems } = await accepted(context, db, entity, values, null)
  setSystemFields(context, entity, record, options)
  recompute(context, entity, record)
  if (!allows(context, entity, 'create', record)) throw new Refusal('notAllowed')
  const found = [...problems, ...(await problemsOf(context, db, entity, record, null, problems))]
  if (found.length > 0) throw invalid(found)

  const changed = changedFields(entity, null, record)
  const events = applyEvents(context, entity, 'create', record, null, changed)
  recompute(context, entity, record)
  await insertRecords(context, db, entity, [record])
  await finish(context, db, entity, events, record, null, changed)
  await writeHistory(context, db, entity, options.action ?? 'create', record, null)
  return { id: record.id!, revision: record.revision! }
}

/** @throws Refusal permission, unknownRecord, outOfScope, notAllowed, stale (with the conflict), invalid. */
export async function updateRecordOf(
  context: Context,
  db: Db,
  entity: Entity,
  request: SaveRequest,
  options: SaveOptions = {},
): Promise<SaveResult> {
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

  const changed = changedFields(entity, old, record).filter((name) => entity.fields[name].computed === undefined)
  const plain = new Set(given.filter((name) => context.derived.widget(entity.fields[name]).protect))
  const events = applyEvents(context, entity, 'update', record, old, changed)
  // A save may have to do something though nothing was changed: to be submitted again, for one.
  if (changed.length === 0 && plain.size === 0 && events.length === 0) return { id: old.id!, revision: old.revision! }
  recompute(context, entity, record)
  await updateRecord(context, db, entity, record, old, plain)
  await finish(context, db, entity, events, record, old, changed)
  await writeHistory(context, db, entity, options.action ?? 'update', record, old, plain)
  return { id: record.id!, revision: record.revision! }
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
  const sent = { ...copies, ...values }
  const [lookups] = await lookUp(context, db, entity, [sent])
  const result = accept(context, entity, sent, old, lookups)
  // Records may be found by what a formula makes of the others.
  recompute(context, entity, result.record)
  Object.assign(result.record, (await lookUp(context, db, entity, [result.record]))[0])
  return result
}

/**
 * The stored record, canonical, with its rows, locked until the transaction ends.
 * @throws Refusal unknownRecord, outOfScope.
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
  if (!record) await refuseMissing(context, db, entity, id)
  return canonicalRecord(context, entity, record)
}

const readsOthers = ({ fields }: Entity): boolean =>
  Object.values(fields).some(({ computed }) => computed !== undefined && computed.kind !== 'formula')

/** Deleted or never there, or there but not for this user. */
export async function refuseMissing(context: Context, db: Db, entity: Entity, id: number): Promise<never> {
  const { rows } =
    await sql`select 1 from ${tableOf(context, entity)} where id = ${id} and "deletedAt" is null`.execute(db)
  throw new Refusal(rows.length > 0 ? 'outOfScope' : 'unknownRecord')
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

/** All that match apply, in order. */
export function applyEvents(
  context: Context,
  entity: Entity,
  on: SaveEvent['on'],
  record: RecordData,
  old: RecordData | null,
  changed: string[],
): SaveEvent[] {
  return entity.saves.filter((event) => {
    const scope = scopeOf(context, entity, record, old, changed)
    if (event.on !== on || (event.changed && !event.changed.some((name) => changed.includes(name)))) return false
    if (!isTrue(context, entity, event.when, scope)) return false
    if (event.permission !== undefined) demand(context.user, event.permission)
    applySets(context, entity, event, record, scope)
    return true
  })
}

/** What follows the write itself. */
async function finish(
  context: Context,
  db: Db,
  entity: Entity,
  events: SaveEvent[],
  record: RecordData,
  old: RecordData | null,
  changed: string[],
) {
  await followUp(context, db, entity, events, scopeOf(context, entity, record, old, changed))
}
