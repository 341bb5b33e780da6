/**
 * Concurrent writers that repeat each request until it is acknowledged, as browsers and programs do, and the answers
 * that they got.
 */
import { randomUUID } from 'node:crypto'

export interface LoadOptions {
  /** The servers to send requests to, as of now. */
  urls(): readonly string[]
  token: string
  path: string
  /** The values of a write by this payer. */
  values(name: string): object
  workers?: number
}

/** The results as the clients saw them. */
export interface LoadResults {
  acknowledged: number
  /** Requests sent again with their key, whether or not the first was answered. */
  replayed: number
  /** Answered with 503 or "busy", to be repeated. */
  refused: number
  /** The connection broke without an answer. */
  broken: number
  /** Any other answer; there should be none. */
  unexpected: string[]
}

/** Milliseconds between attempts while nobody answers. */
const pace = 20
const paced = () =>
  new Promise((resolve) => {
    setTimeout(resolve, pace)
  })
/** One in this many requests is sent twice at once. */
const twiceIn = 5

export class Load {
  readonly results: LoadResults = { acknowledged: 0, replayed: 0, refused: 0, broken: 0, unexpected: [] }
  readonly names = new Set<string>()
  readonly prefix = `${randomUUID().slice(0, 8)}-`
  readonly #options: LoadOptions
  readonly #running: Promise<unknown>
  #waiting: { since: number; notify: () => void }[] = []
  #stopped = false

  constructor(options: LoadOptions) {
    this.#options = options
    const workers = Array.from({ length: options.workers ?? 4 }, (_, index) => this.#write(index))
    this.#running = Promise.all(workers)
  }

  /** @returns the milliseconds until a write begun after this call is acknowledged */
  async served(): Promise<number> {
    const since = performance.now()
    await new Promise<void>((resolve) => {
      this.#waiting.push({ since, notify: resolve })
    })
    return performance.now() - since
  }

  /** Waits until so many more writes are acknowledged. */
  async more(count: number): Promise<void> {
    for (const until = this.names.size + count; this.names.size < until;) await this.served()
  }

  /** Waits until so many more requests are refused. */
  async refusals(count: number): Promise<void> {
    for (const until = this.results.refused + count; this.results.refused < until && !this.#stopped;) await paced()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#running
  }

  async #write(worker: number): Promise<void> {
    for (let count = 0; !this.#stopped; count++) {
      const name = `${this.prefix}${worker}-${count}`
      const send = this.#request(name)
      for (let attempt = 0; !this.#stopped || attempt === 0; attempt++) {
        const since = performance.now()
        const twice = (count + worker) % twiceIn === 0
        if (attempt > 0 || twice) this.results.replayed++
        const answers = await Promise.all(twice ? [send(), send()] : [send()])
        if (answers.includes(true)) {
          this.names.add(name)
          this.results.acknowledged++
          const due = this.#waiting.filter((each) => since > each.since)
          this.#waiting = this.#waiting.filter((each) => !due.includes(each))
          for (const { notify } of due) notify()
          break
        }
        await paced()
      }
    }
    for (const { notify } of this.#waiting) notify()
  }

  /** @returns a function that sends the request, always with the same key, and says whether it was acknowledged */
  #request(name: string): () => Promise<boolean> {
    const { urls, token, path, values } = this.#options
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/json', token, 'idempotency-key': randomUUID() },
      body: JSON.stringify({ values: values(name) }),
    }
    let next = 0
    return async () => {
      const known = urls()
      try {
        const answer = await fetch(`${known[next++ % known.length]}/api${path}`, request)
        const { code, message } = (await answer.json()) as { code: number; message: string }
        if (code === 503 || code === 409) this.results.refused++
        else if (code !== 1) this.results.unexpected.push(`${code} ${message}`)
        return code === 1
      } catch {
        this.results.broken++
        return false
      }
    }
  }
}
