import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { compile } from '../../engine/schema/compile.ts'
import { readSchemas } from '../../engine/server/sources.ts'
import { lists } from '../../src/lists.ts'
import { launchBrowser } from './browser.ts'
import { password, startServer } from './server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    browser: string
    demoFolder: string
    /** The product's catalog, compiled once for all files. */ catalogFile: string
  }
}

/**
 * Compiles the schema files, builds the client, fills one data folder with demo data for all journeys to copy, and
 * starts one browser.
 */
export default async function setup(project: TestProject) {
  const home = mkdtempSync(path.join(tmpdir(), 'formwork-journeys-'))
  const demoFolder = path.join(home, 'demo')
  const { catalog, issues } = compile(readSchemas('schemas'), lists)
  if (!catalog) throw new Error(`The schemas have issues: ${JSON.stringify(issues)}`)
  const catalogFile = path.join(home, 'catalog.json')
  writeFileSync(catalogFile, JSON.stringify(catalog))
  const [browser] = await Promise.all([
    launchBrowser(),
    startServer({ folder: demoFolder, demo: true, environment: { ADMIN_PASSWORD: password } }).then((server) =>
      server.stop(),
    ),
  ])
  // What the journeys do to their copies is thrown away, and need not survive a power cut.
  appendFileSync(path.join(demoFolder, 'postgres/postgresql.conf'), '\nfsync = off\n')
  project.provide('demoFolder', demoFolder)
  project.provide('catalogFile', catalogFile)
  project.provide('browser', browser.wsEndpoint())
  return async () => {
    await browser.close()
    rmSync(home, { recursive: true, force: true })
  }
}
