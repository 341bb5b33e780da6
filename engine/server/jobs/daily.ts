import { sql } from 'kysely'
import { compileFormula } from '../../expression/index.ts'
import { textIn } from '../../model/language.ts'
import type { Append, Daily, Entity, Label, RecordData } from '../../model/model.ts'
import { systemUser } from '../identity/access.ts'
import { Refusal } from '../errors.ts'
import { declaredConditions } from '../records/reading/filters.ts'
import { forgetLog, logOperation } from '../records/logOperation.ts'
import { nameOf } from '../records/nameOf.ts'
import { refreshOverlay } from '../catalog/overlay.ts'
import { outageOf } from '../postgres/outage.ts'
import { overlayVersion } from '../records/overlayVersion.ts'
import { main } from '../records/reading/columnOf.ts'
import { readStored } from '../records/reading/read.ts'
import { isPossible, transit } from '../records/transit.ts'
import { deliver } from '../records/deliver.ts'
import { isTrue, scopeOf } from '../records/effects.ts'
import { purgeJobs } from './Job.ts'
import { purgeRequests } from '../records/idempotency.ts'
import { procedureOf } from '../records/procedures.ts'
import { createRecord } from '../records/save.ts'
import { inWork, type Work } from '../records/Work.ts'
import type { Cause, Context, Db, Runtime } from '../runtime.ts'
import { createContext } from '../identity/session.ts'
import { canonicalRecord, canonicalValue } from '../records/reading/canonical.ts'
import { inBackground } from '../postgres/allowance.ts'

/** Rules run from this hour of the business day, unless a rule is hourly. */
const hour = '02'
/** How often the day or hour is checked, in milliseconds. */
const interval = 60_000

interface Rule extends Daily {
  name: string
  entity: Entity
}

interface Claimed {
  entity: { name: string }
  name: string
}

interface DailyOptions {
  /** Logs the records that a rule was refused for, and why. */
  log?(error: unknown): void
}

/**
 * Runs the daily rules of entities that have not run today, or this hour: in whichever process comes first. If a
 * process is stopped, another continues its work. A database that has never run any starts the next day.
 */
export async function runDaily(runtime: Runtime, { log = () => undefined }: DailyOptions = {}): Promise<void> {
  const now = runtime.clock.now()
  const isDue = ({ hourly }: Daily) => hourly || now.slice(11, 13) >= hour
  // With the current settings, which another process may have changed.
  await refreshOverlay(runtime, await overlayVersion(runtime.database.kysely))
  const context = createContext(runtime, systemUser)
  const rules = Object.values(runtime.derived.catalog.entities).flatMap((entity) =>
    Object.entries(entity.daily ?? {}).map(([name, rule]): Rule => ({ ...rule, name, entity })),
  )
  await renameByPlace(runtime.database.kysely, rules)
  for (const rule of rules) {
    // `2026-03-01 05` sorts after both the hour before and its day.
    if (isDue(rule)) await beginOrLog(context, rule, now.slice(0, rule.hourly ? 13 : 10), log)
    for (const id of await pendingOf(runtime.database.kysely, rule)) await goOn(context, rule, id, log)
  }
  await keepHouse(context, now.slice(0, 10))
}

/** Claimed once done, so that interrupted work is repeated; two processes at once do no harm. */
async function keepHouse(context: Context, day: string): Promise<void> {
  const { kysely } = context.runtime.database
  const done = await dayOf(kysely, housekeeping)
  if (done !== undefined && done < day) {
    await forgetLog(context)
    await purgeRequests(kysely)
    await purgeJobs(kysely)
  }
  if (done !== day) await claim(kysely, housekeeping, day)
}

/** The engine's own daily work, done by whichever process comes first. */
const housekeeping = { entity: { name: 'system_history' }, name: 'housekeeping' }

const causeOf = ({ entity, name }: Rule): Cause => `daily:${entity.name}.${name}`

/** A rule that fails as a whole does not block the others. It is retried. */
async function beginOrLog(context: Context, rule: Rule, day: string, log: (error: unknown) => void): Promise<void> {
  try {
    await begin(context, rule, day)
  } catch (error) {
    if (outageOf(error)) throw error
    log(
      new Error(`${causeOf(rule)}: ${error instanceof Refusal ? textIn(error.text, 'en') : String(error)}`, {
        cause: error,
      }),
    )
  }
}

