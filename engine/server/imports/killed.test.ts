import { spawn, type ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { customerValues } from '../../../tests/customer.ts'
import {
  batch,
  customerImport,
  customerRow,
  importFile,
  planOf,
  rows,
  workbook,
  worker,
} from '../../../tests/importing.ts'
import { isLong } from '../../../tests/long.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import { jobTable } from './importTables.ts'

let house: TestServer
let catalog: string
const processes = new Set<ChildProcess>()
beforeAll(async () => {
  house = await createTestServer()
  catalog = join(house.dataDir, 'catalog.json')
  writeFileSync(catalog, JSON.stringify(house.runtime.derived.catalog))
  await customerValues(house)
})
afterAll(async () => {
  for (const process of processes) process.kill('SIGKILL')
  await house?.close()
})

interface Process {
  begin(): void
  kill(): Promise<void>
}

/** Another process that will work on imports. */
function launch(): Promise<Process> {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', 'tests/importProcess.ts', house.database.url, house.dataDir, catalog],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  processes.add(child)
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
  })
  const kill = () => {
    child.kill('SIGKILL')
    processes.delete(child)
    return ended
  }
  return new Promise((resolve) =>
    child.stdout.once('data', () => resolve({ begin: () => void child.stdin.write('begin\n'), kill })),
  )
}

const moments = isLong ? 6 : 1
const count = isLong ? 2500 : 1000
/** One row of 500 has no name. */
const failing = count / 500

it(`goes on after SIGKILL at any of ${moments} moments, with no row lost or doubled`, async () => {
  const file = await workbook(
    planOf(house),
    Array.from({ length: count }, (_, index) => customerRow(index + 1, index % 500 === 7 ? { name: null } : {})),
  )
  const id = await importFile(house, file)
  const state = () => batch(house, id)
  let seen: unknown
  let kept = 0
  /** The number of steps seen as stored so far. */
  const steps = async () => {
    const { rows } = await sql<{ at: string | null }>`select stepped_at::text as at from ${sql.table(jobTable)}
      where entity = ${planOf(house).batches} and batch_id = ${id}`.execute(house.database.kysely)
    if (rows[0].at !== seen) kept++
    seen = rows[0].at
    return kept
  }
  let kills = 0
  // The next process starts while one works.
  let next = launch()
  /** Lets a process work for one step or more, and then partway into the next. */
  const round = async () => {
    const process = await next
    next = launch()
    const from = await steps()
    process.begin()
    const begun = performance.now()
    let last = from
    while ((await state()).status === 'processing' && (last = await steps()) <= from + (kills % 3));
    // Wait another part of the time a step takes here each time, so that kills hit different parts of a step.
    const step = (performance.now() - begun) / Math.max(1, last - from)
    await new Promise((resolve) => {
      setTimeout(resolve, ((0.3 + kills * 0.618) % 1) * step)
    })
    await process.kill()
    kills++
  }
  while (kills < Math.floor(moments / 2) && (await state()).status === 'processing') await round()
  await worker(house).drain()
  expect(await state()).toMatchObject({
    status: 'checked',
    totalCount: count,
    createCount: count - failing,
    failCount: failing,
  })

  await house.admin.post(`${customerImport}/write`, { id })
  while (kills < moments && (await state()).status === 'processing') await round()
  await worker(house).drain()
  expect(kills).toBe(moments)
  await (await next).kill()

  expect(await state()).toMatchObject({
    status: 'partial',
    totalCount: count,
    successCount: count - failing,
    failCount: failing,
  })
  const {
    rows: [{ all, different }],
  } = await sql<{ all: number; different: number }>`
    select count(*)::integer as all, count(distinct "rowNo")::integer as different from "customerImportRow" where batch = ${id}`.execute(
    house.database.kysely,
  )
  expect({ all, different }).toEqual({ all: count, different: count })
  const {
    rows: [written],
  } = await sql`
    select count(*)::integer as customers, count(distinct c.uscc)::integer as codes, sum(h.entries)::integer as histories, sum(a.entries)::integer as journals
    from customer as c
    cross join lateral (select count(*) as entries from system_history where entity = 'customer' and record_id = c.id) as h
    cross join lateral (select count(*) as entries from "customerApproval" where customer = c.id) as a
    where c."registrationMethod" = 'import'`.execute(house.database.kysely)
  expect(written).toEqual({
    customers: count - failing,
    codes: count - failing,
    histories: count - failing,
    journals: count - failing,
  })
  expect((await rows(house, id)).filter(({ rowStatus, target }) => rowStatus === 'created' && !target)).toEqual([])
}, 300_000)
