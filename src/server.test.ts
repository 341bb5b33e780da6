import { spawn, type ChildProcess } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let folder: string
let running: ChildProcess | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'formwork-start-'))
})
afterEach(async () => {
  // A killed server leaves its database running: one more start, and a stop in good order, take it down.
  if (running?.exitCode === null && running.signalCode === null) await stop('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
})

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const probe = createServer()
      .once('error', reject)
      .listen(0, '127.0.0.1', () => {
        const address = probe.address()
        probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
      })
  })

interface Started {
  url: string
  output(): string
  ended: Promise<number | null>
}

function launch(port: number, environment: Record<string, string>): Started {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/server.ts'], {
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: folder,
      DATABASE_URL: '',
      ADMIN_PASSWORD: '',
      BUSINESS_DATE: '',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (data: Buffer) => {
    output += data.toString()
  })
  child.stderr.on('data', (data: Buffer) => {
    output += data.toString()
  })
  running = child
  return {
    url: `http://127.0.0.1:${port}/api`,
    output: () => output,
    ended: new Promise((resolve) => child.once('exit', resolve)),
  }
}

async function start(environment: Record<string, string> = {}): Promise<Started> {
  const started = launch(await freePort(), environment)
  let ended = false
  void started.ended.then(() => {
    ended = true
  })
  while (!ended) {
    if ((await fetch(`${started.url}/health`).catch(() => undefined))?.ok) return started
    await new Promise((resolve) => {
      setTimeout(resolve, 50)
    })
  }
  throw new Error(started.output())
}

function stop(signal: 'SIGTERM'): Promise<unknown> {
  const ended = new Promise((resolve) => running!.once('exit', resolve))
  running!.kill(signal)
  return ended
}

describe('the server', () => {
  it('stops though somebody keeps a connection open and asks nothing, as browsers do', async () => {
    const { url, ended } = await start()
    const silent = connect(Number(new URL(url).port), '127.0.0.1')
    silent.on('error', () => undefined)
    await new Promise((resolve) => {
      silent.once('connect', resolve)
    })
    await stop('SIGTERM')
    expect(await ended).toBe(0)
  }, 60_000)

  it('does not start on broken schema files, and says all that is wrong with them', async () => {
    const schemas = join(folder, 'schemas')
    cpSync('schemas', schemas, { recursive: true })
    writeFileSync(
      join(schemas, 'customer/agency.list.json'),
      '{\n  "entity": "agency", "title": { "cn": "机构", "en": "Agencies" },\n  "columns": ["nmae", "kimd"]\n}\n',
    )
    const { ended, output } = launch(await freePort(), { SCHEMAS_DIR: schemas })
    expect(await ended).toBe(1)
    expect(output()).toContain('customer/agency.list.json:3:15')
    expect(output()).toContain('agency has no field "nmae"')
    expect(output()).toContain('"kimd"')
  }, 60_000)
})