/** Sends the rule's messages, runs its procedure, and stores which records are still to be processed one by one. */
async function begin(outer: Context, rule: Rule, day: string): Promise<void> {
  const { entity } = rule
  await inWork(outer, { cause: causeOf(rule) }, async ({ context, db }) => {
    if (!(await claim(db, rule, day))) return
    const found = await newlyOf(db, rule, await matching(context, db, rule))
    const recordNotices = found.flatMap((record) => {
      const scope = scopeOf(context, entity, record, record)
      return rule.notify
        .filter(({ when }) => isTrue(context, entity, when, scope))
        .map((notice) => ({ record, notice }))
    })
    await deliver(context, db, entity, recordNotices)
    if (rule.run !== undefined && found.length > 0)
      await procedureOf(context, entity, rule.run)({ context, db, entity: entity.name, records: found, values: {} })
    if (!rule.create && !rule.transition) return
    const ids = found.map(({ id }) => id)
    // Includes leftovers of an earlier day; what no longer matches is reported again if it ever matches again.
    await sql`update system_daily_rule
      set pending = array(select distinct unnest(pending || ${ids}::bigint[]) order by 1),
        refused = array(select unnest(refused) intersect select unnest(${ids}::bigint[]))
      where entity = ${entity.name} and rule = ${rule.name}`.execute(db)
  })
}

/**
 * Processes one record in its own work, so that it does not block the others. A refusal is final; other failures are
 * retried.
 */
async function goOn(context: Context, rule: Rule, id: number, log: (error: unknown) => void): Promise<void> {
  const { entity } = rule
  try {
    await inWork(context, { cause: causeOf(rule) }, async (work) => {
      if (!(await take(work.db, rule, id))) return
      const record = await recordOf(work.context, work.db, rule, id)
      // It was deleted meanwhile.
      if (!record) return
      if (rule.create) await create(work, rule, rule.create, record)
      const transition = entity.states.map(({ transitions }) => transitions[rule.transition ?? '']).find(Boolean)
      // What is not due yet, or was already done, is not reported as refused.
      if (transition && isPossible(context, entity, transition, record)) await transit(work, entity, transition, { id })
    })
  } catch (error) {
    if (outageOf(error)) throw error
    const isRefused = error instanceof Refusal
    if (isRefused) await reportRefusal(context, rule, id, error.text)
    const reason = isRefused ? textIn(error.text, 'en') : String(error)
    log(new Error(`${causeOf(rule)} ${entity.name} ${id}: ${reason}`, { cause: error }))
  }
}

/**
 * No user was present to see the reason: it goes into the log, once a day, and into the messages that the rule
 * declares, once.
 */
async function reportRefusal(outer: Context, rule: Rule, id: number, reason: Label): Promise<void> {
  const { entity } = rule
  await inWork(outer, { cause: causeOf(rule) }, async ({ context, db }) => {
    if (!(await take(db, rule, id))) return
    const record = await recordOf(context, db, rule, id)
    if (!record) return
    const details = { id, label: nameOf(context, entity, record), result: 'failed', message: reason } as const
    await logOperation(context, entity, rule.transition ?? 'create', details, { once: true, db })
    if (!(await isFirst(db, rule, id))) return
    const scope = scopeOf(context, entity, record, record)
    const notices = rule.refused.filter(({ when }) => isTrue(context, entity, when, scope))
    await deliver(
      context,
      db,
      entity,
      notices.map((notice) => ({ record, notice, reason })),
    )
  })
}

/** @returns whether this is the record's first refusal by the rule since it became due */
async function isFirst(db: Db, { entity, name }: Rule, id: number): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`update system_daily_rule set refused = array_append(refused, ${id}::bigint)
    where entity = ${entity.name} and rule = ${name} and not ${id}::bigint = any(refused)`.execute(db)
  return numAffectedRows > 0n
}

async function recordOf(context: Context, db: Db, { entity }: Rule, id: number): Promise<RecordData | undefined> {
  const [stored] = await readStored(context, db, entity, [sql<boolean>`${sql.ref(`${main}.id`)} = ${id}`])
  return stored && canonicalRecord(context, entity, stored)
}

