import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { isRunning } from '../engine/server/files/leftovers.ts'
import { roomiest } from './roomiest.ts'

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
 * One embedded database cluster for a whole test run. The first test that wants it starts it, so that a run without such
 * tests costs nothing.
 */
export default function setup(project: TestProject) {
  return provideDatabase(project)
}

/** @param url of a cluster that is there; else an embedded one */
export async function provideDatabase(project: TestProject, url?: string) {
  // The projects of a run have one of each kind between them.
  const run = `${process.pid}_${Math.round(performance.timeOrigin)}`
  const dataDir = join(roomiest(), `formwork-tests-${run}${url ? '-other' : ''}`)
  await clearKilled(dirname(dataDir))
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const models = `model_${run}_`
  project.provide('testDatabase', { url, dataDir, models })
  return async () => {
    if (url) await dropModels(url, models)
    await removeData(dataDir)
  }
}

/** What runs left that were killed: it would keep the memory. */
async function clearKilled(folder: string): Promise<void> {
  for (const name of readdirSync(folder)) {
    const [, pid] = /^formwork-tests-(\d+)_/.exec(name) ?? []
    if (pid && !isRunning(Number(pid))) await removeData(join(folder, name))
  }
}

async function removeData(dataDir: string): Promise<void> {
  if (existsSync(join(dataDir, 'postgres', 'postmaster.pid'))) {
    const { connect } = await import('../engine/server/postgres/database.ts')
    const { startEmbedded } = await import('../engine/server/postgres/embedded.ts')
    await (await startEmbedded({ dataDir, connect })).stop()
  }
  rmSync(dataDir, { recursive: true, force: true })
}

/** On a database of somebody else's nothing is left behind. */
async function dropModels(databaseUrl: string, models: string): Promise<void> {
  const { openDatabase } = await import('../engine/server/postgres/database.ts')
  const { pool, close } = await openDatabase({ databaseUrl, dataDir: '' })
  const { rows } = await pool.query<{ datname: string }>(
    'select datname from pg_database where starts_with(datname, $1)',
    [models],
  )
  for (const { datname } of rows) await pool.query(`drop database ${datname} with (force)`)
  await close()
}
