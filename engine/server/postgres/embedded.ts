/**
 * Starts the PostgreSQL from npm, on a Unix socket and its own folder, or adopts one that is already running there. It
 * imports no driver: `connect` is passed in.
 */
import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, realpathSync, statSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { packagedBinaries } from './binaries.ts'
import {
  type Cluster,
  directoryFor,
  execute,
  initialise,
  postmaster,
  prepareCluster,
  unusable,
} from './dataDirectory.ts'
import { closeDoor, database, isClosed, openOnce, server, superuser } from './clusterAccess.ts'
import {
  checkSocketFolder,
  clearSocketFolder,
  leaveSocketFolder,
  makeSocketFolder,
  port,
  socketIn,
} from './socketFolder.ts'
import type { Address, Connection, Connect } from './Connection.ts'

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

/** The advisory lock that the owning server holds for as long as it lives. */
const ownership = "hashtext('formwork'), hashtext('owner')"

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
const lasting = <A extends object, B extends object>(asked: A, stays: B): A & B =>
  Object.defineProperties(asked, Object.getOwnPropertyDescriptors(stays)) as A & B

const stopPostmaster = (cluster: Cluster) =>
  execute(cluster, 'pg_ctl', ['stop', '-D', directoryFor(cluster), '-m', 'fast', '-w', '-t', '120'])

/** Cleans up after a failed start. */
async function stopOurs(cluster: Cluster): Promise<void> {
  const found = postmaster(cluster)
  if (cluster.started !== undefined && found?.pid === cluster.started && found.running)
    await stopPostmaster(cluster).catch(() => {})
  leaveSocketFolder(cluster.socket)
}

const address = (cluster: Cluster, user: typeof server | typeof superuser): Address => ({
  host: postmaster(cluster)?.socket ?? cluster.socket ?? '',
  port,
  user,
  password: user === server ? cluster.passwords.server : cluster.passwords.superuser,
  database,
})

interface Reached {
  connection: Connection
  adopted: boolean
}

/** A session with the lock, or with the name of its holder. */
async function acquire(
  cluster: Cluster,
  connect: Connect,
  attempts: number,
  cancelled = () => false,
): Promise<Reached & { holder?: string }> {
  for (let failures = 0; ; failures++) {
    const reached = await reach(cluster, connect, cancelled)
    try {
      return { ...reached, holder: await claim(reached.connection, attempts) }
    } catch (error) {
      // The owner is just stopping the database, which also ends our session; then it will be ours.
      if (failures === 20) throw error
      await delay(100)
    }
  }
}

/** Connects to the running postmaster of this folder, or starts one and connects. */
async function reach(cluster: Cluster, connect: Connect, cancelled: () => boolean): Promise<Reached> {
  let ours: number | undefined
  for (let failures = 0; !cancelled();) {
    const found = await knock(cluster, connect)
    if (typeof found === 'object') return { connection: found, adopted: postmaster(cluster)?.pid !== ours }
    if (found === wrongPassword)
      throw new Error(
        `The PostgreSQL on ${cluster.directory} has other passwords than the file beside it: ` +
          `put the right one back, or stop process ${postmaster(cluster)?.pid}.`,
      )
    // Starting, recovering or shutting down: it ends, however long it takes.
    if (found === '57P03') {
      await delay(50)
      continue
    }
    const child = launch(cluster)
    ours = child.pid
    let opened = false
    do {
      await delay(20)
      const connection = await knock(cluster, connect)
      if (connection === wrongPassword && !opened && postmaster(cluster)?.pid === ours) {
        // The password file was lost and has been recreated.
        openOnce(cluster.directory, cluster.account)
        process.kill(ours!, 'SIGHUP')
        opened = true
      }
      if (typeof connection === 'object') return { connection, adopted: postmaster(cluster)?.pid !== ours }
    } while (child.running())
    // The remains of a killed postmaster (its sessions, their shared memory) take a moment to go, as does one starting
    // at the same time.
    const words = child.lastWords()
    // One that is stopping removes its socket a moment before it ends.
    const hidden = failures > 3 ? outOfSight(cluster) : undefined
    if (hidden || failures === 12 || !/lock file|shared memory|another postmaster/i.test(words))
      throw hidden ?? unusable(words)
    await delay(Math.min(50 * 2 ** failures++, 2000))
  }
  throw new Error('The server is stopping.')
}

