/** Which schema files are in force: recorded in the database, for all processes that use it. */
import { hostname } from 'node:os'
import { sql } from 'kysely'
import type { Catalog } from '../model/model.ts'
import { isSameJson } from '../schema/isSameJson.ts'
import { buildIndexes } from './postgres/buildIndexes.ts'
import type { Database } from './postgres/database.ts'
import { Refusal } from './errors.ts'
import { BehindError } from './postgres/outage.ts'
import type { Context, Db, Runtime } from './runtime.ts'
import { applyWithin } from './postgres/tables.ts'
import { changeTables, generationLock } from './postgres/changeTables.ts'

/** A set of schema files that was put in force; numbers increase by one. */
interface Generation {
  number: number
  /** Hash of the catalog. */
  catalog: string
  at: string
  /** The host and process that put it in force. */
  by: string
}

export async function generationInForce(db: Db): Promise<Generation | undefined> {
  const { rows } =
    await sql<Generation>`select number, catalog, at, by from system_generation order by number desc limit 1`.execute(
      db,
    )
  return rows[0]
}

interface Putting {
  database: Database
  catalog: Catalog
  /** The generation that this process used until now; absent at its start. */
  from?: number
  /** The tables of that generation, which the database has: only what differs from them is adapted. */
  adapted?: Catalog['tables']
  /** Also if it was in force earlier and has been replaced since. */
  take?: boolean
}

/**
 * Adapts the tables to a catalog and puts it in force, once running works have ended: from then on processes of another
 * generation write nothing.
 * @returns the generation's number, also if it was already in force
 * @throws Error for the operator if these files were replaced by others earlier; BehindError if others have been put in
 * force since `from`; LossyChangesError
 */
export async function putInForce({ database, catalog, from, adapted, take = false }: Putting): Promise<number> {
  const { number, later } = await changeTables(database, async (db) => {
    const current = await generationInForce(db)
    if (current && from !== undefined && current.number !== from && current.catalog !== catalog.hash)
      throw new BehindError()
    const isInForce = current?.catalog === catalog.hash
    if (current && !isInForce && from === undefined && !take) await refusePast(db, catalog, current)
    const known = current?.number === from ? adapted : undefined
    const hasTables = known !== undefined && isSameJson(known, catalog.tables)
    const { later } = hasTables ? { later: [] } : await applyWithin(db, database, catalog.tables, known)
    if (isInForce) return { number: current.number, later }
    const number = (current?.number ?? 0) + 1
    await sql`insert into system_generation (number, catalog, at, by)
      values (${number}, ${catalog.hash}, localtimestamp, ${`${hostname()}:${process.pid}`})`.execute(db)
    return { number, later }
  })
  // The server works without it, only slower, and tries again at its next start.
  if (later.length > 0)
    buildIndexes(database, later).catch((error: unknown) => console.error('Indexes were not built:', error))
  return number
}

/** Files that were replaced would add renamed columns again, empty. */
async function refusePast(db: Db, catalog: Catalog, current: Generation): Promise<void> {
  const {
    rows: [past],
  } = await sql<Generation>`select number, catalog, at, by from system_generation
    where catalog = ${catalog.hash} order by number desc limit 1`.execute(db)
  if (!past) return
  throw new Error(
    `These schema files have been replaced: they are generation ${past.number} (${past.catalog}), in force since ${past.at}. Generation ${current.number} ` +
      `(${current.catalog}) has been in force since ${current.at}, put in force by ${current.by}. Update the files; or, to go back ` +
      'on purpose, stop the other processes and start with SCHEMAS_TAKE=yes.',
  )
}

/**
 * Called at the start of a work: checks that this process's generation is in force, and holds it until the work ends.
 * @throws BehindError.
 */
export async function holdGeneration({ runtime, derived }: Context, db: Db): Promise<void> {
  if (derived.generation === undefined) return
  try {
    await sql`select pg_advisory_xact_lock_shared(${generationLock})`.execute(db)
  } catch (error) {
    // A lock timeout here means that another generation is being put in force.
    throw (error as { code?: string }).code === '55P03' ? new BehindError() : error
  }
  verifyGeneration(runtime, derived.generation, (await generationInForce(db))?.number)
}

/**
 * Compares this process's number with the one in the database.
 * @throws BehindError, and starts following, if they differ.
 */
export function verifyGeneration(runtime: Runtime, own: number | undefined, found: number | undefined): void {
  if (own === undefined || own === found) return
  runtime.follow()
  throw new BehindError()
}

/** Query for the number in force, for callers with their own connection. */
export const numberInForce = 'select max(number) as number from system_generation'

/** The same, with the number read from the database. */
export async function verifyInForce(runtime: Runtime): Promise<void> {
  const found = await generationInForce(runtime.database.kysely)
  verifyGeneration(runtime, runtime.derived.generation, found?.number)
}

/** Unknown columns and tables, probably renamed by another generation. */
const unknownNames = ['42703', '42P01']

/** Returns the error, or a BehindError if this process failed because it is behind. */
export async function explainUnknown<E extends { code?: string }>(
  runtime: Runtime,
  error: E,
): Promise<E | BehindError> {
  if (!unknownNames.includes(error.code ?? '')) return error
  return verifyInForce(runtime).then(
    () => error,
    (behind: unknown) => (behind instanceof BehindError ? behind : error),
  )
}

/** Turns BehindError into a refusal, for a reload in a process that is behind. */
export const refuseBehind = (error: unknown): never => {
  throw error instanceof BehindError ? new Refusal('otherSchemas') : error
}
