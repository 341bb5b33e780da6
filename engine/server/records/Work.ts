import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Entity, RecordData } from '../../model/model.ts'
import type { Cause, Context, Db } from '../runtime.ts'
import { otherResult } from '../postgres/PreparedStatements.ts'
import { holdGeneration } from '../generation.ts'
import { once } from './idempotency.ts'
import { loseTries, logTries, logTriesAlone } from './maskedTries.ts'
import { copyOfSeen, takeSeen } from './seen.ts'

/** Everything that one act of a user, or of the system, writes in one transaction, through `apply` and under one id. */
export interface Work {
  context: Context
  /** The open transaction. */
  db: Db
}

/** Identifies a record within a work. */
export const keyOf = (entity: Entity, record: RecordData): string => `${entity.name} ${record.id}`

/** Marks records as being written while `act` runs; the caller records their history afterwards. */
export async function whileOpen<T>({ context }: Work, keys: readonly string[], act: () => Promise<T>): Promise<T> {
  const open = (context.work && (context.work.open ??= new Set())) ?? new Set()
  const opened = keys.filter((key) => !open.has(key))
  for (const key of opened) open.add(key)
  try {
    return await act()
  } finally {
    for (const key of opened) open.delete(key)
  }
}

interface WorkOptions {
  cause: Cause
  /** Distinguishes the works of one request that has one for each record. */
  part?: string
}

const mostRetries = 3
const mostAttempts = 1 + mostRetries
/** The longest pause in milliseconds before each retry, multiplied by the number of attempts. */
const longestPause = 40
/**
 * PostgreSQL's codes for deadlocks, serialization failures, and columns that were changed meanwhile: nothing was
 * written, and a retry may succeed.
 */
const crossings = new Set(['40001', '40P01', otherResult])
const isCrossing = (error: unknown) => crossings.has((error as { code?: string }).code ?? '')

/**
 * Runs `act` in one transaction, and again after a deadlock, so `act` must have no effect outside the transaction. If
 * the request's key was answered before, returns that answer without running it.
 * @throws Refusal whatever `act` refuses, and `repeated` if the key belongs to another request.
 */
export async function inWork<T>(
  context: Context,
  { cause, part = '' }: WorkOptions,
  act: (work: Work) => Promise<T>,
): Promise<T> {
  const begun = context.begun ?? performance.now()
  for (let attempt = 1; ; attempt++) {
    const within: Context = { ...context, ...copyOfSeen(context), begun, work: { cause } }
    try {
      const done = await context.runtime.database.kysely.transaction().execute(async (db) => {
        try {
          await holdGeneration(within, db)
          const answer = await once({ context: within, db }, part, () => act({ context: within, db }))
          await keepMessages(within, db)
          await logTries(within, db)
          return { answer }
        } catch (error) {
          if (!within.work?.tries) throw error
          await logTriesAlone(within, db, attempt < mostAttempts && isCrossing(error))
          return { error }
        }
      })
      if ('error' in done) throw done.error
      if (context.act) context.act.first ??= within.work?.id
      takeSeen(context, within)
      return done.answer
    } catch (error) {
      if (attempt === mostAttempts || !isCrossing(error)) throw error
      // An immediate retry could take the lock before the work that it deadlocked with, and both would deadlock again.
      await delay(attempt * longestPause * (0.5 + Math.random() / 2))
    }
  }
}

/** A work that changed nothing has no row to store them in. */
async function keepMessages({ work }: Context, db: Db): Promise<void> {
  if (work?.id === undefined || !work.messages) return
  await sql`update system_work set messages = ${work.messages} where id = ${work.id}`.execute(db)
}

/**
 * Runs a part of a work that may fail without failing the rest: its writes are rolled back. Parts do not nest.
 * @throws whatever `act` throws.
 */
export async function attemptWithin<T>({ context, db }: Work, act: () => Promise<T>): Promise<T> {
  const begun = context.work?.id
  const sent = context.work?.messages
  const tried = context.work?.tries?.made.length ?? 0
  const { seen } = copyOfSeen(context)
  await sql`savepoint attempt`.execute(db)
  try {
    const result = await act()
    await sql`release savepoint attempt`.execute(db)
    return result
  } catch (error) {
    await sql`rollback to savepoint attempt; release savepoint attempt`.execute(db)
    if (context.work) Object.assign(context.work, { id: begun, messages: sent })
    if (seen) context.seen!.revisions = seen.revisions
    loseTries(context, tried)
    throw error
  }
}

/** Ends a part of a work by rolling it back. */
class OnlyTried extends Error {
  constructor(readonly found: unknown) {
    super('Nothing of this stays')
  }
}

/** Runs a part of a work to see what comes of it: nothing of it stays. @throws whatever `act` throws. */
export async function inTrial<T>(work: Work, act: () => Promise<T>): Promise<T> {
  const record = work.context.work!
  record.isTrial = true
  try {
    return await attemptWithin(work, async () => {
      throw new OnlyTried(await act())
    })
  } catch (error) {
    if (error instanceof OnlyTried) return error.found as T
    throw error
  } finally {
    delete record.isTrial
  }
}
