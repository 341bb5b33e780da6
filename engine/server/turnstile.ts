import { Refusal } from './errors.ts'

interface Waiting {
  key: string
  enter(): void
}

/**
 * A queue that admits a limited number at a time, overall and for each key. If too many wait, further ones are refused,
 * so that one user cannot exhaust memory or delay everybody.
 */
export class Turnstile {
  readonly #inside = new Map<string, number>()
  readonly #waiting: Waiting[] = []
  #count = 0
  readonly #limits

  constructor(limits: { atOnce: number; perKey?: number; waiting: number; waitingPerKey?: number }) {
    this.#limits = limits
  }

  /** @returns a function to leave; calling it again does nothing. @throws Refusal tooManyRequests. */
  async enter(key = ''): Promise<() => void> {
    if (!this.#isOpen(key)) {
      const { waiting, waitingPerKey = waiting } = this.#limits
      const same = this.#waiting.filter((each) => each.key === key).length
      if (this.#waiting.length >= waiting || same >= waitingPerKey) throw new Refusal('tooManyRequests')
      await new Promise<void>((enter) => {
        this.#waiting.push({ key, enter })
      })
    } else this.#admit(key)
    let left = false
    return () => {
      if (left) return
      left = true
      this.#leave(key)
    }
  }

  async run<T>(work: () => Promise<T>, key?: string): Promise<T> {
    const leave = await this.enter(key)
    try {
      return await work()
    } finally {
      leave()
    }
  }

  #isOpen(key: string): boolean {
    const { atOnce, perKey = atOnce } = this.#limits
    return this.#count < atOnce && (this.#inside.get(key) ?? 0) < perKey
  }

  #admit(key: string): void {
    this.#count++
    this.#inside.set(key, (this.#inside.get(key) ?? 0) + 1)
  }

  #leave(key: string): void {
    this.#count--
    const rest = this.#inside.get(key)! - 1
    if (rest > 0) this.#inside.set(key, rest)
    else this.#inside.delete(key)
    // The first that may enter: one user's many waiting requests do not block the next user's.
    const next = this.#waiting.findIndex((waiting) => this.#isOpen(waiting.key))
    if (next < 0) return
    const [first] = this.#waiting.splice(next, 1)
    this.#admit(first.key)
    first.enter()
  }
}
