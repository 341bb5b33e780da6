import { randomUUID } from 'node:crypto'
import { cpSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { leaveServer, useServer } from './app.ts'
import { callHost, copyDemo } from './demo.ts'
import { startServer } from './server.ts'

/** A copy of the schema files, and the folder around it for anything else that a test needs. */
interface Place {
  home: string
  schemas: string
}
interface Served {
  url: string
  id?: string
  end(): Promise<unknown>
}

/**
 * Runs the tests around the call on a server of their own, with the demo data and a copy of the schema files, which
 * they may change and have read again.
 * @param prepare changes the files before the server starts
 */
export const serveCopiedSchemas = ({ prepare }: { prepare?(schemas: string): void } = {}): Place =>
  around(async ({ schemas }) => {
    prepare?.(schemas)
    const { id, url } = await callHost<{ id: string; url: string }>(`/begin?schemas=${encodeURIComponent(schemas)}`)
    return { id, url, end: () => callHost(`/end?id=${id}`) }
  })

/**
 * The same with the server that `npm run dev` starts: it watches the files and serves the client from its sources.
 * @param prepare returns additional environment variables
 */
export const developOnCopiedSchemas = (prepare: (home: string) => Record<string, string>): Place =>
  around(async ({ home, schemas }) => {
    const { start, remove } = await copyDemo()
    const server = await startServer({
      ...start,
      dev: true,
      environment: { ...start.environment, SCHEMAS_DIR: schemas, ...prepare(home) },
    })
    return {
      url: server.url,
      async end() {
        await server.stop()
        await remove()
      },
    }
  })

function around(serve: (place: Place) => Promise<Served>): Place {
  const home = path.join(tmpdir(), `formwork-schemas-${randomUUID()}`)
  const place = { home, schemas: path.join(home, 'schemas') }
  let served: Served | undefined
  beforeAll(async () => {
    cpSync('schemas', place.schemas, { recursive: true })
    served = await serve(place)
    useServer(served.url, served.id)
  })
  afterAll(async () => {
    if (served) {
      await leaveServer(served.url)
      await served.end()
    }
    rmSync(home, { recursive: true, force: true })
  })
  return place
}
