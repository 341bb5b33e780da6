/** How long requests wait, and the answer: for locks, long queries, and a database that hangs. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { lists } from '../../../src/lists.ts'
import { procedures } from '../../../src/procedures/index.ts'
import { clockOn } from '../../../tests/clock.ts'
import { isLong } from '../../../tests/long.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import { inBackground } from '../postgres/allowance.ts'
import { openDatabase } from '../postgres/database.ts'
import { outageOf } from '../postgres/outage.ts'
import { prepareRuntime } from '../prepare.ts'
import { createServer } from '../server.ts'

let house: TestServer
let record: number
const folder = mkdtempSync(join(tmpdir(), 'formwork-patience-'))
writeFileSync(join(folder, 'secret.key'), `${Buffer.alloc(32, 'formwork').toString('base64')}\n`)
const open: { close(): Promise<unknown> }[] = []
beforeAll(async () => {
  house = await createTestServer()
  record = await house.create('/customer/customerClassification', { name: '甲类' })
})
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close()
})
afterAll(async () => {
  await house?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A server on the same database, with its own connection settings and deadline. */
async function serverWith(options: string, requestSeconds?: number, connections?: number) {
  const url = new URL(house.database.url)
  url.searchParams.set('options', options)
  const database = await openDatabase({ databaseUrl: url.href, dataDir: '', connections, silence: 1_000 })
  open.push({ close: () => database.close(0) })
  const runtime = await prepareRuntime({
    catalog: house.runtime.derived.catalog,
    widgets: lists.widgets,
    database,
    dataDir: folder,
    procedures,
    clock: clockOn('2026-03-15'),
  })
  const server = await createServer({
    runtime,
    compile: () => ({ catalog: runtime.derived.catalog, issues: [] }),
    requestSeconds,
  })
  open.push(server)
  const call = async (path: string, payload?: object) => {
    const answer = await server.inject({
      method: payload ? 'POST' : 'GET',
      url: `/api${path}`,
      headers: { token: house.admin.token },
      ...(payload && { payload }),
    })
    const { 'retry-after': again, 'x-incident': header } = answer.headers
    return { status: answer.statusCode, again, header, ...answer.json() }
  }
  return { call, database }
}

/** Runs `act` while another transaction holds the record. */
async function held<T>(act: () => Promise<T>): Promise<T> {
  const holder = await house.database.pool.connect()
  try {
    await holder.query('begin')
    await holder.query('select 1 from "customerClassification" where id = $1 for update', [record])
    return await act()
  } finally {
    await holder.query('rollback')
    holder.release()
  }
}
const list = '/customer/customerClassification/list'
const save = (name: string) => ({ id: record, revision: 1, values: { name } })

it('answers a request that waits for a lock that the record is busy, and accepts a retry', async () => {
  const { call } = await serverWith('-c lock_timeout=100')
  const answer = await held(() => call('/customer/customerClassification/update', save('乙类')))
  expect(answer).toMatchObject({ status: 409, message: '数据正被他人修改，请稍后重试' })
  expect(await call('/customer/customerClassification/update', save('乙类'))).toMatchObject({ code: 1 })
})

const tooSlow = (incident: unknown) => `处理超时，请缩小范围或稍后重试（编号：${String(incident)}）`

it('reports a statement that takes too long as an outage, at sign-in too', async () => {
  const { call } = await serverWith('-c lock_timeout=0 -c statement_timeout=200')
  const holding = await house.database.pool.connect()
  try {
    await holding.query('begin')
    await holding.query('lock table "customerClassification", "user" in access exclusive mode')
    const answer = await call(list)
    const signIn = await call('/vue-element-admin/user/login', { username: 'admin', password: 'x' })
    for (const { header, status, again, message } of [answer, signIn]) {
      expect(header).toMatch(/^[0-9A-F]{8}$/)
      expect({ status, again, message }).toEqual({ status: 503, again: '30', message: tooSlow(header) })
    }
    expect(answer.incident).toBe(answer.header)
  } finally {
    await holding.query('rollback')
    holding.release()
  }
})

it('reports a request past its deadline, and the database cancels its statement', async () => {
  const { call, database } = await serverWith('-c lock_timeout=0 -c application_name=late', 1)
  await held(async () => {
    const answer = await call('/customer/customerClassification/delete', { id: record })
    expect(answer.incident).toMatch(/^[0-9A-F]{8}$/)
    expect(answer).toMatchObject({ status: 503, again: '30', message: tooSlow(answer.incident) })
    await vi.waitFor(async () => {
      const { rowCount } = await house.database.pool.query(
        "select from pg_stat_activity where application_name = 'late' and wait_event_type = 'Lock'",
      )
      expect(rowCount).toBe(0)
    })
  })
  expect(await call(list)).toMatchObject({ status: 200, result: { total: 1 } })
  expect(database.pool.waitingCount).toBe(0)
})

it('a hung connection fails only the requests that use it', async () => {
  const { call, database } = await serverWith('', 2, 2)
  const {
    rows: [{ pid }],
  } = await database.pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  expect(await call(list)).toMatchObject({ status: 200 })
  process.kill(pid, 'SIGSTOP')
  try {
    const answers = await Promise.all([1, 2, 3].map(() => call(list)))
    const codes = new Set(answers.map(({ status }) => status as number))
    expect([...codes].filter((status) => status !== 200 && status !== 503)).toEqual([])
    expect(codes).toContain(503)
    expect(await call(list)).toMatchObject({ status: 200 })
    expect(await call('/health')).toMatchObject({ status: 200 })
  } finally {
    process.kill(pid, 'SIGCONT')
  }
})

it.skipIf(!isLong)('background work does not wait for a hung connection', async () => {
  const { database } = await serverWith('', 2, 2)
  const standing = inBackground(() =>
    database.kysely.transaction().execute(async (db) => {
      const {
        rows: [{ pid }],
      } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
      process.kill(pid, 'SIGSTOP')
      open.push({ close: async () => void process.kill(pid, 'SIGCONT') })
      await sql`select 1`.execute(db)
    }),
  )
  await expect(standing).rejects.toSatisfy((error) => outageOf(error) === 'unreachable')
  expect(database.pool.waitingCount).toBe(0)
})

it.skipIf(!isLong)('a background statement may be silent for a while', async () => {
  const database = await openDatabase({ databaseUrl: house.database.url, dataDir: '', connections: 1, silence: 5_000 })
  open.push({ close: () => database.close(0) })
  // Longer than the interval between two checks.
  await inBackground(() => database.pool.query('select pg_sleep(1.2)'))
})

it('a connection left in the middle of a transaction is not reused', async () => {
  const database = await openDatabase({ databaseUrl: house.database.url, dataDir: '', connections: 1 })
  open.push({ close: () => database.close(0) })
  const client = await database.pool.connect()
  await client.query('begin')
  client.release()
  const { rows } = await database.pool.query('select now() = statement_timestamp() as alone')
  expect(rows).toEqual([{ alone: true }])
})
