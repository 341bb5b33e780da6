/**
 * `npm run faults -- --kills 10 --outage 20 --within 1` plays faults under load and shows what clients notice of them.
 * Exits with 1 if an acknowledged write is lost or doubled, a request gets an unexpected answer, a full disk or a
 * database that only reads refuses nothing, or service returns more than `--within` seconds after the database or the
 * server does (give a loaded machine more).
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
import { administer, isBack } from './administer.ts'
import { counted, openDesk, receipts } from './desk.ts'
import { Load } from './Load.ts'
import { Returns } from './Returns.ts'
import { creating, freePort, postmasterOf, processesOf, type ServerProcess, signIn, startServer } from './servers.ts'

const { values: options } = parseArgs({
  options: { kills: { type: 'string' }, outage: { type: 'string' }, within: { type: 'string' } },
})
const kills = whole('kills', options.kills ?? '10')
const outage = whole('outage', options.outage ?? '20')
const within = whole('within', options.within ?? '1')

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
/** Plays one fault under load and prints its figures. */
async function play(house: House, what: string, act: (load: Load, returns: Returns) => Promise<string>): Promise<void> {
  const load = new Load({ urls: () => house.urls, token: house.token, path: receipts, values: house.values })
  await load.more(20)
  const returns = new Returns(within * 1000)
  const summary = await act(load, returns)
  await load.more(20)
  await load.stop()
  const { pool, close } = await openDatabase({ dataDir: house.folder, share: true, connections: 1 })
  const { lost, doubled } = await counted(pool, load)
  await close()
  const { acknowledged, replayed, refused, broken, unexpected } = load.results
  failed ||= lost.length + doubled.length + unexpected.length > 0 || returns.isLate
  console.log(
    `${what}: ${summary}; ${acknowledged} acknowledged, ${lost.length} lost, ${doubled.length} doubled, ${replayed} sent again, ` +
      `${refused} refused, ${broken} broken, ${unexpected.length} answered otherwise${unexpected.length > 0 ? ` (${unexpected[0]})` : ''}`,
  )
}

async function times(count: number, act: () => Promise<void>): Promise<void> {
  for (let index = 0; index < count; index++) await act()
}

const folder = mkdtempSync(join(tmpdir(), 'formwork-faults-'))
const house = await openHouse(folder)
try {
  await play(house, `${kills} kills of the server`, async (load, returns) => {
    await times(kills, async () => {
      const fault = performance.now()
      await house.first.end('SIGKILL')
      await house.restart()
      await returns.wait(load, fault)
      await load.more(20)
    })
    return returns.text('its start')
  })
  await play(house, '5 kills of the database', async (load, returns) => {
    const embedded = await startEmbedded({ dataDir: folder, connect, share: true })
    await times(5, async () => {
      const fault = performance.now()
      const former = embedded.pid
      process.kill(former, 'SIGKILL')
      while ([0, former].includes(embedded.pid)) await passed(20)
      await isBack(embedded)
      await returns.wait(load, fault)
      await load.more(20)
    })
    return returns.text('it took connections')
  })
  await play(house, `the database closed for ${outage} s`, async (load, returns) => {
    const { name, query, endSessions, end } = await administer(folder)
    await query(`alter database "${name}" allow_connections false`)
    await endSessions()
    const before = load.results.refused
    await passed(outage * 1000)
    const refused = load.results.refused - before
    await query(`alter database "${name}" allow_connections true`)
    await returns.wait(load)
    await end()
    return `${refused} requests refused meanwhile, ${returns.text('it was open')}`
  })
  await play(house, 'a failover, the database only reading for 5 s', async (load, returns) => {
    const { name, query, endSessions, end } = await administer(folder)
    await query(`alter database "${name}" set default_transaction_read_only = on`)
    await endSessions()
    const before = load.results.refused
    await passed(5000)
    const refused = load.results.refused - before
    // Sessions begun before this stay open and never write, as those of a former primary.
    await query(`alter database "${name}" reset default_transaction_read_only`)
    await returns.wait(load)
    await end()
    // Each of these sessions refuses one request at most.
    const since = load.results.refused
    await Promise.race([load.more(50), load.refusals(50)])
    failed ||= refused === 0 || load.results.refused - since >= 50
    return `${refused} requests refused meanwhile, ${returns.text('it writes')}`
  })
  await play(house, 'the database frozen for 5 s', async (load, returns) => {
    const frozen = processesOf(postmasterOf(folder))
    for (const pid of frozen) process.kill(pid, 'SIGSTOP')
    await passed(5000)
    for (const pid of frozen.toReversed()) process.kill(pid, 'SIGCONT')
    await returns.wait(load)
    return returns.text('it goes on')
  })
  await play(house, 'two processes, each killed twice in turn', async (load, returns) => {
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
    await times(2, async () => {
      await load.more(20)
      await second.end('SIGKILL')
      await returns.wait(load)
      house.urls.pop()
      second = await begin()
      await load.more(20)
      await house.first.end('SIGKILL')
      await returns.wait(load)
      await house.restart()
    })
    house.urls.pop()
    await second.end('SIGTERM')
    return returns.text('the kill')
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
    // Another process took the last of the space.
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}

/** Plays a full disk on a small tmpfs, if one can be mounted. */
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
      await play(small, 'a full disk', async (load, returns) => {
        const embedded = await startEmbedded({ dataDir: disk, connect, share: true })
        const ballast = join(disk, 'ballast')
        const before = load.results.refused
        // The database frees space and takes it again, so the disk is filled again and again.
        const filling = setInterval(() => fillUp(disk, ballast), 200)
        await Promise.race([load.refusals(20), passed(60_000)])
        clearInterval(filling)
        const refused = load.results.refused - before
        rmSync(ballast)
        // If the disk was never full for the database, the run proves nothing.
        failed ||= refused === 0
        const room = performance.now()
        // A database that could not write its log restarts.
        await isBack(embedded)
        await returns.wait(load, room)
        return `${refused} requests refused while it was full, ${returns.text('it took connections')}`
      })
    } finally {
      await small.first.end('SIGTERM')
    }
  } finally {
    execFileSync('umount', [disk])
    rmSync(disk, { recursive: true, force: true })
  }
}
