import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { type Database, connect, openDatabase } from '../engine/server/database.ts'
import { startEmbedded } from '../engine/server/embedded.ts'

/** The address of a database on the run's cluster, which is started if need be. */
async function addressOf(name?: string): Promise<string> {
  const { url, dataDir } = inject('testDatabase')
  // It is left running for the other test files; the run's global teardown stops it.
  const address = new URL(url ?? 'postgres://localhost/postgres')
  if (!url) {
    const { connection, adopted } = await startEmbedded({ dataDir, connect, share: true })
    if (!adopted) await forgetful(connection)
    address.username = connection.user
    address.searchParams.set('host', connection.host)
  }
  if (name) address.pathname = `/${name}`
  return address.href
}

/** What is thrown away after the run need not survive a power cut, and is there sooner. */
async function forgetful(address: Parameters<typeof connect>[0]): Promise<void> {
  const session = await connect(address, 'tests')
  await session.query('alter system set fsync = off')
  await session.query('select pg_reload_conf()')
  await session.end()
}

export type TestDatabase = Database & {
  /** For another connection or process. */
  url: string
  /** Closes it and removes it. */
  drop(): Promise<void>
}

/** What a database begins with; filled once in a run, then copied. */
export interface Model {
  name: string
  fill(database: Database): Promise<void>
}

/** A new database of its own, empty or like the model. Drop it in `afterAll`. */
export async function createTestDatabase(model?: Model): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const administration = await openDatabase({ databaseUrl: await addressOf(), dataDir: '' })
  try {
    const template = model ? await filled(model, administration) : "template0 encoding 'UTF8'"
    await administration.pool.query(`create database ${name} template ${template}`)
  } finally {
    await administration.close()
  }
  const url = await addressOf(name)
  const database = await openDatabase({ databaseUrl: url, dataDir: '' })
  return {
    ...database,
    url,
    async drop() {
      await database.close()
      const again = await openDatabase({ databaseUrl: await addressOf(), dataDir: '' })
      try {
        await again.pool.query(`drop database ${name} with (force)`)
      } finally {
        await again.close()
      }
    },
  }
}

/** The name of the model's database. The first that wants it makes it; it has its name when it is whole. */
async function filled({ name, fill }: Model, administration: Database): Promise<string> {
  const whole = `${inject('testDatabase').models}${name}`
  const connection = await administration.pool.connect()
  try {
    // Whoever comes while it is made waits as long as that takes.
    await connection.query('set statement_timeout = 0')
    await connection.query('select pg_advisory_lock(hashtext($1))', [whole])
    const { rows } = await connection.query('select 1 from pg_database where datname = $1', [whole])
    if (rows.length > 0) return whole
    await connection.query(`drop database if exists ${whole}_begun`)
    await connection.query(`create database ${whole}_begun template template0 encoding 'UTF8'`)
    const begun = await openDatabase({ databaseUrl: await addressOf(`${whole}_begun`), dataDir: '' })
    try {
      await fill(begun)
    } finally {
      await begun.close()
    }
    await connection.query(`alter database ${whole}_begun rename to ${whole}`)
    return whole
  } finally {
    await connection.query('select pg_advisory_unlock(hashtext($1))', [whole])
    await connection.query('reset statement_timeout')
    connection.release()
  }
}
