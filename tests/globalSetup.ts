import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    testDatabase: {
      url?: string
      dataDir: string
      /** What the names of this run's models begin with. */ models: string
    }
  }
}

/**
 * One database cluster for a whole test run: TEST_DATABASE_URL, or an embedded one. The first test that wants it starts
 * it, so that a run without such tests costs nothing.
 */
export default function setup(project: TestProject) {
  const dataDir = mkdtempSync(join(tmpdir(), 'formwork-tests-'))
  const url = process.env.TEST_DATABASE_URL || undefined
  const models = `model_${randomBytes(6).toString('hex')}_`
  project.provide('testDatabase', { url, dataDir, models })
  return async () => {
    if (url) await dropModels(url, models)
    if (existsSync(join(dataDir, 'postgres', 'postmaster.pid'))) {
      const { connect } = await import('../engine/server/database.ts')
      const { startEmbedded } = await import('../engine/server/embedded.ts')
      await (await startEmbedded({ dataDir, connect })).stop()
    }
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** On a database of somebody else's nothing is left behind. */
async function dropModels(databaseUrl: string, models: string): Promise<void> {
  const { openDatabase } = await import('../engine/server/database.ts')
  const { pool, close } = await openDatabase({ databaseUrl, dataDir: '' })
  const { rows } = await pool.query<{ datname: string }>(
    'select datname from pg_database where starts_with(datname, $1)',
    [models],
  )
  for (const { datname } of rows) await pool.query(`drop database ${datname} with (force)`)
  await close()
}
