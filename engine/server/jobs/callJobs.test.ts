import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { uscc } from '../../../tests/customer.ts'
import { isLong } from '../../../tests/long.ts'
import { type Client, createTestServer, type TestServer } from '../../../tests/server.ts'
import type { Catalog } from '../../model/model.ts'
import type { Procedure } from '../runtime.ts'
import { Refusal } from '../errors.ts'
import { inBackground } from '../postgres/allowance.ts'
import { createCallWorker } from './callWorker.ts'
import { jobPauses } from './jobPauses.ts'

/**
 * Actions of agencies that run procedures: one divided into steps, one undivided, and one that foresees its result.
 */
function change(catalog: Catalog): Catalog {
  const { actions } = catalog.entities.agency
  const common = { label: { cn: '整理', en: 'Tidy' }, permission: 'setting:agency:edit', guards: [], danger: false }
  const effects = { set: {}, append: [], updates: [], notify: [], form: [{ field: 'address', required: false }] }
  const { form: _form, ...followed } = effects
  actions.tidy = { name: 'tidy', ...common, ...effects, run: 'tidy', job: 'divideTidy', foresee: 'foreseeTidy' }
  catalog.entities.agency.saves.push(
    { on: 'create', run: 'follow', job: true, ...followed },
    { on: 'update', run: 'follow', job: true, changed: ['address'], ...followed },
  )
  actions.dust = { name: 'dust', ...common, ...effects, run: 'tidy' }
  actions.sweep = { name: 'sweep', ...common, ...effects, run: 'tidy', job: true }
  return catalog
}

let house: TestServer
let ran: unknown[] = []
let parts = ['1', '2', '3']
beforeAll(async () => {
  house = await createTestServer({ change })
  const { derived } = house.runtime
  derived.alone = new Set([...derived.alone, '/customer/agency/tidy', '/customer/agency/sweep'])
  const tidy: Procedure = async ({ context, db, values }) => {
    ran.push(values.address)
    if (values.address === 'slow') {
      await sql`set local statement_timeout = 50`.execute(db)
      await sql`select pg_sleep(60)`.execute(db)
    }
    if (values.address === '3') return { succeeded: 0, failed: [{ id: 3, name: '三', message: '没有' }] }
    await db
      .insertInto('system_sequence' as never)
      .values({ name: `tidy ${values.address}`, period: '', value: 1 } as never)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    if (values.address === 'cancel') await inBackground(async () => cancel(house.admin, await idOfLast()))
    const tally = [
      { label: { cn: '整理了{n}处', en: '{n} tidied' }, n: Number(values.address) },
      { label: { cn: '另有{n}处未动', en: '{n} left alone' }, n: values.address === '2' ? 4 : 0 },
    ]
    return { succeeded: 1, tally, summary: { cn: `没有可整理的（${context.user.username}）`, en: '' } }
  }
  const follow: Procedure = async ({ records: [{ address }] }) => {
    if (address === '5') throw new Refusal('notAllowed')
    if (address === 'cancel') await inBackground(async () => cancel(house.admin, await idOfLast()))
  }
  const divideTidy: Procedure = async () => ({
    parts: parts.map((address) => ({ id: Number(address), name: address, values: { address } })),
  })
  const foreseeTidy: Procedure = async ({ act }) => ({ facts: [{ label: await act!() }], lists: [] })
  Object.assign(house.runtime.procedures, { tidy, follow, divideTidy, foreseeTidy })
})
afterAll(() => house?.close())

const prefer = { prefer: 'respond-async' }
const cancel = (as: Client, id: number) => as.post('/jobs/cancel', { id })
const progress = async (id: number, as = house.admin) => (await as.get(`/jobs/${id}`)).result
const idOfLast = async () =>
  Number((await house.database.pool.query('select max(id) as id from system_job')).rows[0].id)
const marks = async () =>
  (await house.database.pool.query(`select name from system_sequence where name like 'tidy %' order by name`)).rows.map(
    ({ name }) => name as string,
  )
const worker = () => createCallWorker(house.runtime, { log: console.error })

