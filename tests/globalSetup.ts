import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { isRunning } from '../engine/server/files/leftovers.ts'
import { roomiest } from './roomiest.ts'

declare module 'vitest' {
  interface ProvidedContext {
    testDatabase: {
      url?: string
      dataDir: string
      /** The prefix of the names of this run's model databases. */ models: string
    }
  }
}

/**
 * One embedded database cluster for a whole test run. The first test that needs a database starts it, so that a run
 * without such tests does not pay for it.
 */
export default function setup(project: TestProject) {
  return provideDatabase(project)
}

/** @param url the address of an existing cluster; an embedded one is used by default */
export async function provideDatabase(project: TestProject, url?: string) {
  // The projects of a run share one directory for the embedded cluster and one for the other.
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

/**
 * Removes the data of runs that were killed, which would otherwise occupy memory. A run renames a folder to its own name
 * first: only one of several that start at once can, and if it is killed meanwhile, the folder is again one to remove.
 */
export async function clearKilled(folder: string, remove = removeData): Promise<void> {
  for (const name of readdirSync(folder)) {
    const [, pid, run] = /^formwork-tests-(\d+)_(.*)$/.exec(name) ?? []
    if (!pid || isRunning(Number(pid))) continue
    const claimed = join(folder, `formwork-tests-${process.pid}_${pid}_${run}`)
    if (!takes(join(folder, name), claimed)) continue
    try {
      await remove(claimed)
    } catch (error) {
      // One of its processes may still be ending; the next run clears what is left.
      console.warn(`${claimed} is not removed yet: ${String(error)}`)
    }
  }
}

function takes(path: string, claimed: string): boolean {
  try {
    renameSync(path, claimed)
    return true
  } catch (error) {
    // Another run was faster.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
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

/** Leaves nothing behind in a cluster that is not ours. */
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
