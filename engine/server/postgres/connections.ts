/** The connections to the database: their lifetimes, timeouts, and limits. */
import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import pg from 'pg'
import { NoConnectionError, OutOfTimeError } from './outage.ts'
import { PreparedStatements } from './PreparedStatements.ts'
import { type Cuttable, currentAllowance, isInTransaction } from './allowance.ts'

export interface ConnectionOptions extends pg.PoolConfig {
  /** The most connections. */
  max: number
  /** Address for each new connection, because a restarted server may have another. */
  address?(): pg.ClientConfig
  /** Milliseconds of silence from the database after which background work abandons a statement. */
  silence?: number
  /** Shared with other pools of the same database. */
  failovers?: Failovers
  /** Called when a transaction requests a second connection, which could deadlock two transactions. */
  second(error: Error): void
}

/** Counts the failovers noticed; connections from before one are no longer used. */
export interface Failovers {
  count: number
}

/** Milliseconds to wait for a free connection, or for the server to accept one. */
const patience = 10_000
/** Milliseconds of silence after which keep-alive probes start. */
const keepAliveAfter = 10_000

/** Parts of the driver that its types lack. */
interface Inner {
  connection: EventEmitter & { stream: Socket }
  /** No statement is running. */
  readyForQuery: boolean
  getTransactionStatus?(): string | null
}
const inside = (client: pg.ClientBase): Inner => client as unknown as Inner

const cutOf = (client: pg.PoolClient): Cuttable => ({
  // The server notices, and abandons its work.
  cut: () => inside(client).connection.stream.destroy(),
})

/** Cuts a connection if a statement is silent for this long. @returns how to stop watching. */
function watchSilence(client: pg.PoolClient, silence: number): () => void {
  const inner = inside(client)
  let heard = 0
  let quiet = 0
  const looks = 5
  const timer = setInterval(() => {
    const { bytesRead } = inner.connection.stream
    quiet = inner.readyForQuery || bytesRead !== heard ? 0 : quiet + 1
    heard = bytesRead
    if (quiet >= looks) cutOf(client).cut()
  }, silence / looks)
  timer.unref()
  return () => clearInterval(timer)
}

/** A primary that became a standby refuses to write. */
const onlyReads = '25006'

/**
 * A pool that survives the end of any connection, including one held between two statements; that reports a second
 * connection inside a transaction; and that knows which request holds each connection.
 */
export class Connections extends pg.Pool {
  readonly #taken = new Map<pg.PoolClient, Cuttable>()
  readonly #second: ConnectionOptions['second']
  readonly #kept = new PreparedStatements()
  readonly #silence: number | undefined
  readonly #failovers: Failovers
  readonly #since = new WeakMap<pg.ClientBase, number>()

  constructor({ address, second, silence, failovers = { count: 0 }, ...options }: ConnectionOptions) {
    super({
      connectionTimeoutMillis: patience,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveAfter,
      application_name: 'formwork',
      ...options,
      ...(address && { Client: clientAt(address) }),
      onConnect: prepare,
    })
    this.#second = second
    this.#silence = silence
    this.#failovers = failovers
    // The pool has already dropped it and replaces it when needed, and its holder fails with the next statement.
    // Without a listener the process would end.
    this.on('error', () => {})
    this.on('connect', (client) => {
      client.on('error', () => {})
      this.#kept.keepIn(client)
      this.#since.set(client, this.#failovers.count)
      inside(client).connection.on('errorMessage', ({ code }: { code?: string }) => {
        if (code === onlyReads && !this.#isStale(client)) this.#failovers.count++
      })
    })
  }

  override connect(): Promise<pg.PoolClient>
  override connect(
    callback: (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void,
  ): void
  override connect(
    callback?: (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void,
  ): Promise<pg.PoolClient> | void {
    const taken = this.#take()
    if (!callback) return taken
    taken.then(
      (client) => callback(undefined, client, (error) => client.release(error as Error)),
      (error: Error) => callback(error, undefined, () => {}),
    )
  }

  async #take(): Promise<pg.PoolClient> {
    if (isInTransaction())
      this.#second(new Error("A transaction requested a second connection: use the transaction's own."))
    const allowance = currentAllowance()
    if (allowance?.over) throw new OutOfTimeError()
    const client = await this.#fresh().catch((cause: Error) => {
      throw new NoConnectionError(cause.message, { cause })
    })
    const cuttable = cutOf(client)
    this.#taken.set(client, cuttable)
    const unwatch = this.#silence && allowance?.isAwaited === false ? watchSilence(client, this.#silence) : undefined
    allowance?.connections.add(cuttable)
    const release = client.release
    client.release = (error) => {
      this.#taken.delete(client)
      allowance?.connections.delete(cuttable)
      unwatch?.()
      // A connection still in a transaction must not be reused.
      const isOpen = ['T', 'E'].includes(inside(client).getTransactionStatus?.() ?? '')
      release.call(client, error ?? (isOpen || this.#isStale(client)))
    }
    if (allowance?.over) {
      client.release()
      throw new OutOfTimeError()
    }
    return client
  }

  /** An idle connection from before a failover may lead to the former primary, which would return outdated data. */
  async #fresh(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await super.connect()
      if (!this.#isStale(client)) return client
      client.release(true)
    }
  }

  readonly #isStale = (client: pg.ClientBase) => (this.#since.get(client) ?? Infinity) < this.#failovers.count

  /** Cuts all connections in use; requests that wait for them fail. */
  cutAll(): void {
    for (const connection of this.#taken.values()) connection.cut()
  }
}

const clientAt = (address: () => pg.ClientConfig) =>
  class extends pg.Client {
    constructor(options?: pg.ClientConfig) {
      super({ ...options, ...address() })
    }
  } as unknown as new () => pg.ClientBase

/** Makes the server abandon statements within a second of losing the client, if its platform supports that. */
const prepare = async (client: pg.ClientBase): Promise<void> => {
  await client.query("select set_config('client_connection_check_interval', '1s', false)").catch(() => {})
}