let number = 100
async function agencies(count: number): Promise<number[]> {
  const first = number
  number += count
  const template = await house.create('/customer/agency', {
    code: `J${first}`,
    name: `机构${first}`,
    kind: 'partner',
    uscc: uscc(first),
    cities: ['310100'],
  })
  const { rows } = await house.database.pool.query(
    `insert into agency (code, name, kind, uscc, cities, status, "createdBy", "createdAt", "updatedBy", "updatedAt", revision)
      select 'J' || ($2::integer + n), '机构' || ($2::integer + n), kind, 'X' || n || '-' || $2, cities, status,
        "createdBy", "createdAt", "updatedBy", "updatedAt", 1
      from agency, generate_series(1, $3::integer - 1) as n where id = $1 returning id`,
    [template, first, count],
  )
  return [template, ...rows.map(({ id }) => Number(id))].toSorted((a, b) => a - b)
}
const timesDisabled = async (ids: number[]) =>
  (
    await house.database.pool.query(
      `select count(*)::integer as all, count(distinct record_id)::integer as different from system_history
        where entity = 'agency' and action = 'disable' and record_id = any($1)`,
      [ids],
    )
  ).rows[0]

/** Sends a call that waits for its job as usual, because somebody works on it. */
async function whileWorking<T>(send: () => Promise<T>): Promise<T> {
  const { milliseconds } = jobPauses
  jobPauses.milliseconds = [20, 30, 50, 100, 200, 300, 300]
  const working = worker()
  working.start()
  try {
    return await send()
  } finally {
    await working.stop()
    jobPauses.milliseconds = milliseconds
  }
}

it('answers at once what finishes at once, and starts no job without the header', async () => {
  const ids = await agencies(3)
  expect(await house.admin.post('/customer/agency/disable', { ids })).toMatchObject({
    status: 200,
    result: { succeeded: 3, failed: [] },
  })
  const all = [...ids, ...(await agencies(1))]
  const again = await whileWorking(() => house.admin.post('/customer/agency/disable', { ids: all }, prefer))
  expect(again).toMatchObject({ status: 200, result: { succeeded: 1, failed: ids.map((id) => ({ id })) } })
})

it('a repeated request is the same job, done once and invisible to others', async () => {
  const ids = await agencies(4)
  const send = () => house.admin.post('/customer/agency/disable', { ids }, { ...prefer, 'idempotency-key': 'job' })
  const first = await send()
  expect(first).toMatchObject({ status: 202, code: 1, result: { job: { done: 0, steps: 4, state: 'waiting' } } })
  const { id } = first.result.job
  expect((await send()).result.job.id).toBe(id)
  expect((await house.admin.get('/jobs')).result.list).toMatchObject([{ id, label: { cn: '停用 · 服务机构' } }])
  const other = await house.user('nosy', ['auditor'])
  expect(await other.get(`/jobs/${id}`)).toMatchObject({ status: 404 })
  expect(await cancel(other, id)).toMatchObject({ status: 404 })

  await worker().drain()
  expect(await progress(id)).toMatchObject({ done: 4, state: 'done', result: { succeeded: 4, failed: [] } })
  expect(await send()).toMatchObject({ status: 200, result: { succeeded: 4 } })
  expect(await timesDisabled(ids)).toEqual({ all: 4, different: 4 })
  // The client no longer waited for the job.
  const [message] = (await house.admin.get('/messages')).result.list
  expect(message).toMatchObject({ title: '已办理：停用 · 服务机构', content: '成功4条，失败0条' })
})

it.skipIf(!isLong)('ends with a message cut between characters, whatever its records are called', async () => {
  for (const first of ['', 'x']) {
    const ids = await agencies(5)
    await house.admin.post('/customer/agency/disable', { ids })
    // Once with the 500th code unit inside a character, and once between two.
    const called = "(case id when $2 then $3 else '' end) || repeat($4, 54) || id"
    await house.database.pool.query(`update agency set name = ${called} where id = any($1)`, [ids, ids[0], first, '👍'])
    const { result } = await house.admin.post('/customer/agency/disable', { ids }, prefer)
    await worker().drain()
    expect(await progress(result.job.id)).toMatchObject({ state: 'done', result: { succeeded: 0 } })
    const [message] = (await house.admin.get('/messages')).result.list
    expect(message.content).toMatch(/^成功0条，失败5条/)
  }
})

