import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { useServer } from './app.ts'
import { copyDemo } from './demo.ts'
import { startServer } from './server.ts'

/**
 * All tests around the call are of a server of their own, on the demo's data and a copy of the schema files that they
 * may change.
 * @param prepare changes the files before the server starts, and answers with what is in its environment besides
 * @returns where the copy is, and a folder around it for whatever else a test takes
 */
export function serveCopiedSchemas({
  dev = false,
  prepare = () => ({}),
}: { dev?: boolean; prepare?(schemas: string, home: string): Record<string, string> } = {}): {
  home: string
  schemas: string
} {
  const home = mkdtempSync(path.join(tmpdir(), 'formwork-schemas-'))
  const schemas = path.join(home, 'schemas')
  let end: (() => Promise<void>) | undefined
  beforeAll(async () => {
    cpSync('schemas', schemas, { recursive: true })
    const environment = prepare(schemas, home)
    const { start, remove } = await copyDemo()
    const server = await startServer({
      ...start,
      dev,
      environment: { ...start.environment, SCHEMAS_DIR: schemas, ...environment },
    })
    useServer(server.url)
    end = async () => {
      await server.stop()
      await remove()
    }
  })
  afterAll(async () => {
    await end?.()
    rmSync(home, { recursive: true, force: true })
  })
  return { home, schemas }
}