/** Why the PostgreSQL that runs on this folder cannot be reached, if its socket is where this process cannot look. */
function outOfSight(cluster: Cluster): Error | undefined {
  const { pid, running, socket } = postmaster(cluster) ?? {}
  if (!running || socket === undefined || existsSync(socketIn(socket))) return undefined
  return new Error(
    `A PostgreSQL runs on ${cluster.directory} (process ${pid}), but its socket in ${socket} cannot be seen from here: ` +
      'a service or a container may have a /tmp of its own. Run this command there, or stop the server first.',
  )
}

const wrongPassword = '28P01'

/** A connection to the postmaster of this folder, or the code of the failure. */
async function knock(cluster: Cluster, connect: Connect): Promise<Connection | string> {
  const local = postmaster(cluster)
  // If it was started through another path to this folder, its socket is where its file says.
  const { host } = address(cluster, superuser)
  if (!existsSync(socketIn(host))) return 'ENOENT'
  checkSocketFolder(host, cluster.account)
  let connection: Connection
  try {
    connection = await connect(address(cluster, superuser), `formwork ${process.pid}`)
  } catch (error) {
    return String((error as { code?: string }).code ?? error)
  }
  let lines: string[]
  try {
    lines = String((await connection.query("select pg_read_file('postmaster.pid') as content"))[0].content).split('\n')
  } catch {
    lines = []
  }
  if (local && `${lines[0]} ${lines[2]}` === local.started) return connection
  await connection.end().catch(() => {})
  // It ended, or began, between the two checks.
  if (!lines.length || postmaster(cluster)?.started !== local?.started) return '57P03'
  throw new Error(
    `The PostgreSQL on ${host} serves another folder than ${cluster.directory}. ` +
      `Was that moved while it ran? Stop process ${lines[0]}.`,
  )
}

/** Starts a postmaster that outlives us, so that a restarted server finds it again. */
function launch(cluster: Cluster) {
  const stale = postmaster(cluster)
  if (stale && !stale.running && stale.socket !== cluster.socket) clearSocketFolder(stale.socket, cluster.account)
  if (cluster.socket !== undefined && existsSync(cluster.socket)) checkSocketFolder(cluster.socket, cluster.account)
  else cluster.socket = makeSocketFolder(cluster.account)
  const parameters: Record<string, string> = {
    listen_addresses: '',
    // Without statement errors, which quote values of records. They reach the server's own log.
    log_min_messages: 'log',
    // Containers often have only 64 MB of shared memory.
    ...(sharedMemory() < 256 * 2 ** 20 ? { dynamic_shared_memory_type: 'mmap' } : {}),
  }
  const long = existsSync(cluster.log) && statSync(cluster.log).size > 2 ** 20
  const log = openSync(cluster.log, long ? 'w' : 'a', 0o600)
  const from = statSync(cluster.log).size
  let failure = ''
  const child = spawn(
    join(cluster.binaries, 'bin', 'postgres'),
    [
      '-D',
      directoryFor(cluster),
      '-k',
      cluster.socket,
      '-p',
      String(port),
      ...Object.entries(parameters).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    {
      ...cluster.account,
      cwd: cluster.directory,
      env: {
        ...cluster.environment,
        // Tells it that the process named in a left-over postmaster.pid is not a rival. It still checks whether the
        // memory is in use.
        ...(stale && !stale.running ? { PG_GRANDPARENT_PID: String(stale.pid) } : {}),
      },
      stdio: ['ignore', log, log],
      // Its own process group: Ctrl-C in the terminal is for the server, which ends it when it is done.
      detached: true,
    },
  )
  closeSync(log)
  child.on('error', (error) => {
    failure = String(error)
  })
  child.unref()
  cluster.started = child.pid
  return {
    pid: child.pid,
    running: () => child.pid !== undefined && child.exitCode === null && child.signalCode === null,
    lastWords: () => failure || readFileSync(cluster.log).subarray(from).toString().slice(-2000),
  }
}

function sharedMemory(): number {
  try {
    const { bsize, blocks } = statfsSync('/dev/shm')
    return bsize * blocks
  } catch {
    return Infinity
  }
}

/**
 * Undefined if the folder is ours now, else the process that holds it. A killed server's lock ends with its connection.
 */
async function claim(connection: Connection, attempts: number): Promise<string | undefined> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (attempt) await delay(100)
    const [row] = await connection.query(`select pg_try_advisory_lock(${ownership}) as ours`)
    if (row.ours) return undefined
  }
  const [row] = await connection.query(`select application_name as name from pg_stat_activity join pg_locks using (pid)
    where locktype = 'advisory' and granted and classid = hashtext('formwork')::oid and objid = hashtext('owner')::oid`)
  return String(row?.name ?? '').replace('formwork ', '') || 'unknown'
}
