import { spawn } from 'node:child_process'

/** The password of the administrator and of the demo's users. */
export const password = 'Formwork-2026'

export interface StartOptions {
  /** The value of DATA_DIR. */
  folder: string
  /** Whether to start as `npm run dev` does, with the client from its sources. */
  dev?: boolean
  environment?: Record<string, string>
}
export interface RunningServer {
  url: string
  /** Everything printed so far. */
  output(): string
  /** Stops the server as an operator does: SIGTERM. */
  stop(): Promise<void>
  /** Ends the server as a power cut does: SIGKILL. */
  kill(): Promise<void>
}

/** Starts the product as `npm start` does, on a port of its own, and waits until it is ready. */
export async function startServer({ folder, dev = false, environment = {} }: StartOptions): Promise<RunningServer> {
  // Started as from a shell, without the environment of the test run.
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
  // The system assigns a free port, and the server prints it.
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
