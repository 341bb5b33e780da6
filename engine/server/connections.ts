/** The connections to the database: how long they live and wait, and who may take one. */
import pg from 'pg'
import { NoConnectionError, OutOfTimeError } from './outage.ts'
import { type Cuttable, currentAllowance, isInTransaction } from './allowance.ts'

export interface ConnectionOptions extends pg.PoolConfig {
  /** At most. */
  max: number
  /** Where each connection goes when it is made: a server that starts again may stand at another place. */
  address?(): pg.ClientConfig
  /** Somebody who is in a transaction asks for a second connection: then both could wait for each other for ever. */
  second(error: Error): void
}

/** So long somebody waits for a connection, or a connection for the server, in milliseconds. */
const patience = 10_000
/** A database in the same network is asked whether it still lives after so long a silence. */
const keepAliveAfter = 10_000

const cutOf = (client: pg.PoolClient): Cuttable => ({
  // The server notices, and gives up what it does for it.
  cut: () => (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy(),
})

/**
 * A pool that survives the end of any connection, also of one that somebody holds between two statements; that gives no
 * second connection inside a transaction; and that knows whose work each connection does.
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
    // The pool has dropped it already, and makes a new one when it is needed. Whoever holds it fails with their next
    // statement: without a listener the whole process would end.
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
      // What still is in a transaction is nothing for the next.
      release.call(client, error ?? ['T', 'E'].includes(statusOf(client) ?? ''))
    }
    if (allowance?.over) {
      client.release()
      throw new OutOfTimeError()
    }
    return client
  }

  /** Ends whatever is still under way: those who wait for it fail. */
  cutAll(): void {
    for (const connection of this.#taken.values()) connection.cut()
  }
}

/** The driver has it, its types do not yet. */
const statusOf = (client: pg.PoolClient): string | null | undefined =>
  (client as unknown as { getTransactionStatus?(): string | null }).getTransactionStatus?.()

const clientAt = (address: () => pg.ClientConfig) =>
  class extends pg.Client {
    constructor(options?: pg.ClientConfig) {
      super({ ...options, ...address() })
    }
  } as unknown as new () => pg.ClientBase

/** Work whose connection is gone is given up within a second, where the server can look; elsewhere at its end. */
const prepare = async (client: pg.ClientBase): Promise<void> => {
  await client.query("select set_config('client_connection_check_interval', '1s', false)").catch(() => {})
}
