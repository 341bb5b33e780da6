import { sql } from 'kysely'
import { compileFormula } from '../expression/index.ts'
import type { Append, Daily, Entity, RecordData } from '../schema/model.ts'
import { systemUser } from './access.ts'
import { callTransition } from './call.ts'
import { isTrue, procedureOf, scopeOf } from './effects.ts'
import { Refusal } from './errors.ts'
import { declaredConditions } from './filters.ts'
import { deliver } from './messages.ts'
import { refreshOverlay } from './overlay.ts'
import { overlayVersion } from './overlayVersion.ts'
import { main, readStored } from './read.ts'
import type { Context, Db, Runtime } from './runtime.ts'
import { createRecord } from './save.ts'
import { createContext } from './session.ts'
import { canonicalRecord, canonicalValue } from './stored.ts'

/** From this hour of the business day on, unless a rule is for every hour. */
const hour = '02'
/** How often it is looked whether the day or the hour is another one, in milliseconds. */
const interval = 60_000
/** Records that one call takes. */
const chunk = 500

/**
 * What entities say the system does by itself, for those rules that it has not done today, or in this hour: by
 * whichever process comes first. A database that never had a day begins with the next one.
 */
export async function runDaily(runtime: Runtime): Promise<void> {
  const now = runtime.clock.now()
  const isDue = ({ hourly }: Daily) => hourly || now.slice(11, 13) >= hour
  // As the settings are now, whoever changed them.
  await refreshOverlay(runtime, await overlayVersion(runtime.database.kysely))
  const context = createContext(runtime, systemUser, runtime.derived.catalog.app.languages[0])
  for (const entity of Object.values(runtime.derived.catalog.entities)) {
    for (const [place, rule] of (entity.daily ?? []).entries()) {
      // An hour is later than the one before, and than its day.
      if (isDue(rule)) await runRule(context, entity, rule, { place, day: now.slice(0, rule.hourly ? 13 : 10) })
    }
  }
}

async function runRule(
  context: Context,
  entity: Entity,
  rule: Daily,
  { place, day }: { place: number; day: string },
): Promise<void> {
  const { kysely } = context.runtime.database
  const records = await kysely.transaction().execute(async (db) => {
    if (!(await claim(db, entity, place, day))) return []
    const found = await matching(context, db, entity, rule)
    for (const record of found)
      await deliver(
        context,
        db,
        entity,
        record,
        rule.notify.filter(({ when }) => isTrue(context, entity, when, scopeOf(context, entity, record, record))),
      )
    if (rule.run !== undefined && found.length > 0)
      await procedureOf(context, entity, rule.run)({ context, db, entity: entity.name, records: found, values: {} })
    return found
  })
  for (const record of records) if (rule.create) await create(context, entity, rule.create, record)
  const transition = entity.states.map(({ transitions }) => transitions[rule.transition ?? '']).find(Boolean)
  if (!transition) return
  // Each in a transaction of its own: one that is refused stays as it is.
  for (let start = 0; start < records.length; start += chunk)
    await callTransition(context, entity, transition, { ids: records.slice(start, start + chunk).map(({ id }) => id!) })
}

/** As if somebody had filled in the form, in a transaction of its own: what is refused is tried again the next day. */
async function create(
  context: Context,
  entity: Entity,
  { entity: name, set }: Append,
  record: RecordData,
): Promise<void> {
  const target = context.derived.catalog.entities[name]
  const scope = scopeOf(context, entity, record, record)
  const values = Object.fromEntries(
    Object.entries(set).map(([field, formula]) => [
      field,
      canonicalValue(context, target.fields[field], compileFormula(formula, context.derived.types(entity))(scope)),
    ]),
  )
  try {
    await context.runtime.database.kysely.transaction().execute((db) => createRecord(context, db, target, values))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

/** @returns whether the rule is this process's to do today */
async function claim(db: Db, { name }: Entity, place: number, day: string): Promise<boolean> {
  const {
    rows: [claimed],
  } = await sql<{ first: boolean }>`insert into system_daily (entity, place, day) values (${name}, ${place}, ${day})
    on conflict (entity, place) do update set day = excluded.day where system_daily.day < excluded.day returning (xmax = 0) as first`.execute(
    db,
  )
  return claimed !== undefined && !claimed.first
}

async function matching(context: Context, db: Db, entity: Entity, rule: Daily): Promise<RecordData[]> {
  const stored = await readStored(
    context,
    db,
    entity,
    [sql<boolean>`${sql.ref(`${main}.deletedAt`)} is null`, ...declaredConditions(context, entity, main, rule.where)],
    { order: sql.ref(`${main}.id`) },
  )
  return stored
    .map((record) => canonicalRecord(context, entity, record))
    .filter((record) => isTrue(context, entity, rule.when, scopeOf(context, entity, record, record)))
}

/** Looks again and again whether it is another day, until it is stopped. */
export function startDaily(runtime: Runtime, { log }: { log(error: unknown): void }): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve()
  const look = () => {
    running = running.then(() => runDaily(runtime)).catch(log)
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
