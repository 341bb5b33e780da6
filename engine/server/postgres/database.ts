/** Opens the database. Only this file and `connections.ts` import the driver. */
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { Connections } from './connections.ts'
import { startEmbedded } from './embedded.ts'
import type { Tables } from '../db.ts'
import { currentAllowance, endsWithin, inTransaction } from './allowance.ts'
import type { Address, Connection } from './Connection.ts'

export interface Database {
  kysely: Kysely<Tables>
  kind: 'embedded' | 'external'
  /** PostgreSQL's own version number, `18.4`. */
  version: string
  /** Text can be searched by trigram, because the extension pg_trgm is installed. */
  trigram: boolean
  pool: pg.Pool
  /**
   * Checks that the database answers within two seconds, on a separate connection so that no queue delays it;
   * simultaneous callers share one query.
   */
  probe<Row>(question: string): Promise<Row[]>
  /**
   * Waits for running queries, for at most so many milliseconds, then cuts them; stops the embedded database if this
   * process owns it.
   */
  close(patience?: number): Promise<void>
}

export interface DatabaseOptions {
  /** PostgreSQL 15 or newer; if absent, the embedded one in `dataDir`. */
  databaseUrl?: string
  dataDir: string
  /** Uses the embedded database even if a running server owns it: for read-only commands. */
  share?: boolean
  /** The most connections; 10 by default. */
  connections?: number
  /** Milliseconds of silence after which background work abandons a statement. */
  silence?: number
  /**
   * Called when a transaction requests a second connection, which it then gets (production). If absent, that is
   * refused.
   */
  onSecond?(error: Error): void
}

const timeZone = 'Asia/Shanghai'
const statementTimeout = 60_000
/** Lock timeouts: short if a user waits for the answer, longer in the background. */
const lockTimeout = 5_000
const longLockTimeout = 60_000
/** A silent transaction would hold its locks for ever. */
const silenceTimeout = 60_000
const probePatience = 2_000
/** Longer than any statement: by then the database has ended it, or is gone. */
const backgroundSilence = statementTimeout + 15_000

/** @throws with a sentence for the operator. */
export async function openDatabase({
  databaseUrl,
  dataDir,
  share,
  connections = 10,
  silence = backgroundSilence,
  onSecond,
}: DatabaseOptions): Promise<Database> {
  const embedded = databaseUrl ? undefined : await startEmbedded({ dataDir, connect, share })
  const address = embedded
    ? { options: settings, address: () => embedded.connection }
    : { connectionString: withSettings(databaseUrl!) }
  const refuse = (error: Error) => {
    throw error
  }
  // The probe only reads, so it cannot notice a failover by itself.
  const shared = { types: { getTypeParser: parser }, failovers: { count: 0 }, ...address }
  const pool = new Connections({ ...shared, max: connections, silence, second: onSecond ?? refuse })
  const watch = new Connections({
    ...shared,
    max: 1,
    connectionTimeoutMillis: probePatience,
    query_timeout: probePatience,
    second: () => {},
  })
  const close = async (patience = 60_000) => {
    const ends = [pool, watch].filter(({ ending }) => !ending).map((each) => each.end())
    if (!(await endsWithin(patience, Promise.all(ends)))) pool.cutAll()
    await embedded?.stop()
  }
  let probing: Promise<pg.QueryResult> | undefined
  try {
    const version = String((await pool.query('show server_version')).rows[0].server_version).split(' ')[0]
    if (parseInt(version) < 15)
      throw new Error(`DATABASE_URL points to PostgreSQL ${version}; 15 or newer is required.`)
    return {
      kysely: new WorkingKysely({ dialect: new PostgresDialect({ pool }) }),
      kind: embedded ? 'embedded' : 'external',
      version,
      trigram: await prepareTrigrams(pool),
      pool,
      async probe<Row>(question: string) {
        probing ??= watch.query(question).finally(() => {
          probing = undefined
        })
        return (await probing).rows as Row[]
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Its transactions mark what runs in them, and set the lock timeout of their allowance. */
class WorkingKysely extends Kysely<Tables> {
  override transaction() {
    const builder = super.transaction()
    const execute = builder.execute.bind(builder)
    builder.execute = (callback) =>
      execute((transaction) =>
        inTransaction(async () => {
          if (currentAllowance()?.isAwaited === false)
            await sql.raw(`set local lock_timeout = ${longLockTimeout}`).execute(transaction)
          return callback(transaction)
        }),
      )
    return builder
  }
}

/** A single session, for the launcher. */
export async function connect(address: Address, applicationName: string): Promise<Connection> {
  const client = new pg.Client({ ...address, application_name: applicationName, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  let ended = false
  client.once('end', () => {
    ended = true
  })
  await client.connect()
  return {
    query: async (text, values) => (await client.query(text, values)).rows,
    end: () => client.end(),
    onEnd: (listener) => {
      if (ended) listener()
      else client.once('end', listener)
      // The driver has it, but its types do not.
      const unreferenced = client as pg.Client & { unref(): void }
      unreferenced.unref()
    },
  }
}

const settings = Object.entries({
  timezone: timeZone,
  statement_timeout: statementTimeout,
  lock_timeout: lockTimeout,
  idle_in_transaction_session_timeout: silenceTimeout,
  // Compiling a list's query takes longer than running it.
  jit: 'off',
})
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ')

/** The settings are sent when connecting; those in the address come later and win. */
function withSettings(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.searchParams.set('options', `${settings} ${url.searchParams.get('options') ?? ''}`.trim())
  return url.href
}

/** Without the right to create the extension, an existing one can still be used. */
async function prepareTrigrams(pool: pg.Pool): Promise<boolean> {
  await pool.query('create extension if not exists pg_trgm').catch(() => {})
  return (await pool.query("select from pg_extension where extname = 'pg_trgm'")).rowCount === 1
}

const array = pg.types.getTypeParser(1009 as number) as (text: string) => (string | null)[]
const elements = (parse: (text: string) => unknown) => (text: string) =>
  array(text).map((element) => (element === null ? null : parse(element)))
const asIs = (text: string) => text
/** Without fraction and zone, because the session's zone is the business's. */
const seconds = (text: string) => text.slice(0, 19)

/** Values in wire form: dates, times and decimals are strings; ids and counts are numbers, exact up to 2^53. */
const parsers: Record<number, (text: string) => unknown> = {
  20: Number,
  1016: elements(Number),
  1082: asIs,
  1182: array,
  1114: seconds,
  1115: elements(seconds),
  1184: seconds,
  1185: elements(seconds),
  1700: asIs,
  1231: array,
}
const parser = ((type: number, format?: 'text' | 'binary') =>
  (format !== 'binary' && parsers[type]) || pg.types.getTypeParser(type, format)) as typeof pg.types.getTypeParser
