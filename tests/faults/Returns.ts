/** How long service is away in the repetitions of one fault, and whether it comes back in time. */
import { setTimeout as passed } from 'node:timers/promises'
import type { Load } from './Load.ts'

/** The most milliseconds to wait for service. */
const patience = 180_000

export class Returns {
  readonly #away: number[] = []
  readonly #since: number[] = []
  readonly #within: number

  /** @param within the most milliseconds between the return of what service needs and service */
  constructor(within: number) {
    this.#within = within
  }

  /**
   * Call when what service needs is back, such as the database.
   * @param fault when the fault began, if that is to be measured too
   * @throws if service does not come back
   */
  async wait(load: Load, fault?: number): Promise<void> {
    const back = performance.now()
    const giveUp = new AbortController()
    const never = async () => {
      await passed(patience, undefined, { signal: giveUp.signal })
      throw new Error(`No service within ${patience / 1000} s of the end of the fault.`)
    }
    const waiting = never()
    try {
      await Promise.race([load.served(), waiting])
    } finally {
      giveUp.abort()
      await Promise.allSettled([waiting])
    }
    if (fault !== undefined) this.#away.push(performance.now() - fault)
    this.#since.push(performance.now() - back)
  }

  /** Whether service came back too late at least once. */
  get isLate(): boolean {
    return this.#since.some((time) => time > this.#within)
  }

  /** @param back what came back, if the time since the fault was measured too */
  text(back: string): string {
    const since =
      this.#away.length > 0 ? `${seconds(this.#away)}, ${seconds(this.#since)} after ${back}` : seconds(this.#since)
    return `served again after ${since}${this.isLate ? `, which is LATER THAN ${this.#within / 1000} s` : ''}`
  }
}

function seconds(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b).map((time) => (time / 1000).toFixed(1))
  return `${sorted[0]} to ${sorted.at(-1)} s (median ${sorted[Math.floor(sorted.length / 2)]} s)`
}
