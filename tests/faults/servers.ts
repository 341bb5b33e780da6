/** Real servers, each a process of its own. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

export const password = 'Formwork-2026'

export interface ServerProcess {
  url: string
  output(): string
  /** Resolves when the server answers. @throws with its output if it has ended. */
  ready(): Promise<void>
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

const soon = () =>
  new Promise((resolve) => {
    setTimeout(resolve, 50)
  })

/** Starts a server from its sources, or as operators start it, built, if `file` says so. */
export function startServer(
  port: number,
  environment: Record<string, string>,
  file: 'src/server.ts' | 'src/commands/start.js' = 'src/server.ts',
): ServerProcess {
  const child: ChildProcess = spawn(process.execPath, [...(file.endsWith('.ts') ? ['--import', 'tsx'] : []), file], {
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_URL: '',
      BUSINESS_DATE: '2026-03-15',
      ADMIN_PASSWORD: password,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (data: Buffer) => {
      output = (output + data.toString()).slice(-20_000)
    })
  let running = true
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      running = false
      resolve()
    })
  })
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    output: () => output,
    async ready() {
      for (; running; await soon()) if ((await fetch(`${url}/api/health`).catch(() => undefined))?.ok) return
      throw new Error(output)
    },
    async end(signal) {
      child.kill(signal)
      await ended
    },
  }
}

export const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const probe = createServer()
      .once('error', reject)
      .listen(0, '127.0.0.1', () => {
        const address = probe.address()
        probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
      })
  })

export async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/vue-element-admin/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  })
  const { data, message } = (await answer.json()) as { data: { token: string } | null; message?: string }
  if (!data) throw new Error(message)
  return data.token
}

/** @returns the id of what was created */
export const creating = (url: string, token: string) => async (path: string, values: object) => {
  const answer = await fetch(`${url}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', token },
    body: JSON.stringify({ values }),
  })
  const { code, message, result } = (await answer.json()) as { code: number; message: string; result: { id: number } }
  if (code !== 1) throw new Error(`${path}: ${message}`)
  return result.id
}

export const postmasterOf = (dataDir: string): number =>
  Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])

/** The postmaster and its child processes. */
export const processesOf = (postmaster: number): number[] => [
  postmaster,
  ...execFileSync('ps', ['-o', 'pid=', '--ppid', String(postmaster)], { encoding: 'utf8' })
    .trim()
    .split(/\s+/)
    .map(Number),
]
