import { sql } from 'kysely'
import type { Entity, RecordData } from '../../schema/model.ts'
import type { Context, Db } from '../runtime.ts'
import { holdGeneration } from '../generation.ts'
import { once } from './idempotency.ts'
import { copyOfSeen, takeSeen } from './seen.ts'

/**
 * One act of one user, or of the system, in one transaction. Everything that it writes goes through `apply` and is
 * recorded under its id.
 */
export interface Work {
  context: Context
  /** The open transaction. */
  db: Db
}

/**
 * What a work came from: `create`, `update`, `delete`, `order`, `action:<name>`, `transition:<name>`, `import:<batch>`,
 * `undo:<batch>`, `daily:<entity>.<rule>`, `system`.
 */
export type Cause = string

/** Stands in the context of everything that happens within a work. */
export interface WorkRecord {
  cause: Cause
  /** Set when the work first writes something. */
  id?: number
  /** The records that are just being written, by `keyOf`: their history waits until all is done to them. */
  open?: Set<string>
  /** The import whose rows are written: users hear of all of them in one message. */
  batch?: { entity: string; id: number }
}

/** What a record is known by within a work. */
export const keyOf = (entity: Entity, record: RecordData): string => `${entity.name} ${record.id}`

/** While `act` runs these records are being written: whoever writes them tells of them in the end. */
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
  batch?: WorkRecord['batch']
  /** Tells works of one request apart, where each of its records is one. */
  part?: string
}

const mostAttempts = 3
/** PostgreSQL's codes of two transactions that met: nothing was written, and another attempt may succeed. */
const crossings = new Set(['40001', '40P01'])
const isCrossing = (error: unknown) => crossings.has((error as { code?: string }).code ?? '')

/**
 * Runs `act` in one transaction, and again if it met another work: `act` must change nothing outside of it. With the
 * key of a request that was answered before, it answers the same and does nothing.
 * @throws Refusal whatever `act` refuses, and `repeated` where the key belongs to another request.
 */
export async function inWork<T>(
  context: Context,
  { cause, batch, part = '' }: WorkOptions,
  act: (work: Work) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      const within: Context = { ...context, ...copyOfSeen(context), work: { cause, ...(batch && { batch }) } }
      const result = await context.runtime.database.kysely.transaction().execute(async (db) => {
        await holdGeneration(within, db)
        return once({ context: within, db }, part, () => act({ context: within, db }))
      })
      takeSeen(context, within)
      return result
    } catch (error) {
      if (attempt === mostAttempts || !isCrossing(error)) throw error
    }
  }
}

/**
 * A part of a work that may fail by itself: nothing of it stays then, and the rest goes on. One at a time is open.
 * @throws whatever `act` throws.
 */
export async function attemptWithin<T>({ context, db }: Work, act: () => Promise<T>): Promise<T> {
  const begun = context.work?.id
  const { seen } = copyOfSeen(context)
  await sql`savepoint attempt`.execute(db)
  try {
    const result = await act()
    await sql`release savepoint attempt`.execute(db)
    return result
  } catch (error) {
    await sql`rollback to savepoint attempt; release savepoint attempt`.execute(db)
    if (context.work) context.work.id = begun
    if (seen) context.seen!.revisions = seen.revisions
    throw error
  }
}
