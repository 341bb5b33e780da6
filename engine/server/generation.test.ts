import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { lists } from '../../src/lists.ts'
import { procedures } from '../../src/procedures/index.ts'
import { clockOn } from '../../tests/clock.ts'
import { administratorPassword, createTestServer, type TestServer } from '../../tests/server.ts'
import type { Catalog } from '../model/model.ts'
import { inBackground } from './postgres/allowance.ts'
import { type Database, openDatabase } from './postgres/database.ts'
import { follower } from './catalog/follow.ts'
import { generationInForce } from './generation.ts'
import { prepareRuntime } from './prepare.ts'
import { createImportWorker } from './imports/importWorker.ts'
import { createCallWorker } from './jobs/callWorker.ts'
import { BehindError } from './postgres/outage.ts'
import { countReader } from './records/readers.ts'
import { inWork } from './records/Work.ts'
import { reloadSchemas } from './http/reload.ts'
import { createServer } from './server.ts'
import { createSystemTables } from './postgres/system.ts'
import { isLong } from '../../tests/long.ts'

let house: TestServer
/** The catalog first in force on the database. */
let first: Catalog
const open: { close(): Promise<void> }[] = []
const folder = mkdtempSync(join(tmpdir(), 'formwork-generation-'))
writeFileSync(join(folder, 'secret.key'), `${Buffer.alloc(32, 'formwork').toString('base64')}\n`)
beforeAll(async () => {
  house = await createTestServer()
  first = structuredClone(house.runtime.derived.catalog)
})
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close()
})
afterAll(async () => {
  await house?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The catalog with the user's `introduction` renamed to `about`. */
function renamed(catalog: Catalog): Catalog {
  const next = structuredClone(catalog)
  next.hash = 'renamed000000000'
  const { fields } = next.entities.user
  fields.about = { ...fields.introduction, name: 'about', was: 'introduction' }
  delete fields.introduction
  Object.assign(
    next.tables.user.columns.find(({ name }) => name === 'introduction')!,
    {
      name: 'about',
      was: 'introduction',
    },
  )
  return next
}

const prepare = (database: Database, catalog: Catalog, takeSchemas?: boolean) =>
  prepareRuntime({
    catalog,
    widgets: lists.widgets,
    database,
    dataDir: folder,
    procedures,
    clock: clockOn('2026-03-15'),
    takeSchemas,
  })

async function columns(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
    where table_name = 'user' and column_name in ('introduction', 'about')`.execute(house.database.kysely)
  return rows.map(({ name }) => name)
}

/** Another process, as far as one can simulate it here: with its own pool, catalog and files. */
async function another(catalog: Catalog) {
  const database = await openDatabase({ databaseUrl: house.database.url, dataDir: '' })
  open.push(database)
  const runtime = await prepare(database, catalog)
  const files = { catalog }
  const server = await createServer({ runtime, compile: () => ({ ...files, issues: [] }) })
  open.push(server)
  const login = await server.inject({
    method: 'POST',
    url: '/api/vue-element-admin/user/login',
    payload: { username: 'admin', password: administratorPassword },
  })
  const token = login.json().data.token as string
  const call = async (method: 'GET' | 'POST', path: string, payload?: object) => {
    const answer = await server.inject({ method, url: `/api${path}`, headers: { token }, ...(payload && { payload }) })
    return { status: answer.statusCode, again: answer.headers['retry-after'], ...answer.json() }
  }
  return { runtime, files, call, put: () => reloadSchemas(runtime, () => ({ ...files, issues: [] })) }
}

it('a process of another generation answers 503 and writes nothing until it has caught up', async () => {
  const [processA, processB] = [await another(first), await another(first)]
  const listUsers = () => processB.call('GET', '/setting/user/list')
  expect(await listUsers()).toMatchObject({ status: 200 })

  const next = renamed(first)
  processA.files.catalog = next
  expect(await processA.put()).toEqual([])
  expect(await processA.call('GET', '/setting/user/list')).toMatchObject({ status: 200 })

  expect(await listUsers()).toMatchObject({
    status: 503,
    again: '2',
    message: expect.stringMatching('系统配置正在更新'),
  })
  const save = { id: 1, revision: 1, values: { introduction: '写不进去的' } }
  expect(await processB.call('POST', '/setting/user/update', save)).toMatchObject({ status: 503 })
  expect(await processB.call('GET', '/health')).toMatchObject({ status: 503 })
  const late = { ...house.context(), runtime: processB.runtime, derived: processB.runtime.derived }
  await expect(inWork(late, { cause: 'system' }, () => Promise.resolve('written'))).rejects.toThrow(/generation/)

  processB.files.catalog = next
  await vi.waitFor(async () => expect(await listUsers()).toMatchObject({ status: 200 }))
  expect(processB.runtime.derived.catalog.hash).toBe(next.hash)
  expect(await processB.call('GET', '/health')).toMatchObject({ status: 200, result: { catalog: next.hash } })
  expect(await columns()).toEqual(['about'])
})

it('a process behind counts no readers and stores no failures of imports or jobs', async () => {
  const { runtime } = house
  const own = runtime.derived
  const behind = { ...own, generation: 0 }
  const query = (text: string) => house.database.pool.query(text)
  const notice = { entity: own.catalog.entities.notice, context: { ...house.context(), derived: behind } }
  await expect(countReader(notice.context, notice.entity, 1)).rejects.toThrow(BehindError)

  const { rows } = await query(
    `insert into "customerImport" (status, file, "createdBy", "createdAt", "updatedBy", "updatedAt", revision)
      values ('processing', '[{"url": "/api/files/${'0'.repeat(32)}/gone.xlsx", "name": "gone.xlsx"}]', 1, now(), 1, now(), 1) returning id`,
  )
  await query(`insert into system_import (entity, batch_id, phase) values ('customerImport', ${rows[0].id}, 'reading')`)
  await query(
    `insert into system_job (entity, operation, user_id, language, asked, steps, awaited_until, at)
      values ('agency', 'disable', 1, 'cn', '${runtime.secrets.encrypt('{}')}', 1, now(), now())`,
  )
  const failed: unknown[] = []
  // Other files are put in force between the failing step and the record of its failure.
  const log = (error: unknown) => {
    failed.push(error)
    runtime.derived = behind
  }
  try {
    for (const create of [createImportWorker, createCallWorker]) {
      runtime.derived = own
      await create(runtime, { log }).round()
    }
  } finally {
    runtime.derived = own
  }
  expect(failed.filter((error) => error instanceof BehindError)).toHaveLength(2)
  const { rows: failures } = await query('select failures from system_import union all select failures from system_job')
  expect(failures).toEqual([{ failures: 0 }, { failures: 0 }])
})

it('a starting process waits for a work in progress without a deadlock', async () => {
  const context = house.context()
  let starting: Promise<void> | undefined
  const generation = (await generationInForce(house.database.kysely))!.number
  await inWork({ ...context, derived: { ...context.derived, generation } }, { cause: 'system' }, async ({ db }) => {
    await sql`insert into system_work (cause, at) values ('system', localtimestamp)`.execute(db)
    starting = inBackground(() => createSystemTables(house.database))
    await vi.waitFor(async () => {
      const { rowCount } = await inBackground(() =>
        house.database.pool.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        ),
      )
      expect(rowCount).toBe(1)
    })
    await sql`insert into system_history (entity, record_id, action, at, changes)
      values ('user', 1, 'update', localtimestamp, '{}')`.execute(db)
  })
  await starting
})

it.skipIf(!isLong)('a process that starts during a long work blocks no other work', async () => {
  const context = house.context()
  const { number: generation } = (await generationInForce(house.database.kysely))!
  const current = { ...context, derived: { ...context.derived, generation } }
  let starting: Promise<void> | undefined
  await inWork(current, { cause: 'system' }, async () => {
    starting = inBackground(() => createSystemTables(house.database))
    await vi.waitFor(async () => {
      const { rowCount } = await inBackground(() =>
        house.database.pool.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        ),
      )
      expect(rowCount).toBe(1)
    })
    expect(await inBackground(() => inWork(current, { cause: 'system' }, async () => 'done'))).toBe('done')
  })
  await starting
})

it('no process starts with replaced files, unless told to go back', async () => {
  await expect(prepare(house.database, first)).rejects.toThrow(
    /have been replaced: they are generation 1 .* Generation 2 .* SCHEMAS_TAKE=yes/,
  )
  expect(await columns()).toEqual(['about'])
  const runtime = await prepare(house.database, renamed(first))
  expect(runtime.derived.generation).toBe(2)
  expect((await prepare(house.database, first, true)).derived.generation).toBe(3)
})

it.skipIf(!isLong)('refuses a reload from a process that is behind', async () => {
  const [processA, processB] = [await another(first), await another(first)]
  processA.files.catalog = { ...first, hash: 'labels of one' }
  processB.files.catalog = { ...first, hash: 'labels of another' }
  expect(await processA.put()).toEqual([])
  await expect(processB.put()).rejects.toMatchObject({ code: 'otherSchemas' })
  expect(await processA.call('GET', '/setting/user/list')).toMatchObject({ status: 200 })
})

it.skipIf(!isLong)(
  'a process that failed to read the overlay while catching up reads it at the next request',
  async () => {
    const inForce = { ...first, hash: 'labels of one' }
    const [processA, processB] = [await another(inForce), await another(inForce)]
    const next = { ...first, hash: 'labels followed' }
    processA.files.catalog = next
    expect(await processA.put()).toEqual([])
    const errors: unknown[] = []
    const follow = follower(processB.runtime, {
      compile: () => ({ catalog: next }),
      log: (error) => errors.push(error),
    })
    const rename = (from: string, to: string) => sql.raw(`alter table ${from} rename to ${to}`)
    await rename('system_overlay', 'overlay_away').execute(house.database.kysely)
    await follow()
    await rename('overlay_away', 'system_overlay').execute(house.database.kysely)
    expect(errors).toHaveLength(1)
    expect(await processB.call('GET', '/setting/user/list')).toMatchObject({ status: 200 })
    const { catalog, declared } = processB.runtime.derived
    expect(catalog.hash).toBe(next.hash)
    expect(catalog.dictionaries).not.toBe(declared)
  },
)
