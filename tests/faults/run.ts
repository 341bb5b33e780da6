/**
 * `npm run faults -- --kills 10 --outage 20`: faults under load, and what clients notice of them. Exits with 1 if an
 * acknowledged write is lost or doubled, a request gets an unexpected answer, or the full disk refuses nothing.
 */
import '../../src/commands/help.ts'
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as passed } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { connect, openDatabase } from '../../engine/server/postgres/database.ts'
import { startEmbedded } from '../../engine/server/postgres/embedded.ts'
import { counted, openDesk, receipts } from './desk.ts'
import { Load } from './Load.ts'
import { creating, freePort, postmasterOf, processesOf, type ServerProcess, signIn, startServer } from './servers.ts'

const { values: asked } = parseArgs({ options: { kills: { type: 'string' }, outage: { type: 'string' } } })
const kills = whole('kills', asked.kills ?? '10')
const outage = whole('outage', asked.outage ?? '20')

function whole(name: string, text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text)
  console.error(`--${name} is "${text}": it must be a number from 1 to 9999.`)
  process.exit(2)
}

interface House {
  folder: string
  urls: string[]
  token: string
  values(payer: string): object
  first: ServerProcess
  restart(): Promise<void>
}

async function openHouse(folder: string): Promise<House> {
  const port = await freePort()
  const begin = async () => {
    const server = startServer(port, { DATA_DIR: folder }, 'src/commands/start.js')
    await server.ready()
    return server
  }
  const first = await begin()
  const token = await signIn(first.url)
  const house: House = {
    folder,
    urls: [first.url],
    token,
    values: await openDesk(creating(first.url, token)),
    first,
    async restart() {
      house.first = await begin()
    },
  }
  return house
}

let failed = false
/** Plays one fault under load, and prints its figures. */
async function play(house: House, what: string, act: (load: Load) => Promise<string>): Promise<void> {
  const load = new Load({ urls: () => house.urls, token: house.token, path: receipts, values: house.values })
  await load.more(20)
  const told = await act(load)
  await load.more(20)
  await load.stop()
  const { pool, close } = await openDatabase({ dataDir: house.folder, share: true, connections: 1 })
  const { lost, doubled } = await counted(pool, load)
  await close()
  const { acknowledged, replayed, refused, broken, unexpected } = load.asked
  failed ||= lost.length + doubled.length + unexpected.length > 0
  console.log(
    `${what}: ${told}; ${acknowledged} acknowledged, ${lost.length} lost, ${doubled.length} doubled, ${replayed} sent again, ` +
      `${refused} refused, ${broken} broken, ${unexpected.length} answered otherwise${unexpected.length > 0 ? ` (${unexpected[0]})` : ''}`,
  )
}

const seconds = (times: readonly number[]): string => {
  const sorted = times.toSorted((a, b) => a - b).map((one) => (one / 1000).toFixed(1))
  return `served again after ${sorted[0]} to ${sorted.at(-1)} s (median ${sorted[Math.floor(sorted.length / 2)]} s)`
}

async function times(count: number, act: () => Promise<number>): Promise<string> {
  const all: number[] = []
  for (let index = 0; index < count; index++) all.push(await act())
  return seconds(all)
}

const folder = mkdtempSync(join(tmpdir(), 'formwork-faults-'))
const house = await openHouse(folder)
try {
  await play(house, `${kills} kills of the server`, (load) =>
    times(kills, async () => {
      const since = performance.now()
      await house.first.end('SIGKILL')
      await house.restart()
      await load.served()
      const took = performance.now() - since
      await load.more(20)
      return took
    }),
  )
  await play(house, '5 kills of the database', (load) =>
    times(5, async () => {
      process.kill(postmasterOf(folder), 'SIGKILL')
      const took = await load.served()
      await load.more(20)
      return took
    }),
  )
  await play(house, `the database closed for ${outage} s`, async (load) => {
    const { administration, connection } = await startEmbedded({ dataDir: folder, connect, share: true })
    const name = connection.database
    // A session does not end itself, so it uses another database.
    const session = await connect({ ...administration, database: 'template1' }, 'faults')
    await session.query(`alter database "${name}" allow_connections false`)
    await session.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
    const before = load.asked.refused
    await passed(outage * 1000)
    const refused = load.asked.refused - before
    await session.query(`alter database "${name}" allow_connections true`)
    await session.end()
    return `${refused} requests refused meanwhile, ${seconds([await load.served()])}`
  })
  await play(house, 'the database frozen for 5 s', async (load) => {
    const frozen = processesOf(postmasterOf(folder))
    for (const pid of frozen) process.kill(pid, 'SIGSTOP')
    await passed(5000)
    for (const pid of frozen.toReversed()) process.kill(pid, 'SIGCONT')
    return seconds([await load.served()])
  })
  await play(house, 'two processes, each killed twice in turn', async (load) => {
    const { connection } = await startEmbedded({ dataDir: folder, connect, share: true })
    const address = new URL(`postgres://localhost/${connection.database}`)
    address.username = connection.user
    address.password = connection.password
    address.port = String(connection.port)
    address.searchParams.set('host', connection.host)
    const port = await freePort()
    const begin = async () => {
      const server = startServer(port, { DATA_DIR: folder, DATABASE_URL: address.href }, 'src/commands/start.js')
      await server.ready()
      house.urls.push(server.url)
      return server
    }
    let second = await begin()
    const told = await times(2, async () => {
      await load.more(20)
      await second.end('SIGKILL')
      const took = await load.served()
      house.urls.pop()
      second = await begin()
      await load.more(20)
      await house.first.end('SIGKILL')
      await house.restart()
      return Math.max(took, await load.served())
    })
    house.urls.pop()
    await second.end('SIGTERM')
    return told
  })
} finally {
  await house.first.end('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
}
await fullDisk()
process.exit(failed ? 1 : 0)

function fillUp(disk: string, ballast: string): void {
  const { bavail, bsize } = statfsSync(disk)
  try {
    appendFileSync(ballast, Buffer.alloc(bavail * bsize))
  } catch (error) {
    // Somebody else took the last of it.
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}

/** On a small tmpfs, if one may be mounted. */
async function fullDisk(): Promise<void> {
  const disk = mkdtempSync(join(tmpdir(), 'formwork-full-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=700m,mode=0755', 'none', disk], { stdio: 'pipe' })
  } catch {
    console.log('a full disk: not played, as no disk of memory can be mounted here')
    return
  }
  try {
    const small = await openHouse(disk)
    try {
      await play(small, 'a full disk', async (load) => {
        const ballast = join(disk, 'ballast')
        const before = load.asked.refused
        // The database gives room back and takes it again, so it is filled again and again.
        const filling = setInterval(() => fillUp(disk, ballast), 200)
        await Promise.race([load.refusals(20), passed(60_000)])
        clearInterval(filling)
        const refused = load.asked.refused - before
        rmSync(ballast)
        // A disk that was never full for the database shows nothing.
        failed ||= refused === 0
        return `${refused} requests refused while it was full, ${seconds([await load.served()])}`
      })
    } finally {
      await small.first.end('SIGTERM')
    }
  } finally {
    execFileSync('umount', [disk])
    rmSync(disk, { recursive: true, force: true })
  }
}
