import { randomBytes } from 'node:crypto'
import { inject, vi } from 'vitest'
import { type Database, connect, openDatabase } from '../engine/server/postgres/database.ts'
import { startEmbedded } from '../engine/server/postgres/embedded.ts'

/** Without time limits, because databases are created one at a time. */
const patient = '-c lock_timeout=0 -c statement_timeout=0'

/** The cluster of this run, which the first test that needs one starts. */
async function reachCluster(): Promise<string> {
  const { url, dataDir } = inject('testDatabase')
  if (url) return url
  // Left running for the other test files and stopped by the run's global teardown. A process that finds the cluster
  // while another sets it up would connect as superuser until the product's user exists.
  const embedded = await startEmbedded({ dataDir, connect, share: true })
  await vi.waitUntil(() => embedded.connection.user !== embedded.administration.user, 30_000)
  const { connection, administration } = embedded
  await forgetful(administration, connection.user)
  const address = new URL('postgres://localhost/postgres')
  address.username = connection.user
  address.password = connection.password
  address.searchParams.set('host', connection.host)
  return address.href
}

let reached: Promise<string> | undefined
let administration: Promise<Database> | undefined

/** The address of a database on the cluster; without a name, the one from which others are administered. */
async function addressOf(name?: string): Promise<string> {
  const address = new URL(await (reached ??= reachCluster()))
  if (name) address.pathname = `/${name}`
  else address.searchParams.set('options', patient)
  return address.href
}

/** Shared by the files that a process runs, because each connection costs as much as a copy of a database. */
const administrator = (): Promise<Database> =>
  (administration ??= addressOf().then((databaseUrl) => openDatabase({ databaseUrl, dataDir: '' })))

/** Turns durability off, which makes the cluster faster; it is deleted after the run. */
async function forgetful(address: Parameters<typeof connect>[0], user: string): Promise<void> {
  const session = await connect(address, 'tests')
  // A process may find the cluster started but not yet ready.
  await session.query("select pg_advisory_lock(hashtext('tests'))")
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum'])
    await session.query(`alter system set ${setting} = off`)
  await session.query('select pg_reload_conf()')
  // Tests connect as the product's user, which may neither create databases nor end other sessions.
  await session.query(`alter role ${user} createdb`)
  await session.query(`grant pg_signal_backend to ${user}`)
  await session.end()
}

export type TestDatabase = Database & {
  /** The address for another connection or process. */
  url: string
  name: string
  /** Runs a query on another database of the cluster. */
  administer(text: string): Promise<void>
  /** Closes and drops the database. */
  drop(): Promise<void>
}

/** The initial contents of a database: filled once per run, then copied. */
export interface Model {
  name: string
  /** It starts as a copy of this one. */ from?: Model
  fill(database: TestDatabase): Promise<void>
}

/** Creates a database, empty or a copy of the model, with a pool of that many connections. Drop it in `afterAll`. */
export async function createTestDatabase(model?: Model, connections?: number): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const { pool } = await administrator()
  await createAs(name, model, pool)
  return opened(name, connections)
}

async function createAs(name: string, model: Model | undefined, pool: Database['pool']): Promise<void> {
  const template = model ? await filled(model, pool) : "template0 encoding 'UTF8'"
  // Copying files takes a third of the time that writing each page to the log does.
  await pool.query(`create database ${name} template ${template} strategy file_copy`)
}

async function opened(name: string, connections?: number): Promise<TestDatabase> {
  const url = await addressOf(name)
  const database = await openDatabase({ databaseUrl: url, dataDir: '', connections })
  return {
    ...database,
    url,
    name,
    administer,
    async drop() {
      await database.close()
      await administer(`drop database ${name} with (force)`)
    },
  }
}

async function administer(text: string): Promise<void> {
  await (await administrator()).pool.query(text)
}

/**
 * Returns the name of the model's database. The first caller creates it; it gets this name only when it is complete.
 */
async function filled({ name, from, fill }: Model, pool: Database['pool']): Promise<string> {
  const whole = `${inject('testDatabase').models}${name}`
  const connection = await pool.connect()
  try {
    // Others wait here until it is complete.
    await connection.query('select pg_advisory_lock(hashtext($1))', [whole])
    const { rows } = await connection.query('select 1 from pg_database where datname = $1', [whole])
    if (rows.length > 0) return whole
    await connection.query(`drop database if exists ${whole}_begun`)
    await createAs(`${whole}_begun`, from, pool)
    const begun = await opened(`${whole}_begun`)
    try {
      await fill(begun)
    } finally {
      await begun.close()
    }
    await connection.query(`alter database ${whole}_begun rename to ${whole}`)
    return whole
  } finally {
    await connection.query('select pg_advisory_unlock(hashtext($1))', [whole])
    connection.release()
  }
}
