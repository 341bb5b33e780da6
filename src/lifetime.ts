/** How the process ends: in good order, and within its limit whatever happens. */

/** Milliseconds from the signal to the end of the process, at most. */
export const endLimit = 20_000

export interface Lifetime {
  /** What is to be closed by now; it replaces what was before. */
  closeWith(close: () => Promise<void>): void
  /** Who is told what nobody expected, by now. */
  logWith(log: (error: unknown, what: string) => void): void
  /** How often something happened that nobody expected, and nobody waited for. */
  faults(): number
  /** Settles never, or when the process is about to end. */
  ended: Promise<void>
  isEnding(): boolean
}

/**
 * SIGINT and SIGTERM end the process with 0. What nobody caught leaves it in a state that nobody knows: it is logged and
 * counted, whoever is being served is served to the end, and then it ends with 1, to be started again by whoever starts it.
 */
export function lifetime(limit = endLimit): Lifetime {
  let close = async () => {}
  let log = (error: unknown, what: string) => console.error(what, error)
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
