import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { launchBrowser } from './browser.ts'

declare module 'vitest' {
  interface ProvidedContext {
    browser: string
    /** Serves all journeys: `host.ts`. */
    host: string
    /** The product's catalog, compiled once for all files. */
    catalogFile: string
  }
}

const tsx = ['--import', 'tsx']

/** Builds the client, starts the host of all journeys, which goes on to make the demo, and one browser. */
export default async function setup(project: TestProject) {
  const home = process.env.JOURNEYS_HOME ?? mkdtempSync(path.join(tmpdir(), 'formwork-journeys-'))
  // What is built is what is served, and not what a test around it would have.
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
      // What the files shared is left by none of them. One run at a time is on a kept host.
      await fetch(`${url}/end`, { method: 'POST' })
      if (host) writeFileSync(path.join(home, 'host'), `${url}\n${host.pid}`)
      return host?.leave()
    }
    await host!.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

/** The host that JOURNEYS_HOME has kept from the last run: for whoever works on a journey, and not on the server. */
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
  const host = spawn(process.execPath, ['--max-semi-space-size=64', ...tsx, 'tests/journeys/host.ts', home], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: Boolean(process.env.JOURNEYS_HOME),
  })
  const exited = new Promise<void>((resolve) => {
    host.once('exit', () => resolve())
  })
  const address = new Promise<string>((resolve, reject) => {
    let output = ''
    host.stdout.on('data', (data: Buffer) => {
      output += data.toString()
      const said = /Host on (http:\S+)/.exec(output)
      if (said) resolve(said[1])
    })
    void exited.then(() => reject(new Error(`The host of the journeys ended:\n${output}`)))
  })
  return {
    address,
    pid: host.pid,
    /** It stays when this process ends. */
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
