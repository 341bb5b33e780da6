/**
 * Starts the PostgreSQL from npm, on a Unix socket and its own folder, or adopts one that is already running there. It
 * imports no driver: `connect` is passed in.
 */
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { packagedBinaries } from './binaries.ts'
import { directoryFor, execute, initialise, postmaster, prepareCluster, type Cluster } from './dataDirectory.ts'
import { closeDoor, isClosed, server, superuser } from './clusterAccess.ts'
import { leaveSocketFolder } from './socketFolder.ts'
import type { Address, Connect } from './Connection.ts'
import { acquire, address } from './acquire.ts'

/** Whether this data folder contains a database. */
export const hasEmbedded = (dataDir: string): boolean => existsSync(join(dataDir, 'postgres', 'PG_VERSION'))

export interface EmbeddedOptions {
  /** The database goes to its folder `postgres`. */
  dataDir: string
  connect: Connect
  /** Does not insist on owning it: if a server runs on this folder, shares its database. */
  share?: boolean
  /** The folder with `bin`, `lib` and `share`; the npm package's by default. */
  native?: string
}
export interface Embedded {
  /** For the product, which owns this database and has no other rights. It changes when the database is restarted. */
  readonly connection: Address
  /** For the superuser, who may do whatever the account may. */
  readonly administration: Address
  /** The process id of the running postmaster. */
  pid: number
  /** It was already running. */
  adopted: boolean
  /** False only with `share`, if another process owns it. */
  owned: boolean
  /** Stops the database if we own it (open transactions are rolled back), else does nothing. */
  stop(): Promise<void>
}

/**
 * @throws with a sentence for the operator: no binaries, not permitted, in use by another server, or PostgreSQL's own
 * last words.
 */
export async function startEmbedded({
  dataDir,
  connect,
  share = false,
  native = packagedBinaries(),
}: EmbeddedOptions): Promise<Embedded> {
  const cluster = prepareCluster(dataDir, native)
  try {
    return await startCluster(cluster, { dataDir, connect, share })
  } catch (error) {
    await stopOurs(cluster)
    throw error
  }
}

async function startCluster(
  cluster: Cluster,
  { dataDir, connect, share }: Required<Omit<EmbeddedOptions, 'native'>>,
): Promise<Embedded> {
  const { directory } = cluster
  if (!existsSync(join(directory, 'PG_VERSION'))) await initialise(cluster)

  let stopping = false
  let { connection, adopted, holder } = await acquire(cluster, connect, share ? 1 : 15)
  if (address(cluster, superuser).host !== cluster.socket) {
    // Another process was faster.
    leaveSocketFolder(cluster.socket)
    cluster.socket = undefined
  }
  const addresses = {
    get connection() {
      // A read-only command must not convert a data folder whose earlier server still runs.
      return address(cluster, isClosed(directory) ? server : superuser)
    },
    get administration() {
      return address(cluster, superuser)
    },
    get pid() {
      return postmaster(cluster)?.pid ?? 0
    },
  }
  if (holder !== undefined) {
    await connection.end()
    if (share) return lasting(addresses, { adopted, owned: false, stop: async () => {} })
    // We may have started it, but stopping it is up to its owner.
    cluster.started = cluster.socket = undefined
    throw new Error(
      `The data folder ${realpathSync(dataDir)} is in use by another server (process ${holder}). ` +
        'Stop that one, or give this one a DATA_DIR of its own.',
    )
  }
  if (!isClosed(directory)) await closeDoor(connection, directory, cluster.account, cluster.passwords)

  // The lock depends on a connection, through which we notice when the postmaster dies, and restart it.
  let revival: Promise<void> | undefined
  const revive = () => {
    revival = reviveUntilStopped()
  }
  const reviveUntilStopped = async () => {
    for (let wait = 100; !stopping; wait = Math.min(wait * 2, 1000)) {
      try {
        connection = (await acquire(cluster, connect, 1, () => stopping)).connection
        connection.onEnd(revive)
        return
      } catch {
        await delay(wait)
      }
    }
  }
  connection.onEnd(revive)

  const stop = async () => {
    stopping = true
    await revival
    const folder = address(cluster, superuser).host
    // The lock is held until the postmaster is gone, so that nobody adopts one that is ending.
    await stopPostmaster(cluster).catch((error: unknown) => {
      if (postmaster(cluster)?.running) throw error
    })
    await connection.end().catch(() => {})
    leaveSocketFolder(folder)
  }
  let stopped: Promise<void> | undefined
  return lasting(addresses, { adopted, owned: true, stop: () => (stopped ??= stop()) })
}

/** Combines getters that are evaluated each time with constant properties. */
const lasting = <A extends object, B extends object>(getters: A, stays: B): A & B =>
  Object.defineProperties(getters, Object.getOwnPropertyDescriptors(stays)) as A & B

const stopPostmaster = (cluster: Cluster) =>
  execute(cluster, 'pg_ctl', ['stop', '-D', directoryFor(cluster), '-m', 'fast', '-w', '-t', '120'])

/** Cleans up after a failed start. */
async function stopOurs(cluster: Cluster): Promise<void> {
  const found = postmaster(cluster)
  if (cluster.started !== undefined && found?.pid === cluster.started && found.running)
    await stopPostmaster(cluster).catch(() => {})
  leaveSocketFolder(cluster.socket)
}
