/**
 * Starts the PostgreSQL that comes from npm, on a Unix socket and on a folder of its own, or adopts the one that is
 * already running there. It knows no driver: `connect` is handed to it.
 */
import { spawn } from 'node:child_process'
import {
  chownSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  statSync,
  statfsSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { packagedBinaries } from './binaries.ts'
import {
  type Cluster,
  directoryFor,
  execute,
  initialise,
  port,
  postmaster,
  prepareCluster,
  unusable,
  user,
} from './cluster.ts'

export interface Address {
  host: string
  port: number
  user: string
  database: string
}
export interface Connection {
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  end(): Promise<void>
  /** Waits for the end of the session, and no longer keeps the process alive. */
  onEnd(listener: () => void): void
}
/** Rejects with the driver's error: its `code` is a system error's or PostgreSQL's SQLSTATE. */
export type Connect = (address: Address, applicationName: string) => Promise<Connection>

export interface EmbeddedOptions {
  /** The database goes to its folder `postgres`. */
  dataDir: string
  connect: Connect
  /** Do not insist on owning it: where a server runs on this folder, use its database beside it. */
  share?: boolean
  /** The folder with `bin`, `lib` and `share`; the npm package's by default. */
  native?: string
}
export interface Embedded {
  connection: Address
  /** Of the running postmaster. */
  pid: number
  /** It was running before. */
  adopted: boolean
  /** False only with `share`, where another process owns it. */
  owned: boolean
  /** Stops the database if it is ours (open transactions are rolled back), else does nothing. */
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
  if (!existsSync(join(cluster.directory, 'PG_VERSION'))) await initialise(cluster)

  let stopping = false
  let { connection, adopted, holder } = await acquire(cluster, connect, share ? 1 : 15)
  if (holder !== undefined) {
    await connection.end()
    if (share)
      return {
        connection: address(cluster),
        pid: postmaster(cluster)?.pid ?? 0,
        adopted,
        owned: false,
        stop: async () => {},
      }
    throw new Error(
      `The data folder ${realpathSync(dataDir)} is in use by another server (process ${holder}). ` +
        'Stop that one, or give this one a DATA_DIR of its own.',
    )
  }

  // The lock lives in a connection; with it we notice when the postmaster dies under us, and start it again.
  let revival: Promise<void> | undefined
  const revive = () => {
    revival = reviveUntilStopped()
  }
  const reviveUntilStopped = async () => {
    for (let wait = 100; !stopping; wait = Math.min(wait * 2, 5000)) {
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

  return {
    connection: address(cluster),
    get pid() {
      return postmaster(cluster)?.pid ?? 0
    },
    adopted,
    owned: true,
    async stop() {
      if (stopping) return
      stopping = true
      await revival
      const folder = address(cluster).host
      // The lock is held until the postmaster is gone, so that nobody adopts what is about to end.
      await execute(cluster, 'pg_ctl', ['stop', '-D', directoryFor(cluster), '-m', 'fast', '-w', '-t', '120']).catch(
        (error: unknown) => {
          if (postmaster(cluster)?.running) throw error
        },
      )
      await connection.end().catch(() => {})
      leave(folder)
    },
  }
}

const address = (cluster: Cluster): Address => ({
  host: postmaster(cluster)?.socket ?? cluster.socket,
  port,
  user,
  database: 'postgres',
})

/** Removes the socket's folder, unless somebody is using it. */
function leave(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    /* not empty, or gone */
  }
}

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
      // The owner is just stopping the database, and our session ends with it: then it will be ours.
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
    // Starting, recovering or shutting down: however long that takes, it ends.
    if (found === '57P03') {
      await delay(50)
      continue
    }
    const child = launch(cluster)
    ours = child.pid
    do {
      await delay(20)
      const connection = await knock(cluster, connect)
      if (typeof connection === 'object') return { connection, adopted: postmaster(cluster)?.pid !== ours }
    } while (child.running())
    // The remains of a killed one (its sessions, their shared memory) take a moment to go. So does one that starts
    // beside us.
    const words = child.lastWords()
    if (failures === 12 || !/lock file|shared memory|another postmaster/i.test(words)) {
      leave(cluster.socket)
      throw unusable(words)
    }
    await delay(Math.min(50 * 2 ** failures++, 2000))
  }
  throw new Error('The server is stopping.')
}

/** A connection to the postmaster of this very folder, or the code of why there is none. */
async function knock(cluster: Cluster, connect: Connect): Promise<Connection | string> {
  const local = postmaster(cluster)
  // The socket of one that was started from another path to this folder stands where its file says.
  const host = address(cluster).host
  if (!existsSync(join(host, `.s.PGSQL.${port}`))) return 'ENOENT'
  const owner = statSync(host).uid
  if (owner !== (cluster.account?.uid ?? process.getuid?.())) {
    throw new Error(`${host} belongs to user ${owner}: remove it, or set TMPDIR to another folder.`)
  }
  let connection: Connection
  try {
    connection = await connect(address(cluster), `formwork ${process.pid}`)
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
  // It ended, or began, between the looks.
  if (!lines.length || postmaster(cluster)?.started !== local?.started) return '57P03'
  throw new Error(
    `The PostgreSQL on ${host} serves another folder than ${cluster.directory}. ` +
      `Was that moved while it ran? Stop process ${lines[0]}.`,
  )
}

/** Starts a postmaster that outlives us: a server that was killed finds it again. */
function launch(cluster: Cluster) {
  mkdirSync(cluster.socket, { recursive: true, mode: 0o700 })
  if (lstatSync(cluster.socket).isSymbolicLink()) throw new Error(`${cluster.socket} is a symbolic link: remove it.`)
  if (cluster.account) chownSync(cluster.socket, cluster.account.uid, cluster.account.gid)
  const stale = postmaster(cluster)
  const parameters: Record<string, string> = {
    listen_addresses: '',
    // Not the errors of statements: they name values of records. They reach the server's own log.
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
        // Tells it that the process named in a left-over postmaster.pid is not a rival. It still looks whether the
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
 * Undefined if the folder is ours now, else the process that holds it. A killed server's lock goes with its connection.
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
