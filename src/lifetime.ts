/** Shuts the process down cleanly, within a time limit. */
import { withoutValues } from '../engine/server/http/redact.ts'

/** The most milliseconds from the signal to the end of the process. */
export const endLimit = 20_000

export interface Lifetime {
  /** Sets how to close what is open now; replaces the previous function. */
  closeWith(close: () => Promise<void>): void
  /** Sets where uncaught errors are logged from now on. */
  logWith(log: (error: unknown, what: string) => void): void
  /** The number of uncaught errors and unhandled rejections. */
  faults(): number
  /** Resolves when the process is about to end, otherwise never. */
  ended: Promise<void>
  isEnding(): boolean
}

/**
 * SIGINT and SIGTERM end the process with 0. An uncaught error leaves it in an unknown state: it is logged and counted,
 * requests in progress are answered, and the process ends with 1 to be restarted.
 */
export function lifetime(limit = endLimit): Lifetime {
  let close = async () => {}
  let log = (error: unknown, what: string) => console.error(what, withoutValues(error))
  let faults = 0
  let ending = false
  let finish = () => {}
  const ended = new Promise<void>((resolve) => {
    finish = resolve
  })

  const end = async (code: number) => {
    if (ending) return
    ending = true
    setTimeout(() => {
      log(undefined, `The process did not end in good order within ${limit / 1000} s.`)
      process.exit(code || 1)
    }, limit)
    try {
      await close()
    } catch (error) {
      log(error, 'The process did not end in good order.')
      code ||= 1
    }
    finish()
    process.exit(code)
  }
  const fault = (what: string) => (error: unknown) => {
    faults++
    log(error, what)
    void end(1)
  }

  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(0))
  process.on('uncaughtException', fault('An error that nobody caught: the process ends when its work is done.'))
  process.on('unhandledRejection', fault('A failure that nobody waited for: the process ends when its work is done.'))
  return {
    closeWith: (next) => {
      close = next
    },
    logWith: (next) => {
      log = next
    },
    faults: () => faults,
    ended,
    isEnding: () => ending,
  }
}
