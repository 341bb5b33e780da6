import { spawn, type ChildProcess } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openDatabase } from '../engine/server/postgres/database.ts'
import type { Envelope } from '../engine/model/model.ts'
import { isLong } from '../tests/long.ts'
import { roomiest } from '../tests/roomiest.ts'

let folder: string
let running: ChildProcess | undefined

beforeAll(() => {
  folder = mkdtempSync(join(roomiest(), 'formwork-start-'))
})
afterAll(async () => {
  // A killed server leaves its database running, so one more start and a clean stop shut it down.
  if (running?.exitCode === null && running.signalCode === null) await stop('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
})

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const probe = createServer()
      .once('error', reject)
      .listen(0, '127.0.0.1', () => {
        const address = probe.address()
        probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
      })
  })

interface Started {
  url: string
  output(): string
  ended: Promise<number | null>
}

function launch(port: number, environment: Record<string, string>): Started {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/server.ts'], {
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: folder,
      DATABASE_URL: '',
      ADMIN_PASSWORD: '',
      BUSINESS_DATE: '',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (data: Buffer) => {
    output += data.toString()
  })
  child.stderr.on('data', (data: Buffer) => {
    output += data.toString()
  })
  running = child
  return {
    url: `http://127.0.0.1:${port}/api`,
    output: () => output,
    ended: new Promise((resolve) => child.once('exit', resolve)),
  }
}

async function start(environment: Record<string, string> = {}): Promise<Started> {
  const started = launch(await freePort(), environment)
  let ended = false
  void started.ended.then(() => {
    ended = true
  })
  while (!ended) {
    if ((await fetch(`${started.url}/health`).catch(() => undefined))?.ok) return started
    await new Promise((resolve) => {
      setTimeout(resolve, 50)
    })
  }
  throw new Error(started.output())
}

function stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<unknown> {
  const ended = new Promise((resolve) => running!.once('exit', resolve))
  running!.kill(signal)
  return ended
}

/** A record or a page of records, as far as these tests read an answer. */
type Read = { id: number; name: string; list: { id: number; name: string }[]; total: number }

type Call = (path: string, body?: object) => Promise<Envelope<Read>>

async function signIn(url: string, password: string): Promise<Call> {
  const post = async (path: string, body: object, token = '') =>
    (
      await fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', token },
        body: JSON.stringify(body),
      })
    ).json()
  const { data, message } = await post('/vue-element-admin/user/login', { username: 'admin', password })
  if (!data) throw new Error(message)
  return async (path, body) =>
    body ? post(path, body, data.token) : (await fetch(url + path, { headers: { token: data.token } })).json()
}

const password = 'Formwork-2026'

