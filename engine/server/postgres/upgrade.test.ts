/** Starts today's code with a database and a backup from before works were recorded. */
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { clockOn } from '../../../tests/clock.ts'
import { customerValues } from '../../../tests/customer.ts'
import { createTestDatabase, type TestDatabase } from '../../../tests/database.ts'
import { batch, check, customerImport, customerRow, worker, write } from '../../../tests/importing.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import { lists } from '../../../src/lists.ts'
import { procedures } from '../../../src/procedures/index.ts'
import type { Database } from './database.ts'
import { runDaily } from '../jobs/daily.ts'
import { dump } from './dump.ts'
import { prepareRuntime } from '../prepare.ts'
import { restore } from './restore.ts'
import { folderFiles } from '../files/folderFiles.ts'

/** Removes what was introduced with the unit of work. */
const asBefore = `
  drop view system_log;
  alter table system_history drop column work;
  drop table system_work, system_request, system_notice, system_feed, system_generation, system_daily_rule;
  alter table system_import drop column by_user;
  create table system_daily (entity text, place integer, day text);
  insert into system_daily values ('person', 0, '2026-03-14'), ('person', 1, '2026-03-15')`

let house: TestServer
let customer: number
let written: number
let begun: number
let restored: TestDatabase
const home = mkdtempSync(join(tmpdir(), 'formwork-upgrade-'))
const start = (database: Database, dataDir: string) =>
  prepareRuntime({
    catalog: house.runtime.derived.catalog,
    widgets: lists.widgets,
    database,
    dataDir,
    procedures,
    clock: clockOn('2026-03-15'),
  })
const history = async (id: number) => (await house.admin.get('/customer/history', { id })).result.list

beforeAll(async () => {
  house = await createTestServer()
  customer = await house.create('/customer', await customerValues(house))
  written = await check(house, [customerRow(81), customerRow(82)])
  await write(house, written)
  begun = await check(house, [customerRow(83), customerRow(84), customerRow(85)])
  await house.admin.post(`${customerImport}/write`, { id: begun })
  // Killed after the first row.
  await worker(house, 1).round()
  await house.database.pool.query(asBefore)
  const backup = join(home, 'backup.gz')
  await dump(house.database, folderFiles(house.dataDir), createWriteStream(backup))
  restored = await createTestDatabase()
  await restore(restored, folderFiles(home), { from: backup, content: createReadStream(backup) })
  await start(house.database, house.dataDir)
})
afterAll(async () => {
  await restored?.drop()
  await house?.close()
  rmSync(home, { recursive: true, force: true })
})

it('shows history without a work in the record and the log, and records works from now on', async () => {
  const [created] = await history(customer)
  expect(created).toMatchObject({ action: 'create', work: null, with: [], by: { name: expect.any(String) } })
  const { revision } = (await house.admin.get('/customer/detail', { id: customer })).result
  expect(
    await house.admin.post('/customer/update', { id: customer, revision, values: { remark: '升级之后' } }),
  ).toMatchObject({ code: 1 })
  expect((await history(customer)).map(({ work }: { work: number | null }) => work)).toEqual([expect.any(Number), null])
  const tab = { entity: { equals: 'customer' }, recordId: { equals: customer } }
  const { list } = (await house.admin.get('/setting/operationLog/list', { tab })).result
  const workOf = (named: string) => list.find(({ action }: { action: string }) => action === named).work
  expect([workOf('create'), workOf('update')]).toEqual([null, expect.any(Number)])
})

const imported = async (): Promise<number[]> => {
  const { rows } = await house.database.pool.query<{ name: string }>(
    'select name from customer where name like \'进口客户8%\' and "deletedAt" is null order by name',
  )
  return rows.map(({ name }) => Number(name.replace('进口客户', '')))
}

it('continues an import that was half written, and undoes one that was complete', async () => {
  await worker(house).drain()
  expect(await batch(house, begun)).toMatchObject({ status: 'completed', successCount: 3 })
  expect(await imported()).toEqual([81, 82, 83, 84, 85])
  expect(await house.admin.post(`${customerImport}/undo`, { id: written })).toMatchObject({ code: 1 })
  expect(await batch(house, written)).toMatchObject({ status: 'undone', undoneCount: 2 })
  expect(await imported()).toEqual([83, 84, 85])
  expect(await house.admin.post(`${customerImport}/undo`, { id: begun })).toMatchObject({ code: 1 })
  expect(await imported()).toEqual([])
})

it('keeps which of the daily rules were done', async () => {
  await runDaily(house.runtime)
  const { rows } = await house.database.pool.query(
    "select count(*)::integer as count from system_history where action = 'close'",
  )
  expect(rows).toEqual([{ count: 0 }])
  expect((await house.database.pool.query("select to_regclass('system_daily') as old")).rows).toEqual([{ old: null }])
})

it('restores a backup of the earlier version, and starts', async () => {
  const { pool } = (await start(restored, home)).database
  const { rows } = await pool.query(
    "select action, work from system_history where entity = 'customer' and record_id = $1",
    [customer],
  )
  expect(rows).toEqual([{ action: 'create', work: null }])
  expect((await pool.query('select count(*)::integer as works from system_work')).rows).toEqual([{ works: 0 }])
  const job = await pool.query('select phase from system_import where batch_id = $1', [begun])
  expect(job.rows).toEqual([{ phase: 'writing' }])
})
