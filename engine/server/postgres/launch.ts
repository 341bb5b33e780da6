import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, statSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { directoryFor, postmaster, type Cluster } from './dataDirectory.ts'
import { checkSocketFolder, clearSocketFolder, makeSocketFolder, port } from './socketFolder.ts'

/** Starts a postmaster that outlives us, so that a restarted server finds it again. */
export function launch(cluster: Cluster) {
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
        // Makes it ignore the process named in a left-over postmaster.pid. It still checks whether the memory is in
        // use.
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
