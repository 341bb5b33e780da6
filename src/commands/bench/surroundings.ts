import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { BrowserContext } from 'playwright-core'
import { openDatabase } from '../../../engine/server/postgres/database.ts'
import type { Database } from '../../../engine/server/postgres/database.ts'
import { schemasDirectory } from '../../../engine/server/catalog/sources.ts'
import { openBrowser } from './browser.ts'
import { buildPages, serveBoth } from './pages.ts'
import { writeSchemas } from './schemas.ts'
import { startServer } from './server.ts'
import type { BenchServer } from './server.ts'

/** What the parts of the benchmark run on. Each thing is created on first use. */
export interface Surroundings {
  folder: string
  /** The product's, without the benchmark's own. */
  schemas: string
  server(): Promise<BenchServer>
  pool(): Promise<Database['pool']>
  /** A browser on one origin that has the server and the hand-written pages. */
  open(signedIn: boolean): Promise<BrowserContext>
  /** The version of the browser, if one was opened. */
  version(): string | undefined
  close(): Promise<void>
}

/** @param databaseUrl an empty PostgreSQL, or one that has demo data, instead of the embedded one. */
export function surroundings({
  customers,
  databaseUrl,
}: {
  /** Of the demo data. */ customers: number
  databaseUrl?: string
}): Surroundings {
  const folder = mkdtempSync(path.join(tmpdir(), 'formwork-bench-'))
  const dataDir = path.join(folder, 'data')
  const closing: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
  let version: string | undefined

  const server = once(async () => {
    const schemas = path.join(folder, 'schemas')
    writeSchemas(schemasDirectory(), schemas)
    const start = () => startServer(schemas, dataDir, customers, databaseUrl)
    const first = await start()
    // Starts again, so that memory left from making the demo data is not measured.
    if (first.madeDemo) await first.stop()
    const started = first.madeDemo ? await start() : first
    closing.push(() => started.stop())
    return started
  })
  const pool = once(async () => {
    await server()
    const database = await openDatabase({ dataDir, share: true, connections: 20, ...(databaseUrl && { databaseUrl }) })
    closing.push(() => database.close())
    return database.pool
  })
  const origin = once(async () => {
    const pages = path.join(folder, 'pages')
    await buildPages(pages)
    const both = await serveBoth(pages, (await server()).url)
    closing.push(() => both.close())
    return both.url
  })
  const browser = once(async () => {
    const opened = await openBrowser((await server()).token)
    closing.push(() => opened.close())
    version = opened.version
    return opened
  })
  return {
    folder,
    schemas: schemasDirectory(),
    server,
    pool,
    open: async (signedIn) => (await browser()).context(await origin(), signedIn),
    version: () => version,
    async close() {
      for (const each of closing.splice(0).reverse()) await each()
    },
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
