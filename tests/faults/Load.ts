/** Writers that ask for the same thing until it is acknowledged, as browsers and programs do; and what came of it. */
import { randomUUID } from 'node:crypto'

export interface LoadOptions {
  /** Where it may ask by now. */
  urls(): readonly string[]
  token: string
  path: string
  /** What is written under that name. */
  values(name: string): object
  workers?: number
}

/** How it went, from the side of those who ask. */
export interface Asked {
  acknowledged: number
  /** Requests sent again with the key that they had, whether or not the first was answered. */
  replayed: number
  /** Answered by 503, or that somebody else is at it: to be asked again. */
  refused: number
  /** No answer: the connection broke. */
  broken: number
  /** Anything else that was answered, which nobody should see. */
  unexpected: string[]
}

/** Nobody asks faster than this where nobody answers, in milliseconds. */
const pace = 20
const paced = () =>
  new Promise((resolve) => {
    setTimeout(resolve, pace)
  })
/** Of so many requests one is sent twice at once. */
const twiceIn = 5

export class Load {
  readonly asked: Asked = { acknowledged: 0, replayed: 0, refused: 0, broken: 0, unexpected: [] }
  readonly names = new Set<string>()
  readonly prefix = `${randomUUID().slice(0, 8)}-`
  readonly #options: LoadOptions
  readonly #running: Promise<unknown>
  #waiting: { since: number; tell: () => void }[] = []
  #stopped = false

  constructor(options: LoadOptions) {
    this.#options = options
    const workers = Array.from({ length: options.workers ?? 4 }, (_, index) => this.#write(index))
    this.#running = Promise.all(workers)
  }

  /** @returns after how many milliseconds a write is acknowledged that was asked for after now. */
  async served(): Promise<number> {
    const since = performance.now()
    await new Promise<void>((resolve) => {
      this.#waiting.push({ since, tell: resolve })
    })
    return performance.now() - since
  }

  /** So many more are acknowledged. */
  async more(count: number): Promise<void> {
    for (const until = this.names.size + count; this.names.size < until;) await this.served()
  }

  /** So many more are refused. */
  async refusals(count: number): Promise<void> {
    for (const until = this.asked.refused + count; this.asked.refused < until && !this.#stopped;) await paced()
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
        if (attempt > 0 || twice) this.asked.replayed++
        const answers = await Promise.all(twice ? [send(), send()] : [send()])
        if (answers.includes(true)) {
          this.names.add(name)
          this.asked.acknowledged++
          const told = this.#waiting.filter((one) => since > one.since)
          this.#waiting = this.#waiting.filter((one) => !told.includes(one))
          for (const { tell } of told) tell()
          break
        }
        await paced()
      }
    }
    for (const { tell } of this.#waiting) tell()
  }

  /** @returns what sends it, always with the same key, and tells whether it was acknowledged. */
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
        if (code === 503 || code === 409) this.asked.refused++
        else if (code !== 1) this.asked.unexpected.push(`${code} ${message}`)
        return code === 1
      } catch {
        this.asked.broken++
        return false
      }
    }
  }
}
