import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { isLong } from '../../../tests/long.ts'
import { roomiest } from '../../../tests/roomiest.ts'
import { packagedBinaries } from './binaries.ts'
import { connect, openDatabase } from './database.ts'
import { type Embedded, type EmbeddedOptions, startEmbedded } from './embedded.ts'

const root = process.getuid?.() === 0
if (!root) console.info('embedded.test.ts: not root, so the tests that change the user are left out')
const nobody = { uid: 65534, gid: 65534 }
/** Any account but root and nobody. initdb needs one with a name, and `daemon` exists in every Linux. */
const other = { uid: 1, gid: 1 }

let home: string
let seed: string
const ends: (() => unknown)[] = []

/** An empty folder that every account can enter. */
function emptyFolder(): string {
  const folder = mkdtempSync(join(home, 'case-'))
  chmodSync(folder, 0o755)
  return folder
}

/** A data folder with a stopped database in it, so that most tests need no initdb. */
function dataFolder(parent = emptyFolder()): string {
  const folder = join(parent, 'data')
  cpSync(seed, folder, { recursive: true })
  return folder
}

async function start(options: Partial<EmbeddedOptions> & { dataDir: string }): Promise<Embedded> {
  const embedded = await startEmbedded({ connect, ...options })
  ends.push(() => embedded.stop())
  return embedded
}

async function queryValue(embedded: Embedded, text: string): Promise<unknown> {
  const connection = await connect(embedded.connection, 'test')
  try {
    return Object.values((await connection.query(text))[0] ?? {})[0]
  } finally {
    await connection.end()
  }
}

const program = `
  import { openDatabase } from ${JSON.stringify(resolve('engine/server/postgres/database.ts'))}
  try {
    const database = await openDatabase({ dataDir: process.env.DATA_DIR })
    process.on('SIGTERM', async () => { await database.close(); process.exit(0) })
    setInterval(() => {}, 1000)
    if (process.env.INSERT) {
      await database.pool.query('create table kept (id int)')
      for (let id = 1; id <= 5; id++) await database.pool.query('insert into kept values ($1)', [id])
    }
    console.log('ready')
  } catch (error) { console.log(error.message); process.exit(1) }
`

interface Server {
  child: ChildProcess
  firstLine: string
  exit: Promise<unknown[]>
}

/** Another server process; resolves with its first output: `ready`, or why not. */
async function server(
  dataDir: string,
  as: { uid?: number; gid?: number } = {},
  environment: Record<string, string> = {},
): Promise<Server> {
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    ...as,
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  ends.push(() => child.kill('SIGKILL'))
  const exit = once(child, 'exit')
  const [firstLine] = await once(createInterface({ input: child.stdout! }), 'line')
  return { child, firstLine, exit }
}

const postmasterPid = (dataDir: string) =>
  Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])

beforeAll(async () => {
  home = mkdtempSync(join(roomiest(), 'formwork-test-'))
  chmodSync(home, 0o755)
  seed = join(home, 'seed')
  mkdirSync(join(seed, 'postgres.new-999999999'), { recursive: true })
  await (await startEmbedded({ dataDir: seed, connect })).stop()
})
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

describe('start and stop', () => {
  it('keeps the data and leaves no process, no socket and no half-made database', async () => {
    const dataDir = dataFolder()
    const first = await start({ dataDir })
    expect(first).toMatchObject({ adopted: false, owned: true })
    await queryValue(first, 'create table kept as select 7 as id')
    await first.stop()
    expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false)
    expect(existsSync(first.connection.host)).toBe(false)
    expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres.log', 'postgres.password'])
    expect(statSync(join(seed, 'postgres')).mode & 0o777).toBe(0o700)
    expect(await queryValue(await start({ dataDir }), 'select id from kept')).toBe(7)
  })

  it.skipIf(!isLong)('stops the postmaster when SIGTERM ends the server', async () => {
    const dataDir = dataFolder()
    const { child, exit } = await server(dataDir)
    child.kill('SIGTERM')
    expect((await exit)[0]).toBe(0)
    expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false)
  })

  it('listens on no network address and syncs to the disk', async () => {
    const embedded = await start({ dataDir: dataFolder() })
    expect(await queryValue(embedded, 'show listen_addresses')).toBe('')
    expect(await queryValue(embedded, 'show fsync')).toBe('on')
    expect(statSync(embedded.connection.host).mode & 0o777).toBe(0o700)
  })

  it('clears what a killed initialisation left', () => {
    expect(readdirSync(seed).sort()).toEqual(['postgres', 'postgres.log', 'postgres.password'])
  })
})

