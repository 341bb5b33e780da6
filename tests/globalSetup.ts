import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext { testDatabase: { url?: string; dataDir: string } }
}

/**
 * One database cluster for a whole test run: TEST_DATABASE_URL, or an embedded one. The first test that wants it starts it, so that a
 * run without such tests costs nothing.
 */
export default function setup(project: TestProject) {
  const dataDir = mkdtempSync(join(tmpdir(), 'formwork-tests-'))
  project.provide('testDatabase', { url: process.env.TEST_DATABASE_URL || undefined, dataDir })
  return async () => {
    if (existsSync(join(dataDir, 'postgres', 'postmaster.pid'))) {
      const { connect } = await import('../engine/server/database.ts')
      const { startEmbedded } = await import('../engine/server/embedded.ts')
      await (await startEmbedded({ dataDir, connect })).stop()
    }
    rmSync(dataDir, { recursive: true, force: true })
  }
}
