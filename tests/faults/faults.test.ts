/** The short form of `npm run faults`: two servers on one database in this process, and the faults that are possible here. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../engine/server/postgres/database.ts'
import { prepareRuntime } from '../../engine/server/prepare.ts'
import { createServer } from '../../engine/server/server.ts'
import { lists } from '../../src/lists.ts'
import { procedures } from '../../src/procedures/index.ts'
import { clockOn } from '../clock.ts'
import { createTestServer, type TestServer } from '../server.ts'
import { counted, openDesk, receipts } from './desk.ts'
import { Load } from './Load.ts'

let house: TestServer
let values: (payer: string) => object
const folder = mkdtempSync(join(tmpdir(), 'formwork-faults-'))
writeFileSync(join(folder, 'secret.key'), `${Buffer.alloc(32, 'formwork').toString('base64')}\n`)
beforeAll(async () => {
  house = await createTestServer()
  values = await openDesk(async (path, given) => (await house.admin.post(path, { values: given })).result.id)
})
afterAll(async () => {
  house?.server.server.closeAllConnections()
  await house?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function second(): Promise<{ server: FastifyInstance; close(): Promise<void> }> {
  const database = await openDatabase({ databaseUrl: house.database.url, dataDir: '' })
  const { catalog } = house.runtime.derived
  const runtime = await prepareRuntime({
    catalog,
    widgets: lists.widgets,
    database,
    dataDir: folder,
    procedures,
    clock: clockOn('2026-03-15'),
  })
  const server = await createServer({ runtime, compile: () => ({ catalog, issues: [] }) })
  return {
    server,
    async close() {
      await ended(server)
      await database.close(0)
    },
  }
}
/** Clients keep idle connections open: closing cuts these, and requests in progress. */
const ended = async (server: FastifyInstance) => {
  const closed = server.close()
  server.server.closeAllConnections()
  await closed
}
const urlOf = async (server: FastifyInstance) => {
  await server.listen({ port: 0, host: '127.0.0.1' })
  return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
}

test('two servers under load keep every acknowledged write exactly once, whatever fails', async () => {
  const { name, administer, pool } = house.database
  const urls = [await urlOf(house.server)]
  const load = new Load({ urls: () => urls, token: house.admin.token, path: receipts, values })
  await load.more(10)
  // A second server starts beside the first.
  const other = await second()
  urls.push(await urlOf(other.server))
  await load.more(10)

  const endSessions = () =>
    administer(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`,
    )
  // The database fails over.
  for (const _ of [1, 2, 3]) {
    await endSessions()
    await load.more(10)
  }
  // The database is away until ten requests are refused.
  await administer(`alter database ${name} allow_connections false`)
  await endSessions()
  await load.refusals(10)
  await administer(`alter database ${name} allow_connections true`)
  await load.more(10)
  // The primary becomes a standby: sessions begun before it is primary again stay open and never write.
  await administer(`alter database ${name} set default_transaction_read_only = on`)
  await endSessions()
  await load.refusals(10)
  await administer(`alter database ${name} reset default_transaction_read_only`)
  // Each session from before refuses one request at most.
  const before = load.results.refused
  await Promise.race([load.more(30), load.refusals(30)])
  expect(load.results.refused - before).toBeLessThan(30)
  // One connection stalls, then goes on.
  const { rows } = await pool.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() limit 1',
  )
  for (const { pid } of rows) process.kill(pid, 'SIGSTOP')
  // It may hold a lock that all others wait for; then their requests are refused.
  await Promise.race([load.served(), load.refusals(1)])
  for (const { pid } of rows) process.kill(pid, 'SIGCONT')
  await load.more(10)
  // One of the two servers stops.
  urls.pop()
  await other.close()
  await load.more(10)
  await load.stop()

  expect(await counted(pool, load)).toEqual({ lost: [], doubled: [] })
  expect(load.results.unexpected).toEqual([])
  expect(load.results.acknowledged).toBeGreaterThanOrEqual(80)
  expect(load.results.replayed).toBeGreaterThan(10)
}, 60_000)
