import { afterAll, beforeAll, expect, it } from 'vitest'
import type { WorkDetail } from '../../model/model.ts'
import { customerValues, uscc } from '../../../tests/customer.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import { createCallWorker } from '../jobs/callWorker.ts'
import { isLong } from '../../../tests/long.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

let number = 500
async function agencies(count: number): Promise<number[]> {
  const ids: number[] = []
  for (const last = number + count; number < last; number++) {
    const values = {
      code: `J${number}`,
      name: `机构${number}`,
      kind: 'partner',
      uscc: uscc(number),
      cities: ['310100'],
    }
    ids.push(await house.create('/customer/agency', values))
  }
  return ids
}

const call = (operation: string, ids: number[], headers = {}, values = {}) =>
  house.admin.post(`/customer/${operation}`, { ids, values }, headers)
const newest = async (path: string, id: number) =>
  (await house.admin.get(`/customer/${path}history`, { id })).result.list[0]
const workOf = async (id: number): Promise<WorkDetail> => (await house.admin.get(`/works/${id}`)).result
/** The works of the newest history of these records, as stored. */
const storedWorks = async (entity: string, ids: number[]) =>
  (
    await house.database.pool.query<{ work: number }>(
      'select distinct work from system_history where entity = $1 and record_id = any($2) and work is not null and action <> $3',
      [entity, ids, 'create'],
    )
  ).rows.map(({ work }) => Number(work))
const changed = ({ entities }: WorkDetail, name: string) =>
  entities.find(({ entity }) => entity === name)!.changes.map(({ id, action }) => `${id} ${action}`)

/** Expects a separate work for each record, and a history that shows what else the same click did. */
async function expectOne(entity: string, action: string, ids: number[], path = '') {
  expect(await storedWorks(entity, ids)).toHaveLength(ids.length)
  const entries = await Promise.all(ids.map((id) => newest(path, id)))
  const workId = entries[0].work
  for (const entry of entries) {
    expect(entry).toMatchObject({ action, work: workId })
    expect(entry.with).toContainEqual(expect.objectContaining({ entity, count: ids.length - 1 }))
  }
  const work = await workOf(workId)
  expect(changed(work, entity)).toEqual(ids.map((id) => `${id} ${action}`))
  for (const id of await storedWorks(entity, ids)) expect(await workOf(id)).toEqual(work)
  return work
}

it('a transition of 20 records, one of them refused, reads as one act', async () => {
  const ids = await agencies(20)
  const [refused] = await agencies(1)
  await house.admin.post('/customer/agency/disable', { id: refused })
  const { result } = await call('agency/disable', [ids[0], refused, ...ids.slice(1)])
  expect(result).toMatchObject({ succeeded: 20, failed: [{ id: refused }] })
  expect(await expectOne('agency', 'disable', ids, 'agency/')).toMatchObject({
    cause: 'transition:disable',
    by: { id: 1 },
    entities: [{ entity: 'agency', count: 20 }],
  })
  const log = await house.admin.get('/setting/operationLog/list', {
    tab: { work: { equals: (await newest('agency/', ids[0])).work } },
    size: 50,
  })
  const loggedIds = new Set(log.result.list.map(({ recordId }: { recordId: number }) => recordId))
  expect([loggedIds, log.result.total]).toEqual([new Set(ids), ids.length])
})

it('a job on several records reads as one act, even if several processes carried it out', async () => {
  const ids = await agencies(4)
  expect(await call('agency/disable', ids, { prefer: 'respond-async' })).toMatchObject({ status: 202 })
  // Each worker takes one step, like a process that is killed after it.
  for (let step = 0; step < ids.length; step++)
    expect(await createCallWorker(house.runtime, { log: console.error }).round()).toBe(1)
  await expectOne('agency', 'disable', ids, 'agency/')
})

it('an action on several records reads as one act, with all that followed from it', async () => {
  const ids: number[] = []
  for (let at = 0; at < 3; at++) ids.push(await house.create('/customer', await customerValues(house)))
  const support = await house.user('support02', ['support'])
  expect((await call('assign', ids, {}, { supportStaff: support.id })).result).toMatchObject({ succeeded: 3 })
  await expectOne('customer', 'assign', ids)
})

it.skipIf(!isLong)('a deletion of several records reads as one act', async () => {
  const ids = await agencies(3)
  expect((await call('agency/delete', ids)).result).toMatchObject({ succeeded: 3 })
  await house.database.pool.query('update agency set "deletedAt" = null where id = any($1)', [ids])
  await expectOne('agency', 'delete', ids, 'agency/')
})

it('a call that broke midway and continued when sent again reads as one act', async () => {
  const ids = await agencies(3)
  const { pool } = house.database
  await pool.query(
    `create function break() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`,
  )
  await pool.query(
    `create trigger break before update on agency for each row when (old.id = ${ids[1]}) execute function break()`,
  )
  const send = () => call('agency/disable', ids, { 'idempotency-key': 'half' })
  expect(await send()).toMatchObject({ code: 500 })
  await pool.query('drop trigger break on agency')
  expect((await send()).result).toMatchObject({ succeeded: 3 })
  await expectOne('agency', 'disable', ids, 'agency/')
})

it.skipIf(!isLong)('two clicks are two acts, and the feed links the works of each', async () => {
  const ids = await agencies(2)
  await call('agency/disable', ids)
  const first = (await newest('agency/', ids[0])).work
  await call('agency/enable', ids)
  const second = (await newest('agency/', ids[0])).work
  expect(second).not.toBe(first)
  expect(changed(await workOf(first), 'agency')).toEqual(ids.map((id) => `${id} disable`))
  expect(changed(await workOf(second), 'agency')).toEqual(ids.map((id) => `${id} enable`))
  const fed = async () => {
    const all: { id: number; act: number | null }[] = []
    for (let after: string | undefined; ;) {
      const { result } = await house.admin.get('/works', { after })
      if (result.list.length === 0) return all.filter(({ id, act }) => id === second || act === second)
      all.push(...result.list)
      after = result.after
    }
  }
  // Other tests write in the same cluster, and the feed waits for their transactions.
  await expect.poll(fed).toMatchObject([
    { id: second, act: null },
    { id: expect.any(Number), act: second },
  ])
})
