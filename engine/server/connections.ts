/** The connections to the database: how long they live and wait, and who may take one. */
import pg from 'pg'
import { NoConnectionError, OutOfTimeError } from './outage.ts'
import { type Cuttable, currentAllowance, isInTransaction } from './allowance.ts'

export interface ConnectionOptions extends pg.PoolConfig {
  /** The most connections. */
  max: number
  /** Address for each new connection: a restarted server may have another. */
  address?(): pg.ClientConfig
  /** Called when a transaction asks for a second connection, which could leave two waiting for each other for ever. */
  second(error: Error): void
}

/** Milliseconds to wait for a free connection, or for the server to accept one. */
const patience = 10_000
/** Milliseconds of silence after which keep-alive probes start. */
const keepAliveAfter = 10_000

const cutOf = (client: pg.PoolClient): Cuttable => ({
  // The server notices, and gives up what it does for it.
  cut: () => (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy(),
})

/**
 * A pool that survives the end of any connection, also of one held between two statements; that reports a second
 * connection inside a transaction; and that knows which request holds each connection.
 */
export class Connections extends pg.Pool {
  readonly #taken = new Map<pg.PoolClient, Cuttable>()
  readonly #second: ConnectionOptions['second']

  constructor({ address, second, ...options }: ConnectionOptions) {
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
    // The pool has dropped it already and replaces it when needed, and its holder fails with the next statement.
    // Without a listener the process would end.
    this.on('error', () => {})
    this.on('connect', (client) => client.on('error', () => {}))
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
    if (isInTransaction()) this.#second(new Error('A transaction asks for a second connection: give it its own.'))
    const allowance = currentAllowance()
    if (allowance?.over) throw new OutOfTimeError()
    const client = await super.connect().catch((cause: Error) => {
      throw new NoConnectionError(cause.message, { cause })
    })
    const cuttable = cutOf(client)
    this.#taken.set(client, cuttable)
    allowance?.connections.add(cuttable)
    const release = client.release
    client.release = (error) => {
      this.#taken.delete(client)
      allowance?.connections.delete(cuttable)
      // A connection still in a transaction must not be reused.
      release.call(client, error ?? ['T', 'E'].includes(statusOf(client) ?? ''))
    }
    if (allowance?.over) {
      client.release()
      throw new OutOfTimeError()
    }
    return client
  }

  /** Cuts all connections in use: whoever waits for them fails. */
  cutAll(): void {
    for (const connection of this.#taken.values()) connection.cut()
  }
}

/** Exists in the driver, but not in its types yet. */
const statusOf = (client: pg.PoolClient): string | null | undefined =>
  (client as unknown as { getTransactionStatus?(): string | null }).getTransactionStatus?.()

const clientAt = (address: () => pg.ClientConfig) =>
  class extends pg.Client {
    constructor(options?: pg.ClientConfig) {
      super({ ...options, ...address() })
    }
  } as unknown as new () => pg.ClientBase

/** Has the server abandon statements within a second of losing the client, if its platform supports that. */
const prepare = async (client: pg.ClientBase): Promise<void> => {
  await client.query("select set_config('client_connection_check_interval', '1s', false)").catch(() => {})
}
