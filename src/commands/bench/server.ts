import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const root = path.resolve(import.meta.dirname, '../../..')
export const password = 'Formwork-2026'

export interface BenchServer {
  url: string
  token: string
  pid: number
  /** Whether it found an empty database and filled it with demo data. */
  madeDemo: boolean
  stop(): Promise<void>
}

/**
 * The real server, as `npm run demo` starts it, on its own folders; with an address, on an empty database elsewhere.
 */
export const startServer = (
  schemas: string,
  dataDir: string,
  customers: number,
  databaseUrl = '',
): Promise<BenchServer> =>
  start(['src/commands/start.js', '--demo', '--customers', String(customers)], {
    NODE_ENV: 'production',
    SCHEMAS_DIR: schemas,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
  })

/** The server as `npm run dev` starts it, on its own folders, without records. */
export const startDevelopment = (schemas: string, dataDir: string): Promise<BenchServer> =>
  start(['--import', 'tsx', 'src/server.ts', '--dev'], { SCHEMAS_DIR: schemas, DATA_DIR: dataDir, DATABASE_URL: '' })

async function start(command: string[], environment: Record<string, string>): Promise<BenchServer> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, command, {
    cwd: root,
    env: { ...process.env, HOST: '127.0.0.1', PORT: String(port), ADMIN_PASSWORD: password, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const note = (data: Buffer) => {
    output = (output + data.toString()).slice(-4000)
  }
  child.stdout.on('data', note)
  child.stderr.on('data', note)
  let stopping = false
  process.once('exit', () => child.kill('SIGTERM'))
  child.once('exit', (code, signal) => {
    if (!stopping) console.error(`The server ended (${code ?? signal}):\n${output}`)
  })
  const stop = async () => {
    stopping = true
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  }
  for (const end = Date.now() + 600_000; ;) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('The server ended while it started.')
    const answer = await fetch(`${url}/api/health`).catch(() => undefined)
    if (answer?.ok) break
    if (Date.now() > end) {
      await stop()
      throw new Error(`The server did not become ready:\n${output}`)
    }
    await delay(200)
  }
  return { url, token: await signIn(url), pid: child.pid!, madeDemo: output.includes('Demo data:'), stop }
}

async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/vue-element-admin/user/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  })
  const { data, message } = (await answer.json()) as { data: { token: string } | null; message?: string }
  if (!data) throw new Error(`The administrator cannot sign in: ${message}`)
  return data.token
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}