describe('users', () => {
  it.runIf(root)('runs as root, with the database owned by nobody', async () => {
    const dataDir = dataFolder()
    await start({ dataDir })
    expect(statSync(join(dataDir, 'postgres/PG_VERSION')).uid).toBe(nobody.uid)
  })

  it.runIf(root && isLong)('runs as another user, and afterwards as root with the same data', async () => {
    const parent = emptyFolder()
    chownSync(parent, other.uid, other.gid)
    const dataDir = join(parent, 'data')
    const { child, firstLine, exit } = await server(dataDir, other, { INSERT: '1' })
    expect(firstLine).toBe('ready')
    expect(statSync(join(dataDir, 'postgres/PG_VERSION')).uid).toBe(other.uid)
    child.kill('SIGTERM')
    await exit
    expect(await queryValue(await start({ dataDir }), 'select count(*)::int from kept')).toBe(5)
    expect(statSync(join(dataDir, 'postgres/PG_VERSION')).uid).toBe(other.uid)
  })

  it.runIf(root && isLong)('reports that the data belongs to another user', async () => {
    const dataDir = dataFolder()
    await (await start({ dataDir })).stop()
    const { firstLine, exit } = await server(dataDir, other)
    expect(firstLine).toContain('belongs to user 65534, and this is user 1')
    expect((await exit)[0]).toBe(1)
  })
})

describe('after a crash', () => {
  it('adopts the postmaster of a killed server and loses nothing', async () => {
    const dataDir = dataFolder()
    const { child, exit } = await server(dataDir, {}, { INSERT: '1' })
    const pid = postmasterPid(dataDir)
    child.kill('SIGKILL')
    await exit
    const embedded = await start({ dataDir })
    expect(embedded).toMatchObject({ adopted: true, owned: true, pid })
    expect(await queryValue(embedded, 'select count(*)::int from kept')).toBe(5)
    await embedded.stop()
    expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false)
  })

  it.skipIf(!isLong)('adopts the postmaster even if the folder was moved meanwhile', async () => {
    const dataDir = dataFolder()
    const { child, exit } = await server(dataDir, {}, { INSERT: '1' })
    child.kill('SIGKILL')
    await exit
    const moved = join(dirname(dataDir), 'moved')
    renameSync(dataDir, moved)
    const embedded = await start({ dataDir: moved })
    expect(embedded.adopted).toBe(true)
    expect(await queryValue(embedded, 'select count(*)::int from kept')).toBe(5)
  })

  it.skipIf(!isLong)('ignores the postmaster of a folder that was here before', async () => {
    const dataDir = dataFolder()
    const first = await start({ dataDir })
    const { pid, connection } = first
    const { host } = connection
    const moved = join(dirname(dataDir), 'moved')
    renameSync(dataDir, moved)
    cpSync(seed, dataDir, { recursive: true })
    const second = await start({ dataDir })
    expect(second.pid).not.toBe(pid)
    expect(second.connection.host).not.toBe(host)
    await second.stop()
    rmSync(dataDir, { recursive: true })
    renameSync(moved, dataDir)
    expect(first.pid).toBe(pid)
  })

  it.skipIf(!isLong)('starts after both were killed', async () => {
    const dataDir = dataFolder()
    const { child, exit } = await server(dataDir, {}, { INSERT: '1' })
    child.kill('SIGKILL')
    process.kill(postmasterPid(dataDir), 'SIGKILL')
    await exit
    const embedded = await start({ dataDir })
    expect(embedded.adopted).toBe(false)
    expect(await queryValue(embedded, 'select count(*)::int from kept')).toBe(5)
  })

  it('restarts a killed postmaster while the server runs', async () => {
    const dataDir = dataFolder()
    const database = await openDatabase({ dataDir })
    ends.push(() => database.close())
    await database.pool.query('create table kept as select 7 as id')
    const pid = postmasterPid(dataDir)
    process.kill(pid, 'SIGKILL')
    await vi.waitFor(() => expect(postmasterPid(dataDir)).not.toBe(pid))
    await vi.waitFor(
      async () => expect((await database.pool.query('select id from kept')).rows).toEqual([{ id: 7 }]),
      15_000,
    )
    await vi.waitFor(
      async () =>
        expect((await database.pool.query("select from pg_locks where locktype = 'advisory'")).rowCount).toBe(1),
      15_000,
    )
  })

  it.skipIf(!isLong)('starts if the pid in postmaster.pid now belongs to another program', async () => {
    const dataDir = dataFolder()
    const other = spawn('sleep', ['60'], root ? nobody : {})
    ends.push(() => other.kill())
    const file = join(dataDir, 'postgres/postmaster.pid')
    writeFileSync(file, `${other.pid}\n${join(dataDir, 'postgres')}\n1700000000\n5432\n\n\n  1 1\nready   \n`)
    expect((await start({ dataDir })).adopted).toBe(false)
    expect(other.exitCode).toBe(null)
  })
})

