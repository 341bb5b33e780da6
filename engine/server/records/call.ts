import { sql } from 'kysely'
import { textIn } from '../../model/language.ts'
import type {
  AskedField,
  CallRequest,
  CallResult,
  Entity,
  EntityAction,
  FieldProblem,
  PrepareResult,
  RecordData,
  Transition,
  Value,
} from '../../model/model.ts'
import { requiredProblem } from '../../expression/verdict.ts'
import { demand } from '../identity/access.ts'
import { deletedTogether } from './deletion.ts'
import { applyEvents, applySets, isTrue, recompute, scopeOf } from './effects.ts'
import { tellListed } from './logOperation.ts'
import { procedureOf } from './procedures.ts'
import { fill, invalid, problems as messages, Refusal } from '../errors.ts'
import { lookUp } from './reading/lookups.ts'
import { main, present, readStored, visibleConditions } from './reading/read.ts'
import type { CallPart, Context, Db, Cause } from '../runtime.ts'
import { allows, lockRecord, lockRecords, refuseMissing } from './save.ts'
import { canonicalRecord, changedFields, isEqual, isUnchanged, storedValue } from './reading/canonical.ts'
import { widgetContext } from './reading/words.ts'
import { onlyVisible } from './verify.ts'
import { apply } from './apply.ts'
import { drawnFrom, drawnLocks } from './draws.ts'
import { type Lock, lockTogether } from './lockTogether.ts'
import type { Change } from './Change.ts'
import { seeing, verifySeen } from './seen.ts'
import { withSentence } from './tally.ts'
import { valuesOfEach } from './valuesOfEach.ts'
import { filled, refuseBroken, transit } from './transit.ts'
import { inWork, type Work } from './Work.ts'

/** A call that handles one record after another. */
export interface OneByOne {
  cause: Cause
  act(work: Work, id: number, place: number): Promise<void>
}

/**
 * Handles each record in its own transaction, so that a refused record does not affect the others. A single one refuses
 * with its own answer.
 */
async function each(context: Context, request: CallRequest, { cause, act }: OneByOne): Promise<CallResult> {
  const ids = chosen(request)
  const failed: CallResult['failed'] = []
  const together: Context = { ...context, act: {} }
  for (const [place, id] of ids.entries()) {
    try {
      await inWork(together, { cause, part: String(id) }, (work) => act(work, id, place))
    } catch (error) {
      const isOfOne = error instanceof Refusal && !['repeated', 'underWay'].includes(error.code)
      if (!isOfOne || request.ids === undefined) throw error
      failed.push({ id, message: textIn(error.text, context.language) })
    }
  }
  return { succeeded: ids.length - failed.length, failed }
}

/** The most records that one call takes. */
const mostRecords = 1000

/** @throws Refusal request. */
export function chosen({ id, ids }: CallRequest): number[] {
  const all = [...new Set(ids ?? (id === undefined ? [] : [id]))]
  if (all.length === 0 || all.length > mostRecords)
    throw new Refusal('request', { parameters: { detail: `id, ids (1–${mostRecords})` } })
  return all
}

/** Empty if a screen offers the action without a record. @throws Refusal request. */
function chosenFor(context: Context, entity: Entity, { name }: EntityAction, request: CallRequest): number[] {
  const isAlone = request.id === undefined && request.ids === undefined
  return isAlone && context.derived.alone.has(`${entity.endpoint}/${name}`) ? [] : chosen(request)
}

/** The transition or action of this name. */
export const calledOf = (entity: Entity, name: string): Transition | EntityAction =>
  entity.states.map(({ transitions }) => transitions[name]).find(Boolean) ?? entity.actions[name]

