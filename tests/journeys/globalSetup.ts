import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { launchBrowser } from './browser.ts'

declare module 'vitest' {
  interface ProvidedContext {
    browser: string
    /** The address of the host of all journeys, `host.ts`. */
    host: string
    /** The file of the product's catalog, compiled once for all files. */
    catalogFile: string
  }
}

const tsx = ['--import', 'tsx']

/** Builds the client, and starts one browser and the host of all journeys, which goes on to make the demo. */
export default async function setup(project: TestProject) {
  const home = process.env.JOURNEYS_HOME ?? mkdtempSync(path.join(tmpdir(), 'formwork-journeys-'))
  // Builds what is served, without the environment of the test run.
  const environment = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(NODE_ENV|TEST|VITE.*|DEV|PROD|MODE|BASE_URL|SSR)$/.test(name)),
  )
  const { status } = spawnSync(process.execPath, ['src/commands/start.js', '--build'], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error('The client could not be built.')

  const known = await kept(home)
  const host = known ? undefined : startHost(home, environment)
  const [browser, url] = await Promise.all([launchBrowser(), known ?? host!.address])
  project.provide('host', url)
  project.provide('catalogFile', path.join(home, 'catalog.json'))
  project.provide('browser', browser.wsEndpoint())
  return async () => {
    await browser.close()
    if (process.env.JOURNEYS_HOME) {
      // Ends the shared servers, which no file ends; only one run at a time uses a kept host.
      await fetch(`${url}/end`, { method: 'POST' })
      if (host) writeFileSync(path.join(home, 'host'), `${url}\n${host.pid}`)
      return host?.leave()
    }
    await host!.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

/**
 * The address of the host that JOURNEYS_HOME has kept from the last run, for work on journeys rather than on the
 * server.
 */
async function kept(home: string): Promise<string | undefined> {
  const file = path.join(home, 'host')
  const url = existsSync(file) ? readFileSync(file, 'utf8').split('\n')[0] : undefined
  return (
    url &&
    (await fetch(url).then(
      () => url,
      () => undefined,
    ))
  )
}

function startHost(home: string, environment: NodeJS.ProcessEnv) {
  const host = spawn(
    process.execPath,
    ['--max-semi-space-size=64', '--always-sparkplug', ...tsx, 'tests/journeys/host.ts', home],
    {
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: Boolean(process.env.JOURNEYS_HOME),
    },
  )
  const exited = new Promise<void>((resolve) => {
    host.once('exit', () => resolve())
  })
  const address = new Promise<string>((resolve, reject) => {
    let output = ''
    host.stdout.on('data', (data: Buffer) => {
      output += data.toString()
      const match = /Host on (http:\S+)/.exec(output)
      if (match) resolve(match[1])
    })
    void exited.then(() => reject(new Error(`The host of the journeys ended:\n${output}`)))
  })
  return {
    address,
    pid: host.pid,
    /** Lets the host go on when this process ends. */
    leave() {
      host.stdout.destroy()
      host.unref()
    },
    stop() {
      host.kill('SIGTERM')
      return exited
    },
  }
}
