/** What of a call is stored for its job, by whom it is read, and for how long. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { uscc } from '../../../tests/customer.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import type { Catalog } from '../../model/model.ts'
import { createCallWorker } from './callWorker.ts'
import type { JobInput } from './Job.ts'

/** Agencies are swept by a procedure, and whatever follows their creation takes long. */
function change(catalog: Catalog): Catalog {
  const { agency } = catalog.entities
  const common = { label: { cn: '清扫', en: 'Sweep' }, permission: 'setting:agency:edit', guards: [], danger: false }
  const effects = { set: {}, append: [], updates: [], notify: [] }
  const form = [{ field: 'address', required: false }]
  agency.actions.sweep = { name: 'sweep', ...common, ...effects, form, run: 'sweep', job: true }
  agency.saves.push({ on: 'create', run: 'follow', job: true, ...effects })
  return catalog
}

let house: TestServer
let swept: unknown[] = []
beforeAll(async () => {
  house = await createTestServer({ change })
  Object.assign(house.runtime.procedures, {
    sweep: async ({ values }: { values: object }) => void swept.push(values),
    follow: async () => undefined,
  })
})
afterAll(() => house?.close())

const prefer = { prefer: 'respond-async' }
const query = async (text: string, values: unknown[] = []) => (await house.database.pool.query(text, values)).rows
async function begin(path: string, body: object): Promise<number> {
  const answer = await house.admin.post(path, body, prefer)
  expect(answer, JSON.stringify(answer)).toMatchObject({ status: 202 })
  return answer.result.job.id
}
const work = () => createCallWorker(house.runtime, { log: console.error }).drain()
const inputOf = async (id: number) => {
  const [{ asked }] = await query('select asked from system_job where id = $1', [id])
  return (JSON.parse(house.runtime.secrets.decrypt(asked)) as JobInput).request
}
const progress = async (id: number) => (await house.admin.get(`/jobs/${id}`)).result

let number = 400
async function agencies(count: number): Promise<number[]> {
  const ids: number[] = []
  for (let each = 0; each < count; each++) {
    const code = number++
    const values = { code: `J${code}`, name: `机构${code}`, kind: 'partner', uscc: uscc(code), cities: ['310100'] }
    ids.push(await house.create('/customer/agency', values))
  }
  return ids
}

it('whoever asks how far a job is reads neither its input nor what its user saw', async () => {
  const id = await begin('/customer/agency/disable', { ids: await agencies(2) })
  // Whoever read them would fail.
  const unreadable = "asked = 'unreadable', seen = '7'"
  const [{ asked, seen }] = await query('select asked, seen from system_job where id = $1', [id])
  await query(`update system_job set ${unreadable} where id = $1`, [id])
  expect(await house.admin.get('/jobs')).toMatchObject({ status: 200, result: { list: [{ id, done: 0, steps: 2 }] } })
  expect(await house.admin.get(`/jobs/${id}`)).toMatchObject({ status: 200, result: { id, state: 'waiting' } })
  expect(await house.admin.post('/jobs/cancel', { id })).toMatchObject({ status: 200, result: { id } })
  await query('update system_job set asked = $2, seen = $3, cancelled = false where id = $1', [
    id,
    asked,
    JSON.stringify(seen),
  ])
  await work()
  expect(await progress(id)).toMatchObject({ state: 'done', result: { succeeded: 2 } })
})

it('stores only what the call takes: the others are ignored, as by the call itself', async () => {
  const ids = await agencies(2)
  const seen = { agency: { [ids[0]]: 1, [ids[1]]: 1 } }
  const more = { values: { address: '路', other: 'x'.repeat(1000) }, strange: 'x'.repeat(1000) }
  const deletion = await begin('/customer/agency/delete', { ids, seen, ...more })
  expect(await inputOf(deletion)).toEqual({ ids })
  const [id] = await agencies(1)
  swept = []
  const action = await begin('/customer/agency/sweep', { id, revision: 1, ...more })
  expect(await inputOf(action)).toEqual({ id, revision: 1, values: { address: '路' } })
  expect(await house.admin.post('/customer/agency/sweep', { id, revision: 1, ...more })).toMatchObject({ status: 200 })
  await work()
  expect(swept).toEqual([{ address: '路' }, { address: '路' }])
  expect(await progress(deletion)).toMatchObject({ state: 'done', result: { succeeded: 2, failed: [] } })
})

it('a transition refuses values that its form does not have, at once or in a job', async () => {
  const ids = await agencies(2)
  const call = { ids, values: { other: '1' } }
  const { result } = await house.admin.post('/customer/agency/disable', call)
  expect(result).toMatchObject({ succeeded: 0, failed: ids.map((id) => ({ id, message: '没有字段“other”' })) })
  const job = await begin('/customer/agency/disable', call)
  await work()
  expect((await progress(job)).result).toMatchObject(result)
})

it('keeps the input of a job until it ends, and no longer', async () => {
  const ids = await agencies(3)
  const seen = { agency: Object.fromEntries(ids.map((id) => [id, 1])) }
  const done = await begin('/customer/agency/disable', { ids, seen })
  const working = createCallWorker(house.runtime, { log: console.error })
  await working.round()
  expect(await inputOf(done), 'another process may continue').toEqual({ ids })
  const cancelled = await begin('/customer/agency/disable', { ids: await agencies(2) })
  await house.admin.post('/jobs/cancel', { id: cancelled })
  const values = { code: 'J399', name: '机构399', kind: 'partner', uscc: 'wrong', cities: ['310100'] }
  const refused = await begin('/customer/agency/create', { values })
  await work()
  expect(await progress(done)).toMatchObject({ state: 'done', result: { succeeded: 3, failed: [] } })
  expect(await progress(refused)).toMatchObject({ state: 'refused', refusal: { errors: [{ field: 'uscc' }] } })
  const rows = await query('select state, asked, seen from system_job where id = any($1) order by id', [
    [done, cancelled, refused],
  ])
  expect(rows).toEqual(['done', 'cancelled', 'refused'].map((state) => ({ state, asked: '', seen: [] })))
})