/** How a transition, an action or `delete` handles one record; undefined if a procedure gets all records at once. */
export function oneByOne(entity: Entity, name: string, request: CallRequest): OneByOne | undefined {
  if (name === 'delete') return { cause: 'delete', act: (work, id) => remove(work, entity, id) }
  const called = calledOf(entity, name)
  if ('to' in called) {
    const values = valuesOfEach(entity, called.form, chosen(request).length, request.values)
    const act = (work: Work, id: number, place: number) => transit(work, entity, called, { id, values: values[place] })
    return { cause: `transition:${name}`, act }
  }
  if (runsOnAll(called)) return undefined
  return {
    cause: `action:${name}`,
    act: (work, id) => actOn(work, entity, called, { id, values: request.values }),
  }
}

/** The permission that a call takes. */
export const permissionOf = (entity: Entity, name: string): string =>
  name === 'delete' ? entity.permissions.delete : calledOf(entity, name).permission

/**
 * A transition, an action or `delete`.
 * @throws Refusal permission, and for a single record unknownRecord, outOfScope, notAllowed, stale, invalid; for a
 * deletion inUse.
 */
export async function callOperation(
  context: Context,
  entity: Entity,
  name: string,
  request: CallRequest,
): Promise<CallResult> {
  demand(context.user, permissionOf(entity, name))
  const seen = seeing(context, entity, request)
  const apart = oneByOne(entity, name, request)
  if (apart) return each(seen, request, apart)
  return inWork(seen, { cause: `action:${name}` }, (work) => callAtOnce(work, entity, name, request))
}

/** On all records at once, within the current work. @throws Refusal, except permission. */
export const callAtOnce = (work: Work, entity: Entity, name: string, request: CallRequest): Promise<CallResult> =>
  runProcedure(work, entity, entity.actions[name] as EntityAction & { run: string }, request)

/** An action may both set fields and run a procedure, which then gets the records as written. */
const runsOnAll = (action: EntityAction): action is EntityAction & { run: string } =>
  action.run !== undefined && !action.update

/**
 * Carries out a transition or an action on all records within the current work; if one is refused, all are.
 * @throws Refusal as `callOperation`, except permission.
 */
export async function perform(
  work: Work,
  entity: Entity,
  called: Transition | EntityAction,
  request: CallRequest,
): Promise<CallResult> {
  if (!('to' in called) && runsOnAll(called)) return runProcedure(work, entity, called, request)
  const ids = chosen(request)
  await lockRecords(work.context, work.db, entity, ids)
  for (const id of ids) {
    if ('to' in called) await transit(work, entity, called, { id, values: request.values })
    else await actOn(work, entity, called, { id, values: request.values })
  }
  return { succeeded: ids.length, failed: [] }
}

function check({ context }: Work, entity: Entity, action: EntityAction, record: RecordData): void {
  if (!isTrue(context, entity, action.when, scopeOf(context, entity, record, record))) throw new Refusal('notAllowed')
  refuseBroken(context, entity, action.guards, record)
}