it.skipIf(!isLong)(
  'requests with the same key are one request, as a job or not, and nothing is done twice',
  async () => {
    ran = []
    const key = (name: string) => ({ 'idempotency-key': name })
    const ids = await agencies(2)
    for (const [path, body] of [
      ['/customer/agency/disable', { ids }],
      ['/customer/agency/tidy', {}],
    ] as const) {
      const first = await house.admin.post(path, body, { ...prefer, ...key(`followed${path}`) })
      await worker().drain()
      expect(await house.admin.post(path, body, key(`followed${path}`))).toMatchObject({ code: 409, result: null })
      expect(await house.admin.post(path, body, { ...prefer, ...key(`followed${path}`) })).toMatchObject({ code: 1 })
      expect(await progress(first.result.job.id)).toMatchObject({ state: 'done' })
    }
    expect(await timesDisabled(ids)).toEqual({ all: 2, different: 2 })
    const alone = { id: (await agencies(1))[0] }
    for (const [path, body] of [
      ['/customer/agency/sweep', { values: { address: 'twice' } }],
      ['/customer/agency/disable', { ids: [alone.id, ...(await agencies(1))] }],
    ] as const) {
      expect(await house.admin.post(path, body, key(`direct${path}`))).toMatchObject({ status: 200 })
      expect(await house.admin.post(path, body, { ...prefer, ...key(`direct${path}`) })).toMatchObject({ code: 409 })
    }
    expect(ran).toEqual(['1', '2', '3', 'twice'])
  },
)

it.skipIf(!isLong)('a call on several records is a job, even if its procedure takes them all at once', async () => {
  ran = []
  const values = { address: 'dust' }
  const answer = await house.admin.post('/customer/agency/dust', { id: (await agencies(1))[0], values }, prefer)
  expect(answer).toMatchObject({ status: 200, code: 1 })
  const { result } = await house.admin.post('/customer/agency/dust', { ids: await agencies(2), values }, prefer)
  expect(result).toMatchObject({ job: { steps: 1 } })
  await worker().drain()
  expect(await progress(result.job.id)).toMatchObject({ state: 'done' })
  expect(ran).toEqual(['dust', 'dust'])
})

it('a job request with the key of a running call does nothing twice', async () => {
  const ids = await agencies(2)
  const holder = await house.database.pool.connect()
  const key = { 'idempotency-key': 'both ways' }
  const waiting = () =>
    vi.waitFor(async () => {
      const { rowCount } = await house.database.pool.query(
        'select from pg_stat_activity where datname = current_database() and wait_event_type = $1',
        ['Lock'],
      )
      expect(rowCount).toBe(1)
    })
  await holder.query('begin')
  await holder.query('select from agency where id = $1 for update', [ids[0]])
  const first = house.admin.post('/customer/agency/disable', { ids }, key)
  await waiting()
  const other = house.admin.post('/customer/agency/disable', { ids }, { ...key, ...prefer })
  await Promise.race([
    other,
    vi.waitFor(async () => {
      const { rows } = await house.database.pool.query(
        "select from pg_locks where locktype = 'advisory' and not granted",
      )
      expect(rows.length).toBe(1)
    }),
  ])
  await holder.query('rollback')
  holder.release()
  expect([await first, await other]).toMatchObject([{ code: 1, result: { succeeded: 2 } }, { code: 409 }])
  await worker().drain()
  expect(await timesDisabled(ids)).toEqual({ all: 2, different: 2 })
})

