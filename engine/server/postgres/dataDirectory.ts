/** The data directory of the embedded PostgreSQL: its owner, its creation, and the server running on it. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { type Account, handOver, reachable, runnableBinaries } from './binaries.ts'
import { isRunning } from '../files/leftovers.ts'
import { type Passwords, passwordsOf, superuser } from './clusterAccess.ts'

export interface Cluster {
  /** The paths of the data and the log, as this process sees them. */
  directory: string
  log: string
  /** The postmaster's socket and process id. */
  socket?: string
  started?: number
  passwords: Passwords
  binaries: string
  /** The account that PostgreSQL runs as. */
  account: Account
  environment: NodeJS.ProcessEnv
}

const nobody = 65534

/** Finds or creates every folder, and picks the account to run as, but starts nothing. */
export function prepareCluster(dataDir: string, native: string): Cluster {
  // The account that PostgreSQL runs as must pass through it.
  mkdirSync(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  const root = realpathSync(dataDir)
  const directory = join(root, 'postgres')
  const account = accountFor(directory)
  if (existsSync(directory)) {
    if (account && statSync(directory).uid !== account.uid) handOver(directory, account)
    if (existsSync(join(directory, 'PG_VERSION'))) chmodSync(directory, 0o700)
  }
  const binaries = runnableBinaries(native, root, account)
  return {
    directory,
    account,
    binaries,
    passwords: passwordsOf(directory),
    log: join(root, 'postgres.log'),
    environment: {
      PATH: process.env.PATH,
      LC_ALL: locale(),
      [process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH']: join(binaries, 'lib'),
    },
  }
}

const locale = () => (process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8')

/**
 * PostgreSQL refuses to run as root, so it runs as the account that DATABASE_ACCOUNT names, else as the owner of the
 * data, else as nobody.
 */
function accountFor(directory: string): Account {
  const own = process.getuid?.()
  const owner = existsSync(directory) ? statSync(directory) : undefined
  if (own !== 0) {
    if (owner && owner.uid !== own) {
      throw new Error(
        `${directory} belongs to user ${owner.uid}, and this is user ${own}. ` +
          `Start the server as that user or as root, or give it the folder: chown -R ${own} ${directory}`,
      )
    }
    return undefined
  }
  const named = process.env.DATABASE_ACCOUNT
  // A running PostgreSQL keeps its account.
  if (named && !(owner && postmaster({ directory })?.running)) return accountNamed(named)
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : { uid: nobody, gid: nobody }
}

function accountNamed(name: string): Account {
  const [uid, gid] = ['-u', '-g'].map((part) => {
    try {
      return Number(execFileSync('id', [part, '--', name], { stdio: ['ignore', 'pipe', 'ignore'] }))
    } catch {
      throw new Error(`DATABASE_ACCOUNT names "${name}", and there is no such account on this machine.`)
    }
  })
  if (uid === 0) throw new Error('DATABASE_ACCOUNT names root, but PostgreSQL refuses to run as root.')
  return { uid, gid }
}

/**
 * The path of the data directory for the account. If the account may not enter a folder above it, no path works, but
 * Linux names the working directory of a process that is started in it.
 */
export const directoryFor = ({ directory, account }: Cluster) =>
  process.platform === 'linux' && !reachable(directory, account) ? '/proc/self/cwd' : directory

/** Runs one of the binaries in the data directory, which the process enters before it gives up root. */
export async function execute(
  cluster: Cluster,
  binary: string,
  parameters: string[],
  input: number | 'ignore' = 'ignore',
): Promise<void> {
  const child = spawn(join(cluster.binaries, 'bin', binary), parameters, {
    ...cluster.account,
    cwd: cluster.directory,
    env: cluster.environment,
    stdio: [input, 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr!.on('data', (data: Buffer) => {
    output += data.toString()
  })
  const [code] = (await once(child, 'close').catch((error: unknown) => {
    throw unusable(String(error))
  })) as [number | null]
  if (code !== 0) throw unusable(output || `${binary} ended with ${code}`)
}

export const unusable = (reason: string) =>
  new Error(
    `The embedded PostgreSQL did not start:\n${reason.trim()}\n` +
      'If it cannot run on this machine, set DATABASE_URL to a PostgreSQL 15 or newer.',
  )

/**
 * Creates the database under another name and renames it, so that a crash leaves no partial database and only one start
 * wins.
 */
export async function initialise(cluster: Cluster): Promise<void> {
  const { directory } = cluster
  if (existsSync(directory) && readdirSync(directory).length) {
    // Another process was faster.
    if (existsSync(join(directory, 'PG_VERSION'))) return
    throw new Error(`${directory} is not empty and holds no database. Move its files away, or choose another DATA_DIR.`)
  }
  const draft = { ...cluster, directory: `${directory}.new-${process.pid}` }
  for (const entry of readdirSync(dirname(directory))) {
    const [, maker] = /^postgres\.new-(\d+)$/.exec(entry) ?? []
    if (maker && (Number(maker) === process.pid || !isRunning(Number(maker))))
      rmSync(join(dirname(directory), entry), { recursive: true })
  }
  mkdirSync(draft.directory, { mode: 0o700 })
  if (cluster.account) chownSync(draft.directory, cluster.account.uid, cluster.account.gid)
  // Passed as an open descriptor, because the account may not be able to enter the folder.
  const secret = join(dirname(directory), `postgres.secret-${process.pid}`)
  writeFileSync(secret, `${cluster.passwords.superuser}\n`, { mode: 0o600 })
  if (cluster.account) chownSync(secret, cluster.account.uid, cluster.account.gid)
  const input = openSync(secret, 'r')
  rmSync(secret)
  try {
    await execute(
      draft,
      'initdb',
      [
        '-D',
        directoryFor(draft),
        '-U',
        superuser,
        '-A',
        'scram-sha-256',
        '--pwfile=/dev/stdin',
        '-E',
        'UTF8',
        `--locale=${locale()}`,
        '--no-instructions',
      ],
      input,
    )
    renameSync(draft.directory, directory)
  } catch (error) {
    if (!existsSync(join(directory, 'PG_VERSION'))) throw error
  } finally {
    closeSync(input)
    rmSync(draft.directory, { recursive: true, force: true })
  }
}

/** The content of postmaster.pid, and whether that process is running (on Linux only: as a PostgreSQL). */
export function postmaster({
  directory,
}: Pick<Cluster, 'directory'>): { pid: number; started: string; socket?: string; running: boolean } | undefined {
  let lines: string[]
  try {
    lines = readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return undefined
  }
  const pid = Number(lines[0])
  if (!pid) return undefined
  let running = isRunning(pid)
  if (running && process.platform === 'linux') {
    try {
      // It reads `12 (postgres) S …`: another name means that the id was reused, and Z that the process is dead.
      running = /\(postgres\) [^ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    } catch {
      running = false
    }
  }
  return { pid, started: `${lines[0]} ${lines[2]}`, socket: lines[4] || undefined, running }
}