/** As if a user had filled in the form. */
async function create(work: Work, { entity }: Rule, { entity: name, set }: Append, record: RecordData): Promise<void> {
  const { context } = work
  const target = context.derived.catalog.entities[name]
  const scope = scopeOf(context, entity, record, record)
  const values = Object.fromEntries(
    Object.entries(set).map(([field, formula]) => [
      field,
      canonicalValue(context, target.fields[field], compileFormula(formula, context.derived.types(entity))(scope)),
    ]),
  )
  await createRecord(work, target, values)
}

async function dayOf(db: Db, { entity, name }: Claimed): Promise<string | undefined> {
  const { rows } = await sql<{ day: string }>`select day from system_daily_rule
    where entity = ${entity.name} and rule = ${name}`.execute(db)
  return rows.at(0)?.day
}

/** @returns whether this process is the one to start the rule today */
async function claim(db: Db, { entity, name }: Claimed, day: string): Promise<boolean> {
  const {
    rows: [claimed],
  } = await sql<{
    first: boolean
  }>`insert into system_daily_rule (entity, rule, day) values (${entity.name}, ${name}, ${day})
    on conflict (entity, rule) do update set day = excluded.day where system_daily_rule.day < excluded.day returning (xmax = 0) as first`.execute(
    db,
  )
  return claimed !== undefined && !claimed.first
}

/** For a `newly` rule: without the records of the last time; those that no longer match are forgotten. */
async function newlyOf(db: Db, { entity, name, newly }: Rule, found: RecordData[]): Promise<RecordData[]> {
  if (!newly) return found
  const ofRule = sql`entity = ${entity.name} and rule = ${name}`
  const { rows } = await sql<{
    id: number
  }>`select unnest(matched) as id from system_daily_rule where ${ofRule}`.execute(db)
  const before = new Set(rows.map(({ id }) => Number(id)))
  await sql`update system_daily_rule set matched = ${found.map(({ id }) => id)}::bigint[] where ${ofRule}`.execute(db)
  return found.filter(({ id }) => !before.has(id!))
}

async function pendingOf(db: Db, { entity, name }: Rule): Promise<number[]> {
  const { rows } = await sql<{
    id: number
  }>`select unnest(pending) as id from system_daily_rule where entity = ${entity.name} and rule = ${name}`.execute(db)
  return rows.map(({ id }) => id)
}

/** @returns whether the record was still pending: only one of several processes gets it */
async function take(db: Db, { entity, name }: Rule, id: number): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`update system_daily_rule set pending = array_remove(pending, ${id}::bigint)
    where entity = ${entity.name} and rule = ${name} and ${id}::bigint = any(pending)`.execute(db)
  return numAffectedRows > 0n
}

/** Migrates databases in which rules were identified by their position in their file, which is unchanged. */
async function renameByPlace(db: Db, rules: readonly Rule[]): Promise<void> {
  const isThere = async (db: Db) =>
    (await sql`select 1 from pg_class where oid = to_regclass('public.system_daily')`.execute(db)).rows.length > 0
  if (!(await isThere(db))) return
  const places = rules.map(({ entity, name }) => ({
    entity: entity.name,
    rule: name,
    place: rules.filter((other) => other.entity === entity).findIndex((other) => other.name === name),
  }))
  await db.transaction().execute(async (transaction) => {
    // Another process may be doing the same.
    await sql`select pg_advisory_xact_lock(hashtext('system_daily'))`.execute(transaction)
    if (!(await isThere(transaction))) return
    await sql`insert into system_daily_rule (entity, rule, day) select entity, rule, day from system_daily
      join jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as named (entity text, rule text, place integer) using (entity, place)
      on conflict do nothing`.execute(transaction)
    await sql`drop table system_daily`.execute(transaction)
  })
}

async function matching(context: Context, db: Db, { entity, where, when }: Rule): Promise<RecordData[]> {
  const stored = await readStored(
    context,
    db,
    entity,
    [sql<boolean>`${sql.ref(`${main}.deletedAt`)} is null`, ...declaredConditions(context, entity, main, where)],
    { order: sql.ref(`${main}.id`) },
  )
  return stored
    .map((record) => canonicalRecord(context, entity, record))
    .filter((record) => isTrue(context, entity, when, scopeOf(context, entity, record, record)))
}

/** Checks periodically whether the day has changed, until it is stopped. */
export function startDaily(runtime: Runtime, { log }: { log(error: unknown): void }): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve()
  const look = () => {
    running = running.then(() => inBackground(() => runDaily(runtime, { log }))).catch(log)
  }
  const timer = setInterval(look, interval)
  look()
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
