/** Which schema files are in force: that stands in the database, for all processes that work on it. */
import { hostname } from 'node:os'
import { sql } from 'kysely'
import type { Catalog } from '../schema/model.ts'
import type { Database } from './database.ts'
import { Refusal } from './errors.ts'
import { BehindError } from './outage.ts'
import type { Context, Db, Runtime } from './runtime.ts'
import { applyWithin, changeTables, generationLock } from './tables.ts'

/** One setting of the schema files; each that is put in force has the next number. */
interface Generation {
  number: number
  /** The hash of its catalog. */
  catalog: string
  at: string
  /** The machine and process that put it in force. */
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
  /** The generation by which this process has worked until now; absent at its start. */
  from?: number
  /** Also where it is one of the past, and a later one is in force. */
  take?: boolean
}

/**
 * Brings the tables to what a catalog says, and puts it in force: from then on processes of another generation write
 * nothing. It waits for what they are just writing. @returns its number, also where it is in force already
 * @throws with a sentence for the operator where these files were in force before others; BehindError where others have
 * been put in force since `from`; LossyChangesError.
 */
export const putInForce = ({ database, catalog, from, take = false }: Putting): Promise<number> =>
  changeTables(database, async (db) => {
    const current = await generationInForce(db)
    if (current && from !== undefined && current.number !== from && current.catalog !== catalog.hash)
      throw new BehindError()
    if (current?.catalog === catalog.hash) {
      await applyWithin(db, database, catalog.tables)
      return current.number
    }
    if (current && from === undefined && !take) await refusePast(db, catalog, current)
    await applyWithin(db, database, catalog.tables)
    const number = (current?.number ?? 0) + 1
    await sql`insert into system_generation (number, catalog, at, by)
      values (${number}, ${catalog.hash}, localtimestamp, ${`${hostname()}:${process.pid}`})`.execute(db)
    return number
  })

/** A process that comes with files of yesterday would add again what was renamed since, and empty. */
async function refusePast(db: Db, catalog: Catalog, current: Generation): Promise<void> {
  const {
    rows: [past],
  } = await sql<Generation>`select number, catalog, at, by from system_generation
    where catalog = ${catalog.hash} order by number desc limit 1`.execute(db)
  if (!past) return
  throw new Error(
    `The schema files here are of the past: generation ${past.number} (${past.catalog}), in force since ${past.at}. Generation ${current.number} ` +
      `(${current.catalog}) has been in force since ${current.at}, put there by ${current.by}. Bring the files up to date; or, to go back ` +
      'on purpose, stop the other processes and start with SCHEMAS_TAKE=yes.',
  )
}

/**
 * At the beginning of a work: nothing is put in force until its end, and it goes by what is.
 * @throws BehindError.
 */
export async function holdGeneration({ runtime, derived }: Context, db: Db): Promise<void> {
  if (derived.generation === undefined) return
  try {
    await sql`select pg_advisory_xact_lock_shared(${generationLock})`.execute(db)
  } catch (error) {
    // Somebody is putting another one in force, and that takes its time.
    throw (error as { code?: string }).code === '55P03' ? new BehindError() : error
  }
  verifyGeneration(runtime, derived.generation, (await generationInForce(db))?.number)
}

/** @throws BehindError, and follows, where the number that a request has found in the database is another one. */
export function verifyGeneration(runtime: Runtime, own: number | undefined, found: number | undefined): void {
  if (own === undefined || own === found) return
  runtime.follow()
  throw new BehindError()
}

/** What it is, for whoever asks on a connection of their own. */
export const numberInForce = 'select max(number) as number from system_generation'

/** The same, asked now. */
export async function verifyInForce(runtime: Runtime): Promise<void> {
  const found = await generationInForce(runtime.database.kysely)
  verifyGeneration(runtime, runtime.derived.generation, found?.number)
}

/** What the database does not know is what another generation has renamed. */
const unknownNames = ['42703', '42P01']

/** An error → the same; or that this process is behind, where it has failed of that. */
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

/** Whoever would put other files in force from a process that is behind is told. */
export const refuseBehind = (error: unknown): never => {
  throw error instanceof BehindError ? new Refusal('otherSchemas') : error
}
