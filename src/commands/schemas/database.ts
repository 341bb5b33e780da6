import { resolve } from 'node:path'
import type { Database } from '../../../engine/server/postgres/database.ts'

const dataDirectory = () => resolve(process.env.DATA_DIR || './data')

/** @throws if there is no database, because opening would create an empty one */
export async function requireDatabase(): Promise<void> {
  if (process.env.DATABASE_URL) return
  const { hasEmbedded } = await import('../../../engine/server/postgres/embedded.ts')
  if (!hasEmbedded(dataDirectory()))
    throw new Error(
      `There is no database in ${dataDirectory()}: say with DATABASE_URL or DATA_DIR which one is meant, or leave --data out.`,
    )
}

/** The database is opened only for this, beside a server that may be running. */
export async function withDatabase<T>(run: (database: Database, dataDir: string) => Promise<T>): Promise<T> {
  const { openDatabase } = await import('../../../engine/server/postgres/database.ts')
  const dataDir = dataDirectory()
  const database = await openDatabase({
    databaseUrl: process.env.DATABASE_URL || undefined,
    dataDir,
    share: true,
    connections: 2,
  })
  try {
    return await run(database, dataDir)
  } finally {
    await database.close()
  }
}