/** An action that sets fields, on one record. */
async function actOn(
  work: Work,
  entity: Entity,
  action: EntityAction,
  request: { id: number; values?: Record<string, Value> },
): Promise<void> {
  const { context, db } = work
  const asked: AskedField[] = [
    ...action.form,
    ...(action.update ?? [])
      .filter((name) => !action.form.some(({ field }) => field === name))
      .map((field) => ({ field, required: false })),
  ]
  // Fields left empty are unchanged.
  const values = Object.fromEntries(
    Object.entries(request.values ?? {}).filter(
      ([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  )
  const old = await lockRecord(context, db, entity, request.id)
  check(work, entity, action, old)
  const [record] = await filled(work, entity, asked, [{ old, values }])
  const changed = changedFields(entity, old, record)
  applySets(context, entity, action, record, scopeOf(context, entity, record, old, changed))
  recompute(context, entity, record)
  const goesFurther = action.append.length + action.updates.length + action.notify.length > 0
  if (isUnchanged(entity, old, record) && !goesFurther) return
  await apply(work, [{ entity, record, old, action: action.name, effects: [action], changed }])
}

/**
 * The initial values of an action's dialog, for users who may run it.
 * @throws Refusal permission, unknownRecord, outOfScope, stale, staleRecords, notAllowed.
 */
export async function prepareAction(
  context: Context,
  entity: Entity,
  action: EntityAction,
  request: CallRequest,
): Promise<PrepareResult> {
  demand(context.user, action.permission)
  const ids = chosenFor(context, entity, action, request)
  const found = await context.runtime.database.kysely.transaction().execute(async (db) => {
    // One snapshot, so that the dialog's values and the revisions they draw on are consistent.
    await sql`set transaction isolation level repeatable read, read only`.execute(db)
    return prepared(seeing(context, entity, request), db, entity, action, ids)
  })
  await tellListed(context, entity, [found.values as RecordData], ids.length > 0 ? { ids } : {})
  return found
}

async function prepared(
  context: Context,
  db: Db,
  entity: Entity,
  action: EntityAction,
  ids: readonly number[],
): Promise<PrepareResult> {
  const found = await readStored(
    context,
    db,
    entity,
    [sql<boolean>`${sql.ref(`${main}.id`)} = any(${ids}::bigint[])`, ...visibleConditions(context, entity)],
    { order: sql.ref(`${main}.id`), rows: true },
  )
  const missing = ids.find((id) => !found.some((record) => record.id === id))
  if (missing !== undefined) refuseMissing(context, entity)
  const records = found.map((record) => canonicalRecord(context, entity, record))
  verifySeen(context, entity, records)
  if (records.some((record) => !isTrue(context, entity, action.when, scopeOf(context, entity, record, record))))
    throw new Refusal('notAllowed')
  const { values } = (await procedureOf(
    context,
    entity,
    action.prepare!,
  )({ context, db, entity: entity.name, records, values: {} })) as unknown as PrepareResult
  const [shown] = await present(context, db, entity, [await withLookups(context, db, entity, values)])
  const seen = await drawnFrom(context, db, entity, values)
  return { values: shown as PrepareResult['values'], ...(seen && { seen }) }
}

/** Rows with the looked-up values of the records that they refer to. */
export async function withLookups(
  context: Context,
  db: Db,
  entity: Entity,
  values: Record<string, Value>,
): Promise<RecordData> {
  const whole: RecordData = { ...values }
  for (const name of Object.keys(values)) {
    const target = context.derived.target(entity.fields[name])
    if (!target?.rows) continue
    const rows = (values[name] ?? []) as RecordData[]
    const found = await lookUp(context, db, target.entity, rows)
    whole[name] = rows.map((row, index) => ({ ...row, ...found[index] })) as Value
  }
  return whole
}

/** The validated records and values for a procedure. @throws Refusal if the call cannot be carried out. */
export async function goodCall(
  work: Work,
  entity: Entity,
  called: Transition | EntityAction,
  request: CallRequest,
): Promise<{ records: RecordData[]; values: Record<string, Value> }> {
  const { context, db } = work
  const ids = 'to' in called ? chosen(request) : chosenFor(context, entity, called, request)
  const locks = knownLocks(context, entity, called, ids, request)
  if (locks.length > 1) await lockTogether(context, db, locks)
  const records = await lockRecords(context, db, entity, ids)
  const isAction = !('to' in called) && runsOnAll(called)
  if (isAction) for (const record of records) check(work, entity, called, record)
  // Values that a record already has need not be sent.
  const form = isAction ? called.form : called.form.map((asked) => ({ ...asked, required: false }))
  const values = askedValues(context, entity, form, request.values ?? {})
  await refuseHidden(context, db, entity, form, values)
  return { records, values }
}

/** The records themselves, and what the form's values draw on, where they do. */
function knownLocks(
  context: Context,
  entity: Entity,
  { form }: Transition | EntityAction,
  ids: readonly number[],
  { values = {} }: CallRequest,
): Lock[] {
  const asked = form.flatMap(({ field }) => (Object.hasOwn(values, field) ? [[field, values[field]]] : []))
  const drawn = drawnLocks(context, entity, [canonicalRecord(context, entity, Object.fromEntries(asked) as RecordData)])
  return [{ entity, ids }, ...drawn.map((lock) => ({ ...lock, weak: false }))]
}

/** How a procedure splits a long call, each part becoming its own work. @throws Refusal as `perform`. */
export async function partsOf(
  work: Work,
  entity: Entity,
  action: EntityAction,
  request: CallRequest,
): Promise<CallPart[]> {
  const divide = procedureOf(work.context, entity, String(action.job))
  const given = await goodCall(work, entity, action, request)
  const { parts } = (await divide({ ...work, entity: entity.name, action: action.name, ...given })) as {
    parts: CallPart[]
  }
  return parts
}

async function runProcedure(
  work: Work,
  entity: Entity,
  action: EntityAction & { run: string },
  request: CallRequest,
): Promise<CallResult> {
  const { context } = work
  const { records, values } = await goodCall(work, entity, action, request)
  const result = await procedureOf(
    context,
    entity,
    action.run,
  )({
    ...work,
    entity: entity.name,
    action: action.name,
    records,
    values,
  })
  return withSentence({ succeeded: records.length, failed: [], ...result })
}

/**
 * Checks that the user may see the records referred to, because a procedure uses whatever it gets; a save treats others
 * as unknown too.
 * @throws Refusal invalid.
 */
async function refuseHidden(
  context: Context,
  db: Db,
  entity: Entity,
  form: readonly AskedField[],
  values: Record<string, Value>,
): Promise<void> {
  const given = canonicalRecord(context, entity, values)
  const seen = await onlyVisible(context, db, entity, given, null)
  const hidden = form.filter(({ field }) => !isEqual(seen[field], given[field]))
  if (hidden.length > 0) {
    throw invalid(
      hidden.map(({ field, label }) => ({
        field,
        code: 'reference',
        message: fill(messages.reference, { label: label ?? entity.fields[field].label }),
      })),
    )
  }
}

/** The form's values, each valid by itself, without any others. @throws Refusal invalid. */
function askedValues(
  context: Context,
  entity: Entity,
  form: readonly AskedField[],
  values: Record<string, Value>,
): Record<string, Value> {
  const found: FieldProblem[] = []
  const given = form.flatMap(({ field: name, required, label }): [string, Value][] => {
    const field = entity.fields[name]
    if (field.computed) return []
    const widget = context.derived.widget(field)
    const value = widget.normalize(values[name] ?? null, field.options)
    const problem =
      value === null
        ? undefined
        : widget.check(value, field.options, widgetContext(context, label ? { ...field, label } : field))
    if (problem) found.push({ field: name, ...problem })
    else if (value === null && required) found.push({ field: name, ...requiredProblem(widget, label ?? field.label) })
    return value === null ? [] : [[name, storedValue(context, field, value)]]
  })
  if (found.length > 0) throw invalid(found)
  return Object.fromEntries(given)
}

/**
 * Deletes softly; refused while another record refers to it that is not deleted with it. @throws as a transition, and
 * inUse.
 */
async function remove(work: Work, entity: Entity, id: number): Promise<void> {
  const { context, db } = work
  const old = await lockRecord(context, db, entity, id)
  if (!allows(context, entity, 'delete', old)) throw new Refusal('notAllowed')
  // One at a time: whatever refers to a record is deleted before it.
  for (const { entity: of, record } of await deletedTogether(context, db, entity, old))
    await apply(work, [deletedChange(context, of, record)])
}

/** The change made by a deletion: its effects run, but the fields that they set are not stored. */
export function deletedChange(context: Context, entity: Entity, old: RecordData, action = 'delete'): Change {
  const effects = applyEvents(context, entity, 'delete', { record: { ...old }, old, changed: [] })
  return { entity, record: { ...old }, old, action, effects, changed: [], deleted: true }
}
