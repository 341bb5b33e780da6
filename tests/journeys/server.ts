import { spawn } from 'node:child_process'

/** Of the administrator and of the demo's users. */
export const password = 'Formwork-2026'

export interface StartOptions {
  /** DATA_DIR. */
  folder: string
  /** As `npm run dev` starts it: the client comes from its sources. */
  dev?: boolean
  environment?: Record<string, string>
}
export interface RunningServer {
  url: string
  /** Everything that it has printed. */
  output(): string
  /** As an operator ends it. */
  stop(): Promise<void>
  /** As a power cut does: SIGKILL. */
  kill(): Promise<void>
}

/** The product as `npm start` starts it, on a port of its own; ready to serve. */
export async function startServer({ folder, dev = false, environment = {} }: StartOptions): Promise<RunningServer> {
  // It is started as from a shell, and knows nothing of a test around it.
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(NODE_ENV|TEST|VITE.*|DEV|PROD|MODE|BASE_URL|SSR)$/.test(name)),
  )
  const child = spawn(
    process.execPath,
    dev ? ['--import', 'tsx', 'src/server.ts', '--dev'] : ['src/commands/start.js'],
    {
      env: {
        ...inherited,
        DATABASE_URL: '',
        ADMIN_PASSWORD: '',
        ...environment,
        PORT: '0',
        HOST: '127.0.0.1',
        DATA_DIR: folder,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  child.stdout.on('data', (data: Buffer) => {
    output += data.toString()
  })
  child.stderr.on('data', (data: Buffer) => {
    output += data.toString()
  })
  let ending = false
  const exited = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      if (!ending)
        process.stderr.write(`\nThe server of the test ended by itself (${signal ?? code}):\n${output.slice(-4000)}\n`)
      resolve()
    })
  })
  const end = (signal: 'SIGTERM' | 'SIGKILL') => {
    ending = true
    child.kill(signal)
    return exited
  }
  const limit = Date.now() + 240_000
  // The system gives it a port that nobody else has or gets, and it says which.
  const address = () => /Ready on (http:\/\/\S+) \(/.exec(output)?.[1]
  while (!address() || !(await fetch(`${address()}/api/health`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The server ended while it started:\n${output}`)
    if (Date.now() > limit) {
      await end('SIGKILL')
      throw new Error(`The server did not become ready:\n${output}`)
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 100)
    })
  }
  return { url: address()!, output: () => output, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') }
}