it.skipIf(!isLong)('saving a cell as a job has the cause of a cell edit', async () => {
  const [id] = await agencies(1)
  const typed = { id, revision: 1, values: { address: '8' }, cell: true }
  const { result } = await house.admin.post('/customer/agency/update', typed, prefer)
  await worker().drain()
  expect(await progress(result.job.id)).toMatchObject({ state: 'done' })
  const { rows } = await house.database.pool.query('select cause from system_work order by id desc limit 1')
  expect(rows).toEqual([{ cause: 'cell' }])
})

it('stops before the next step when cancelled', async () => {
  const ids = await agencies(3)
  const { result } = await house.admin.post('/customer/agency/disable', { ids }, prefer)
  const working = worker()
  await working.round()
  expect(await cancel(house.admin, result.job.id)).toMatchObject({ code: 1 })
  await working.drain()
  expect(await progress(result.job.id)).toMatchObject({ done: 1, state: 'cancelled', result: { succeeded: 1 } })
  expect(await timesDisabled(ids)).toEqual({ all: 1, different: 1 })
})

it.skipIf(!isLong)('a step cancelled midway leaves nothing behind', async () => {
  const { result } = await house.admin.post('/customer/agency/sweep', { values: { address: 'cancel' } }, prefer)
  await worker().drain()
  expect(await progress(result.job.id)).toMatchObject({ done: 0, state: 'cancelled' })
  expect(await marks()).not.toContain('tidy cancel')
})

it('a procedure divides a job, and each part succeeds or fails by itself', async () => {
  ran = []
  const { result } = await house.admin.post('/customer/agency/tidy', {}, prefer)
  expect(result.job).toMatchObject({ steps: 3 })
  await worker().drain()
  const { result: came } = await progress(result.job.id)
  const summary = { cn: '整理了3处，另有4处未动', en: '3 tidied, 4 left alone' }
  expect(came).toMatchObject({ succeeded: 2, failed: [{ id: 3, name: '三', message: '没有' }], summary })
  expect(ran).toEqual(['1', '2', '3'])
})

it.skipIf(!isLong)(
  "adds up a procedure's counts, and reports that nothing was done only if all parts say so",
  async () => {
    const run = async (address: string) =>
      (await house.admin.post('/customer/agency/sweep', { values: { address } })).result
    expect((await run('20')).summary).toEqual({ cn: '整理了20处', en: '20 tidied' })
    expect((await run('0')).summary).toEqual({ cn: '没有可整理的（admin）', en: '' })
    parts = ['00', '000']
    const again = async () => {
      const { result } = await house.admin.post('/customer/agency/tidy', {}, prefer)
      await worker().drain()
      return (await progress(result.job.id)).result
    }
    expect(await again()).toMatchObject({ succeeded: 2, summary: { cn: '没有可整理的（admin）' } })
    parts = ['0000', '3']
    expect((await again()).summary).toBeUndefined()
    parts = ['00000', '21']
    expect((await again()).summary).toMatchObject({ cn: '整理了21处' })
    const [message] = (await house.admin.get('/messages')).result.list
    expect(message).toMatchObject({ title: '已办理：整理 · 服务机构', content: '整理了21处' })
  },
)