describe('access', () => {
  /** Runs statements, one a line, on a PostgreSQL that is not serving. */
  function alone(dataDir: string, ...statements: string[]): void {
    const { status, stdout, stderr } = spawnSync(
      join(packagedBinaries(), 'bin/postgres'),
      ['--single', '-D', join(dataDir, 'postgres'), 'postgres'],
      { ...(root && nobody), input: statements.map((statement) => `${statement}\n`).join('') },
    )
    expect(status, String(stdout) + String(stderr)).toBe(0)
    expect(String(stderr)).not.toContain('ERROR')
  }

  /** A folder as earlier versions created it: anyone with access to the socket was superuser and owned everything. */
  function formerFolder(): string {
    const dataDir = join(emptyFolder(), 'data')
    mkdirSync(join(dataDir, 'postgres'), { recursive: true, mode: 0o755 })
    chmodSync(join(dataDir, 'postgres'), 0o700)
    if (root) chownSync(join(dataDir, 'postgres'), nobody.uid, nobody.gid)
    const { status, stderr } = spawnSync(
      join(packagedBinaries(), 'bin/initdb'),
      ['-D', join(dataDir, 'postgres'), '-U', 'formwork', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'],
      root ? nobody : {},
    )
    expect(status, String(stderr)).toBe(0)
    alone(
      dataDir,
      'create extension pg_trgm',
      'create table kept (id bigint generated by default as identity primary key, name text)',
      "insert into kept (name) values ('there')",
      'create view seen as select name from kept',
    )
    return dataDir
  }

  it("requires the password, and the product's role owns its database without being superuser", async () => {
    const dataDir = dataFolder()
    const embedded = await start({ dataDir })
    const { connection, administration } = embedded
    for (const address of [connection, administration])
      await expect(connect({ ...address, password: 'guessed' }, 'test')).rejects.toMatchObject({ code: '28P01' })
    expect(await queryValue(embedded, 'select rolsuper from pg_roles where rolname = current_user')).toBe(false)
    await expect(queryValue(embedded, "copy (select 1) to program 'id'")).rejects.toMatchObject({ code: '42501' })
    await expect(queryValue(embedded, "select pg_read_file('postmaster.pid')")).rejects.toMatchObject({ code: '42501' })
    const file = statSync(join(dataDir, 'postgres.password'))
    expect([file.mode & 0o777, file.uid]).toEqual([0o600, process.getuid?.()])
    const folder = statSync(connection.host)
    expect([folder.mode & 0o777, folder.uid]).toEqual([0o700, statSync(join(dataDir, 'postgres')).uid])
  })

  it('listens in a folder that nobody could have created before', async () => {
    const dataDir = dataFolder()
    const first = await start({ dataDir })
    const { host } = first.connection
    await first.stop()
    expect((await start({ dataDir })).connection.host).not.toBe(host)
  })

  it('refuses the socket folder of a running postmaster if it is open to others', async () => {
    const dataDir = dataFolder()
    const { child, exit } = await server(dataDir)
    const { host } = (await start({ dataDir, share: true })).connection
    child.kill('SIGKILL')
    await exit
    chmodSync(host, 0o755)
    await expect(start({ dataDir })).rejects.toThrow(/is open to others: remove it, or chmod 700/)
    chmodSync(host, 0o700)
    await start({ dataDir })
  })

  it.skipIf(!isLong)('listens in the folder that systemd gives a service, if there is one', async () => {
    const given = emptyFolder()
    vi.stubEnv('RUNTIME_DIRECTORY', `${given}:/run/another`)
    const { connection } = await start({ dataDir: dataFolder() })
    expect(dirname(connection.host)).toBe(given)
    expect(statSync(connection.host).mode & 0o777).toBe(0o700)
  })

  it.skipIf(!isLong)('reports that the socket is not visible, as in the private /tmp of a service', async () => {
    const dataDir = dataFolder()
    const { connection } = await start({ dataDir })
    renameSync(connection.host, `${connection.host}-elsewhere`)
    try {
      await expect(startEmbedded({ dataDir, connect, share: true })).rejects.toThrow(
        `socket in ${connection.host} cannot be seen from here`,
      )
    } finally {
      renameSync(`${connection.host}-elsewhere`, connection.host)
    }
  })

  it.runIf(isLong)('restricts a folder of an earlier version, with everything in it', async () => {
    const dataDir = formerFolder()
    const database = await openDatabase({ dataDir })
    ends.push(() => database.close())
    expect(database.trigram).toBe(true)
    const { rows } = await database.pool.query("insert into kept (name) values ('too') returning id")
    expect(rows).toEqual([{ id: 2 }])
    await database.pool.query('alter table kept add column more integer')
    await database.pool.query('create or replace view seen as select name, more from kept')
    await database.pool.query('create table next (kept bigint references kept)')
    expect(readFileSync(join(dataDir, 'postgres/pg_hba.conf'), 'utf8')).not.toMatch(/^[^#]*trust/m)
    await database.close()
    const again = await openDatabase({ dataDir })
    ends.push(() => again.close())
    expect((await again.pool.query('select name, more from seen order by 1')).rows).toHaveLength(2)
  })

  it.skipIf(!isLong)('sets new passwords if their file was lost', async () => {
    const dataDir = dataFolder()
    await (await start({ dataDir })).stop()
    rmSync(join(dataDir, 'postgres.password'))
    const embedded = await start({ dataDir })
    expect(await queryValue(embedded, 'select 1')).toBe(1)
    await expect(connect({ ...embedded.connection, password: '' }, 'test')).rejects.toThrow(/password/)
  })

  it('reports that others can read the passwords', async () => {
    const dataDir = dataFolder()
    await (await start({ dataDir })).stop()
    chmodSync(join(dataDir, 'postgres.password'), 0o644)
    await expect(start({ dataDir })).rejects.toThrow(/postgres\.password can be read by others: chmod 600/)
  })

  it('leaves no postmaster behind if a start fails', async () => {
    const dataDir = dataFolder()
    const wrong: typeof connect = async (address, name) => {
      const connection = await connect(address, name)
      return { ...connection, query: async () => [{ content: '1\n/elsewhere\n2' }] }
    }
    await expect(start({ dataDir, connect: wrong })).rejects.toThrow(/serves another folder/)
    expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false)
  })

  it.runIf(root)('runs as the account that a setting names', async () => {
    const dataDir = dataFolder()
    vi.stubEnv('DATABASE_ACCOUNT', 'daemon')
    await start({ dataDir })
    expect(statSync(join(dataDir, 'postgres/PG_VERSION')).uid).toBe(other.uid)
    vi.stubEnv('DATABASE_ACCOUNT', 'nobody-of-that-name')
    await expect(start({ dataDir: dataFolder() })).rejects.toThrow(/there is no such account/)
  })
})

describe('two servers on one folder', () => {
  it('the second server reports the first, whatever the first has stored', async () => {
    const dataDir = dataFolder()
    const embedded = await start({ dataDir })
    await queryValue(embedded, 'create table kept as select 7 as id')
    await expect(start({ dataDir })).rejects.toThrow(
      new Error(
        `The data folder ${dataDir} is in use by another server (process ${process.pid}). ` +
          'Stop that one, or give this one a DATA_DIR of its own.',
      ),
    )
    expect(await queryValue(embedded, 'select id from kept')).toBe(7)
  })

  it.skipIf(!isLong)('one of two servers starting at once on a new folder wins', async () => {
    const dataDir = join(emptyFolder(), 'data')
    const two = await Promise.all([server(dataDir), server(dataDir)])
    const [winner, loser] = two[0].firstLine === 'ready' ? two : [two[1], two[0]]
    expect(winner.firstLine).toBe('ready')
    expect(loser.firstLine).toContain(`in use by another server (process ${winner.child.pid})`)
    winner.child.kill('SIGTERM')
    await winner.exit
    expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres.log', 'postgres.password'])
  })

  it.skipIf(!isLong)('keeps the database running that the first started and the second took over', async () => {
    const dataDir = dataFolder()
    let takenOver = () => {}
    const taking = new Promise<void>((resolve) => (takenOver = resolve))
    let launched = () => {}
    const launching = new Promise<void>((resolve) => (launched = resolve))
    const slow: typeof connect = async (address, name) => {
      const connection = await connect(address, name)
      launched()
      await taking
      return connection
    }
    const first = startEmbedded({ dataDir, connect: slow })
    const refused = expect(first).rejects.toThrow(/is in use by another server/)
    await launching
    const second = await start({ dataDir })
    const { pid } = second
    takenOver()
    await refused
    expect(await queryValue(second, 'select 1')).toBe(1)
    expect(second.pid).toBe(pid)
  })

  it.skipIf(!isLong)('a command can share the database without taking it over', async () => {
    const dataDir = dataFolder()
    const embedded = await start({ dataDir })
    const guest = await start({ dataDir, share: true })
    expect(guest).toMatchObject({ owned: false, adopted: true, pid: embedded.pid })
    await guest.stop()
    expect(await queryValue(embedded, 'select 1')).toBe(1)
  })
})

describe('file locations', () => {
  it.skipIf(!isLong)('creates the library links that npm ci --ignore-scripts left out', async () => {
    const parent = emptyFolder()
    const native = join(parent, 'native')
    cpSync(packagedBinaries(), native, { recursive: true, verbatimSymlinks: true })
    const links: { target: string }[] = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
    for (const { target } of links) rmSync(join(native, '..', target))
    const dataDir = dataFolder(parent)
    await (await start({ dataDir, native })).stop()
    expect(readdirSync(dataDir).filter((name) => name.startsWith('postgres-binaries'))).toHaveLength(1)
    // The copy is reused.
    await start({ dataDir, native })
    expect(readdirSync(dataDir).filter((name) => name.startsWith('postgres-binaries'))).toHaveLength(1)
  })

  it.runIf(root)('runs as root in a project below a folder closed to others', async () => {
    const copies = '/var/lib/formwork'
    if (!existsSync(copies)) ends.push(() => rmSync(copies, { recursive: true, force: true }))
    const parent = mkdtempSync(join(home, 'closed-'))
    const native = join(parent, 'native')
    cpSync(packagedBinaries(), native, { recursive: true, verbatimSymlinks: true })
    const dataDir = join(parent, 'data')
    expect(statSync(parent).mode & 0o777).toBe(0o700)
    const first = await start({ dataDir, native })
    await queryValue(first, 'create table kept as select 7 as id')
    await first.stop()
    const second = await start({ dataDir, native })
    expect(await queryValue(second, 'select id from kept')).toBe(7)
    expect(existsSync(join(dataDir, 'postgres/PG_VERSION'))).toBe(true)
  })

  it.skipIf(!isLong)('accepts long paths, and paths with spaces and Chinese characters', async () => {
    const parent = join(emptyFolder(), 'a'.repeat(120), '业务 数据')
    mkdirSync(parent, { recursive: true })
    vi.stubEnv('TMPDIR', parent)
    const embedded = await start({ dataDir: dataFolder(parent) })
    expect(Buffer.byteLength(join(embedded.connection.host, '.s.PGSQL.5432'))).toBeLessThanOrEqual(107)
  })

  it.skipIf(!isLong)('identifies a folder by its real path', async () => {
    const dataDir = dataFolder()
    await start({ dataDir })
    const link = join(dirname(dataDir), 'link')
    symlinkSync(dataDir, link)
    expect((await start({ dataDir: link, share: true })).owned).toBe(false)
  })

  it('names DATABASE_URL if there are no binaries for the platform', () => {
    vi.spyOn(process, 'arch', 'get').mockReturnValue('s390x')
    expect(packagedBinaries).toThrow(
      /no embedded PostgreSQL for linux-s390x .* Set DATABASE_URL to a PostgreSQL 15 or newer/,
    )
  })

  it("passes on PostgreSQL's message if the folder is of another version", async () => {
    const dataDir = dataFolder()
    writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '14\n')
    await expect(start({ dataDir })).rejects.toThrow(
      /did not start:[^]*initialized by PostgreSQL version 14[^]*DATABASE_URL/,
    )
  })

  it('touches no folder that holds something else', async () => {
    const dataDir = emptyFolder()
    mkdirSync(join(dataDir, 'postgres'))
    writeFileSync(join(dataDir, 'postgres/letter.txt'), 'mine')
    await expect(start({ dataDir })).rejects.toThrow(/is not empty and holds no database/)
  })
})