describe('the server', () => {
  const startFew = () => start({ ADMIN_PASSWORD: password, DATABASE_CONNECTIONS: '3' })
  /** The server that keeps running after the kills, if there are any. */
  let last: Started | undefined

  // In the short form tests/faults kills servers.
  it.skipIf(!isLong)(
    'keeps every acknowledged save when it is killed while saving',
    async () => {
      const acknowledged = new Map<number, string>()
      const rounds = 2
      const expectAll = async (call: Call) => {
        const { result } = await call('/customer/customerClassification/list?size=1000')
        const there = new Map(result.list.map(({ id, name }) => [id, name]))
        expect([...acknowledged].filter(([id, name]) => there.get(id) !== name)).toEqual([])
        for (const id of there.keys())
          expect((await call(`/customer/customerClassification/history?id=${id}`)).result.total).toBe(1)
      }
      for (let round = 0; round < rounds; round++) {
        const call = await signIn((await start({ ADMIN_PASSWORD: password })).url, password)
        if (round > 0) await expectAll(call)
        let killed = false
        const save = async (worker: number) => {
          for (let count = 0; !killed; count++) {
            const name = `轮${round}工${worker}次${count}`
            const answer = await call('/customer/customerClassification/create', { values: { name } }).catch(
              () => undefined,
            )
            if (answer) acknowledged.set(answer.result.id, name)
          }
        }
        const before = acknowledged.size
        const workers = Promise.all([1, 2, 3, 4].map(save))
        while (acknowledged.size < before + 25)
          await new Promise((resolve) => {
            setImmediate(resolve)
          })
        await stop('SIGKILL')
        killed = true
        await workers
      }
      last = await startFew()
      await expectAll(await signIn(last.url, password))
      expect(acknowledged.size).toBeGreaterThanOrEqual(25 * rounds)
    },
    120_000,
  )

  it('opens the configured number of connections, and its health check uses none of them', async () => {
    last ??= await startFew()
    const { url } = last
    const call = await signIn(url, password)
    const { pool, close } = await openDatabase({ dataDir: folder, share: true, connections: 2 })
    const holder = await pool.connect()
    await holder.query('begin')
    await holder.query('lock table "customerClassification" in access exclusive mode')
    let answered = 0
    const readList = async () => {
      await call('/customer/customerClassification/list')
      answered++
    }
    const answers = Array.from({ length: 8 }, readList)
    const waiting = async () =>
      (await pool.query("select from pg_stat_activity where wait_event_type = 'Lock'")).rowCount
    try {
      await vi.waitFor(async () => expect(await waiting()).toBe(3))
      expect((await (await fetch(`${url}/health`)).json()).result).toMatchObject({ status: 'ok' })
      expect(answered).toBe(0)
    } finally {
      await holder.query('rollback')
      holder.release()
      await Promise.all(answers)
      await close()
    }
  }, 120_000)

  it('survives a crash of its database, reports it, and ends in time', async () => {
    const { url, ended, output } = last!
    const call = await signIn(url, password)
    const { result } = await call('/customer/customerClassification/create', { values: { name: '甲类' } })
    const file = join(folder, 'postgres/postmaster.pid')
    const postmaster = () => (existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0)
    const former = postmaster()
    process.kill(former, 'SIGKILL')
    const seen = new Set<number>()
    // Its remaining processes may still answer statements already sent.
    const isStartedAgain = () => ![0, former].includes(postmaster())
    for (let code = 0; code !== 1 || !isStartedAgain();) {
      ;({ code } = await call('/customer/customerClassification/list'))
      seen.add(code)
    }
    expect([...seen].filter((code) => code !== 1 && code !== 503)).toEqual([])
    expect((await (await fetch(`${url}/health`)).json()).result).toMatchObject({ status: 'ok', faults: 0 })

    // One client keeps an idle connection open, as browsers do, and another holds a lock for which others wait.
    const silent = connect(Number(new URL(url).port), '127.0.0.1')
    silent.on('error', () => undefined)
    await once(silent, 'connect')
    const { pool, close } = await openDatabase({ dataDir: folder, share: true, connections: 2 })
    const holder = await pool.connect()
    await holder.query('begin')
    await holder.query('select 1 from "customerClassification" where id = $1 for update', [result.id])
    const waiting = call('/customer/customerClassification/delete', { id: result.id }).catch(() => undefined)
    await vi.waitFor(async () => {
      const { rowCount } = await pool.query("select from pg_stat_activity where wait_event_type = 'Lock'")
      expect(rowCount).toBe(1)
    })
    await stop('SIGTERM')
    expect([await ended, output()]).toEqual([0, expect.stringContaining('Ready on ')])
    await waiting
    holder.release(true)
    await close()
  }, 120_000)

  it.skipIf(!isLong)(
    "does not start with another secret key than its database's",
    async () => {
      // The tests before it have made the database.
      const { ended, output } = launch(await freePort(), { SECRET_KEY: Buffer.alloc(32, 'other').toString('base64') })
      expect([await ended, output()]).toEqual([
        1,
        expect.stringContaining('is not the key that the secrets of this database'),
      ])
    },
    120_000,
  )

  it('does not start on broken schema files, and reports every issue', async () => {
    const schemas = join(folder, 'schemas')
    for (const name of ['app.json', 'customer/agency.entity.json'])
      cpSync(join('schemas', name), join(schemas, name), { recursive: true })
    writeFileSync(
      join(schemas, 'customer/agency.list.json'),
      '{\n  "entity": "agency", "title": { "cn": "机构", "en": "Agencies" },\n  "columns": ["nmae", "kimd"]\n}\n',
    )
    const { ended, output } = launch(await freePort(), { SCHEMAS_DIR: schemas })
    expect(await ended).toBe(1)
    expect(output()).toContain('customer/agency.list.json:3:15')
    expect(output()).toContain('agency has no field "nmae"')
    expect(output()).toContain('"kimd"')
  }, 60_000)

  it.skipIf(!isLong)(
    'does not start on files without a family field that procedures use, and names these',
    async () => {
      const schemas = join(folder, 'renamed')
      cpSync('schemas', schemas, { recursive: true })
      const file = join(schemas, 'welfare/handling/expenseLine.entity.json')
      writeFileSync(file, readFileSync(file, 'utf8').replace('"$key": "lateFeeBearer"', '"$key": "feeBearer"'))
      const { ended, output } = launch(await freePort(), { SCHEMAS_DIR: schemas })
      expect(await ended).toBe(1)
      expect(output()).toMatch(/"calculatePayroll".* use \w+ExpenseLine\.lateFeeBearer/)
    },
    60_000,
  )
})