it('a save with much to follow is done in the background, and answers like a save', async () => {
  const values = { code: 'J990', name: '机构990', kind: 'partner', uscc: uscc(990), cities: ['310100'] }
  const made = await house.admin.post('/customer/agency/create', { values }, { ...prefer, 'idempotency-key': 'made' })
  expect(made).toMatchObject({ status: 202, result: { job: { steps: 1, label: { cn: '新增 · 服务机构' } } } })
  await worker().drain()
  const done = await progress(made.result.job.id)
  expect(done, JSON.stringify(done)).toMatchObject({ state: 'done', result: { id: expect.any(Number), revision: 1 } })
  const { id } = done.result
  expect((await house.admin.get('/customer/agency/detail', { id })).result).toMatchObject({ code: 'J990', revision: 1 })
  const [message] = (await house.admin.get('/messages')).result.list
  expect(message).toMatchObject({ title: '已办理：新增 · 服务机构', content: '' })

  const save = (change: object, revision = 1) =>
    house.admin.post('/customer/agency/update', { id, revision, values: change }, prefer)
  const addressed = async (address: string, revision?: number) => {
    const { result } = await save({ address }, revision)
    await worker().drain()
    return progress(result.job.id)
  }
  expect(await addressed('5')).toMatchObject({ state: 'refused', refusal: { code: 409 } })
  if (isLong) expect(await addressed('cancel')).toMatchObject({ state: 'cancelled', done: 0 })
  if (isLong)
    expect(await addressed('x'.repeat(201))).toMatchObject({ refusal: { code: 422, errors: [{ field: 'address' }] } })
  expect(await save({ name: '机构九十' }), 'nothing long follows').toMatchObject({
    status: 200,
    result: { revision: 2 },
  })
  // A save that touches other fields is merged as usual.
  expect(await addressed('6')).toMatchObject({ state: 'done', result: { id, revision: 3 } })
  expect(await addressed('7', 2)).toMatchObject({ state: 'refused', refusal: { code: 409, conflict: { revision: 3 } } })
  const { rows } = await house.database.pool.query(
    `select cause from system_work join system_history on system_history.work = system_work.id
      where entity = 'agency' and record_id = $1 order by system_work.id`,
    [id],
  )
  expect(rows).toEqual([{ cause: 'form' }, { cause: 'form' }, { cause: 'form' }])
})

it('a preview is computed in the background too, and leaves nothing behind', async () => {
  const before = await marks()
  const { result } = await house.admin.post('/customer/agency/tidy/foresee', { values: { address: '9' } }, prefer)
  expect(result.job).toMatchObject({ state: 'waiting', preview: true })
  await worker().drain()
  expect(await progress(result.job.id)).toMatchObject({
    state: 'done',
    result: { facts: [{ label: { succeeded: 1 } }] },
  })
  expect(await marks()).toEqual(before)
})

it('checks the permission at every step', async () => {
  const clerk = await house.user('clerk', ['admin'])
  const ids = await agencies(3)
  const { result } = await clerk.post('/customer/agency/disable', { ids }, prefer)
  const working = worker()
  await working.round()
  await house.admin.post('/setting/user/disable', { id: clerk.id })
  await working.drain()
  expect(await timesDisabled(ids)).toEqual({ all: 1, different: 1 })
  const { rows } = await house.database.pool.query('select state, place from system_job where id = $1', [result.job.id])
  expect(rows).toEqual([{ state: 'refused', place: 1 }])
})

it.skipIf(!isLong)('shows the result of a job while its user has the permission', async () => {
  const role = await house.create('/setting/role', {
    code: 'agencyclerk',
    name: '机构专员',
    functionPermissions: ['setting:agency:*'],
    dataScope: 'all',
  })
  const clerk = await house.user('agencyclerk1', ['agencyclerk'])
  const { result } = await clerk.post('/customer/agency/disable', { ids: await agencies(2) }, prefer)
  await worker().drain()
  expect(await progress(result.job.id, clerk)).toMatchObject({ state: 'done', result: { succeeded: 2 } })
  const values = { functionPermissions: ['setting:agency:view'] }
  expect(await house.admin.post('/setting/role/update', { id: role, revision: 1, values })).toMatchObject({ code: 1 })
  expect(await clerk.get(`/jobs/${result.job.id}`)).toMatchObject({ status: 403, result: null })
})

it('limits how many jobs of a user wait, and refuses more', async () => {
  const eager = await house.user('eager', ['admin'])
  await house.database.pool.query(
    `insert into system_job (entity, operation, user_id, language, asked, steps, awaited_until, at)
      select 'agency', 'disable', $1, 'cn', $2, 1, now(), now() from generate_series(1, 18)`,
    [eager.id, house.runtime.secrets.encrypt(JSON.stringify({ request: { ids: [0] } }))],
  )
  const ids = await agencies(2)
  const many = await agencies(12)
  const atOnce = await Promise.all(
    [0, 2, 4, 6, 8, 10].map((at) => eager.post('/customer/agency/disable', { ids: many.slice(at, at + 2) }, prefer)),
  )
  expect(atOnce.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 202, 429, 429, 429, 429])
  expect(await eager.post('/customer/agency/disable', { ids }, prefer)).toMatchObject({ status: 429 })
  const { result } = await house.admin.post('/customer/agency/disable', { ids }, prefer)
  await worker().drain()
  expect((await progress(result.job.id)).state).toBe('done')
  expect(await eager.post('/customer/agency/disable', { ids }, prefer)).toMatchObject({ status: 202 })
  await worker().drain()
})

