import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { launchBrowser } from './browser.ts'
import { password, startServer } from './server.ts'

declare module 'vitest' {
  interface ProvidedContext { browser: string; demoFolder: string }
}

/** Builds the client, fills one data folder with demo data for all journeys to copy, and starts one browser. */
export default async function setup(project: TestProject) {
  const home = mkdtempSync(path.join(tmpdir(), 'formwork-journeys-'))
  const demoFolder = path.join(home, 'demo')
  const [browser] = await Promise.all([
    launchBrowser(),
    startServer({ folder: demoFolder, demo: true, environment: { ADMIN_PASSWORD: password } }).then((server) => server.stop()),
  ])
  project.provide('demoFolder', demoFolder)
  project.provide('browser', browser.wsEndpoint())
  return async () => {
    await browser.close()
    rmSync(home, { recursive: true, force: true })
  }
}
