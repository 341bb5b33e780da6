/** The folder that the embedded PostgreSQL keeps its data in: who owns it, how it is made, and what runs on it. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Account, handOver, reachable, runnableBinaries } from './binaries.ts'

export interface Cluster {
  /** The data, the socket's folder, the log: paths as we name them. */
  directory: string
  socket: string
  log: string
  binaries: string
  /** Whom PostgreSQL runs as. */
  account: Account
  environment: NodeJS.ProcessEnv
}

export const user = 'formwork'
export const port = 5432
const nobody = 65534
const run = promisify(execFile)

/** Finds and makes every folder, and the account to run as. Starts nothing. */
export function prepareCluster(dataDir: string, native: string): Cluster {
  mkdirSync(dataDir, { recursive: true })
  const root = realpathSync(dataDir)
  const directory = join(root, 'postgres')
  const account = accountFor(directory)
  if (existsSync(directory)) {
    if (account && statSync(directory).uid !== account.uid) handOver(directory, account)
    if (existsSync(join(directory, 'PG_VERSION'))) chmodSync(directory, 0o700)
  }
  const binaries = runnableBinaries(native, root, account)
  const name = `formwork-${createHash('sha256').update(directory).digest('hex').slice(0, 16)}`
  // A socket's path has at most 107 bytes, and a temporary folder of one's own may be closed to the account.
  const temporary =
    [tmpdir(), '/tmp', '/var/tmp'].find(
      (folder) =>
        existsSync(folder) &&
        reachable(folder, account) &&
        Buffer.byteLength(join(folder, name, `.s.PGSQL.${port}`)) <= 107,
    ) ?? '/tmp'
  return {
    directory,
    account,
    binaries,
    socket: join(temporary, name),
    log: join(root, 'postgres.log'),
    environment: {
      PATH: process.env.PATH,
      LC_ALL: locale(),
      [process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH']: join(binaries, 'lib'),
    },
  }
}

const locale = () => (process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8')

/** PostgreSQL refuses to run as root: then it runs as whoever owns the data already, else as nobody. */
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
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : { uid: nobody, gid: nobody }
}

/**
 * How the account names the data folder. Below a folder that it may not enter no path leads there; but a process that
 * is started in it is in it, and Linux gives that a name.
 */
export const directoryFor = ({ directory, account }: Cluster) =>
  process.platform === 'linux' && !reachable(directory, account) ? '/proc/self/cwd' : directory

/** Runs one of the binaries in the data folder (the working folder is entered before root is given up). */
export async function execute(cluster: Cluster, binary: string, parameters: string[]): Promise<void> {
  try {
    await run(join(cluster.binaries, 'bin', binary), parameters, {
      ...cluster.account,
      cwd: cluster.directory,
      env: cluster.environment,
    })
  } catch (error) {
    throw unusable(String((error as { stderr?: string }).stderr || error))
  }
}

export const unusable = (reason: string) =>
  new Error(
    `The embedded PostgreSQL did not start:\n${reason.trim()}\n` +
      'If it cannot run on this machine, set DATABASE_URL to a PostgreSQL 15 or newer.',
  )

/**
 * Made under another name and then renamed: a crash leaves no half database, and of two that start at once one wins.
 */
export async function initialise(cluster: Cluster): Promise<void> {
  const { directory } = cluster
  if (existsSync(directory) && readdirSync(directory).length) {
    throw new Error(`${directory} is not empty and holds no database. Move its files away, or choose another DATA_DIR.`)
  }
  const draft = { ...cluster, directory: `${directory}.new-${process.pid}` }
  for (const entry of readdirSync(dirname(directory))) {
    const [, maker] = /^postgres\.new-(\d+)$/.exec(entry) ?? []
    if (maker && (Number(maker) === process.pid || !exists(Number(maker))))
      rmSync(join(dirname(directory), entry), { recursive: true })
  }
  mkdirSync(draft.directory, { mode: 0o700 })
  if (cluster.account) chownSync(draft.directory, cluster.account.uid, cluster.account.gid)
  try {
    await execute(draft, 'initdb', [
      '-D',
      directoryFor(draft),
      '-U',
      user,
      '-A',
      'trust',
      '-E',
      'UTF8',
      `--locale=${locale()}`,
      '--no-instructions',
    ])
    renameSync(draft.directory, directory)
  } catch (error) {
    if (!existsSync(join(directory, 'PG_VERSION'))) throw error
  } finally {
    rmSync(draft.directory, { recursive: true, force: true })
  }
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * What postmaster.pid says. `running`: that process exists and is a PostgreSQL (elsewhere than on Linux: it exists).
 */
export function postmaster({
  directory,
}: Cluster): { pid: number; started: string; socket?: string; running: boolean } | undefined {
  let lines: string[]
  try {
    lines = readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return undefined
  }
  const pid = Number(lines[0])
  if (!pid) return undefined
  let running = exists(pid)
  if (running && process.platform === 'linux') {
    try {
      // 12 (postgres) S …: another name is a number used again; Z is dead, only not yet buried.
      running = /\(postgres\) [^ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    } catch {
      running = false
    }
  }
  return { pid, started: `${lines[0]} ${lines[2]}`, socket: lines[4] || undefined, running }
}
