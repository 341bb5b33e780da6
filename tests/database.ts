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
    const { connection } = await startEmbedded({ dataDir, connect, share: true })
    address.username = connection.user
    address.searchParams.set('host', connection.host)
  }
  if (name) address.pathname = `/${name}`
  return address.href
}

export type TestDatabase = Database & {
  /** For another connection or process. */
  url: string
  /** Closes it and removes it. */
  drop(): Promise<void>
}

/** A new, empty database of its own. Drop it in `afterAll`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const administration = await openDatabase({ databaseUrl: await addressOf(), dataDir: '' })
  try {
    await administration.pool.query(`create database ${name} template template0 encoding 'UTF8'`)
  } finally {
    await administration.close()
  }
  const url = await addressOf(name)
  const database = await openDatabase({ databaseUrl: url, dataDir: '' })
  return {
    ...database, url,
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