it.skipIf(!isLong)('a job of an operation that is gone waits for it, hidden, without blocking others', async () => {
  const {
    rows: [{ id }],
  } = await house.database.pool.query(
    `insert into system_job (entity, operation, user_id, language, asked, steps, awaited_until, at)
      values ('agency', 'gone', (select min(id) from "user"), 'cn', $1, 1, now(), now()) returning id`,
    [house.runtime.secrets.encrypt(JSON.stringify({ request: {} }))],
  )
  expect(await house.admin.get('/jobs')).toMatchObject({ status: 200, result: { list: [] } })
  expect(await house.admin.get(`/jobs/${id}`)).toMatchObject({ status: 404 })
  const { result } = await house.admin.post('/customer/agency/disable', { ids: await agencies(2) }, prefer)
  await worker().drain()
  expect((await progress(result.job.id)).state).toBe('done')
  const { rows } = await house.database.pool.query('select state, failures from system_job where id = $1', [id])
  expect(rows).toEqual([{ state: 'waiting', failures: 0 }])
  await house.database.pool.query('delete from system_job where id = $1', [id])
})

it('refuses a call as a whole in the same way, at once or in the background', async () => {
  await house.admin.post('/customer/agency/sweep', { values: { address: 'x' } })
  const values = { address: 'x'.repeat(200) }
  const refused = await whileWorking(() => house.admin.post('/customer/agency/sweep', { values }, prefer))
  expect(refused).toMatchObject({ status: 422, errors: [{ field: 'address' }] })
})

it('reports a step that takes too long with its incident number in the log', async () => {
  const log = vi.fn<(error: unknown) => void>()
  const send = () =>
    house.admin.post(
      '/customer/agency/sweep',
      { values: { address: 'slow' } },
      { ...prefer, 'idempotency-key': 'slow' },
    )
  await send()
  await createCallWorker(house.runtime, { log }).drain()
  const [, incident] = /incident ([0-9A-F]{8})/.exec(String(log.mock.calls[0][0])) ?? []
  expect(log).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ cause: expect.objectContaining({ code: '57014' }) }),
  )
  expect(await send()).toMatchObject({
    status: 503,
    message: `处理超时，请缩小范围或稍后重试（编号：${incident}）`,
    headers: { 'retry-after': '30' },
  })
})

it.skipIf(!isLong)(
  'another process continues the job of a killed one, and nothing is done twice',
  async () => {
    const many = isLong ? 100 : 50
    const ids = await agencies(many)
    const catalog = join(house.dataDir, 'catalog.json')
    writeFileSync(catalog, JSON.stringify(house.runtime.derived.catalog))
    const killed = spawn(
      process.execPath,
      ['--import', 'tsx', 'tests/importProcess.ts', house.database.url, house.dataDir, catalog],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    )
    await once(killed.stdout, 'data')
    const { result } = await house.admin.post('/customer/agency/disable', { ids }, prefer)
    const { id } = result.job
    killed.stdin.write('begin\n')
    while ((await progress(id)).done < many / 5);
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    const { done, state } = await progress(id)
    expect({ state, isPart: done >= many / 5 && done < many }).toEqual({ state: 'waiting', isPart: true })
    // The database notices a moment later that the process is gone, and releases its job.
    while ((await progress(id)).state === 'waiting') await worker().drain()
    expect((await progress(id)).result).toEqual({ succeeded: many, failed: [] })
    expect(await timesDisabled(ids)).toEqual({ all: many, different: many })
  },
  60_000,
)
