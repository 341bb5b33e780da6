import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { postmaster, unusable, type Cluster } from './dataDirectory.ts'
import { database, openOnce, server, superuser } from './clusterAccess.ts'
import { checkSocketFolder, port, socketIn } from './socketFolder.ts'
import type { Address, Connection, Connect } from './Connection.ts'
import { launch } from './launch.ts'

/** The advisory lock that the owning server holds for as long as it lives. */
const ownership = "hashtext('formwork'), hashtext('owner')"

/** Where the database is reached as this user. */
export const address = (cluster: Cluster, user: typeof server | typeof superuser): Address => ({
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
export async function acquire(
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
