import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerValues } from '../../../tests/customer.ts'
import { check, customerRow, write } from '../../../tests/importing.ts'
import { type Client, createTestServer, type TestServer } from '../../../tests/server.ts'
import { createSystemTables } from '../postgres/system.ts'

let house: TestServer
let id: number
beforeAll(async () => {
  house = await createTestServer()
  id = await house.create('/customer', await customerValues(house))
})
afterAll(() => house?.close())

const history = async (path: string, id: number, as: Client = house.admin) =>
  (await as.get(`${path}/history`, { id })).result.list
const label = (name: string) => house.runtime.derived.catalog.entities[name].label

describe('the history of a record', () => {
  it('shows what else the same act changed', async () => {
    const [created] = await history('/customer', id)
    expect(created).toMatchObject({ action: 'create', work: expect.any(Number) })
    expect(created.with).toEqual([
      { entity: 'customerApproval', label: label('customerApproval'), count: 1 },
      { entity: 'message', label: label('message'), count: 1 },
    ])
  })

  it("counts the other records of the same entity, within the reader's scope", async () => {
    const support = await house.user('support01', ['support'])
    const own = customerRow(71, { supportStaff: 'support01' })
    await write(house, await check(house, [own, customerRow(72), customerRow(73)]))
    const [customer] = (await house.admin.get('/customer/list', { search: '进口客户71' })).result.list
    const [created] = await history('/customer', customer.id)
    expect(created.with).toEqual([
      { entity: 'customer', label: label('customer'), count: 2 },
      { entity: 'customerApproval', label: label('customerApproval'), count: 3 },
    ])
    const [seen] = await history('/customer', customer.id, support)
    expect(seen.with).toEqual([{ entity: 'customerApproval', label: label('customerApproval'), count: 1 }])
    const { result } = await support.get(`/works/${created.work}`)
    expect(result.entities).toMatchObject([
      { entity: 'customer', count: 1, changes: [{ id: customer.id, action: 'import' }] },
      { entity: 'customerApproval', count: 1 },
    ])
  })

  it('counts up to a thousand records of one entity', async () => {
    const large = await house.create('/customer', await customerValues(house))
    const [{ work }] = await history('/customer', large)
    const { pool } = house.database
    // Every customer several times, like the rows of a large file.
    await pool.query(
      `insert into system_history (entity, area, record_id, action, user_id, at, changes, work, act)
       select 'customer', 'customer', c.id, 'import', 1, now(), '{"from": 0, "revision": 1, "fields": {}}', $1, null
       from customer c cross join generate_series(1, 3000) where c.id <> $2`,
      [work, large],
    )
    const [{ with: others }] = await history('/customer', large)
    expect(others.find(({ entity }: { entity: string }) => entity === 'customer')).toMatchObject({ more: true })
    expect(others.find(({ entity }: { entity: string }) => entity === 'customerApproval')).toEqual({
      entity: 'customerApproval',
      label: label('customerApproval'),
      count: 1,
    })
    await pool.query("delete from system_history where work = $1 and action = 'import'", [work])
  })

  it('counts the messages that were sent', async () => {
    await house.user('manager01', ['customerManager'])
    const customer = await house.create('/customer', await customerValues(house))
    const [created] = await history('/customer', customer)
    expect(created.with.at(-1)).toEqual({ entity: 'message', label: label('message'), count: 2 })
    expect((await house.admin.get(`/works/${created.work}`)).result.messages).toBe(2)
    const log = await house.admin.get('/setting/operationLog/list', { tab: { work: { equals: created.work } } })
    expect(log.result.list).toMatchObject([{ entity: 'customer', recordId: customer, work: created.work }])
  })
})

describe('an act', () => {
  it('lists all records that it changed', async () => {
    const [{ work }] = await history('/customer', id)
    expect(await house.admin.get(`/works/${work}`)).toMatchObject({
      code: 1,
      result: {
        id: work,
        cause: 'form',
        entities: [
          { entity: 'customer', count: 1, changes: [{ id, action: 'create' }] },
          { entity: 'customerApproval', count: 1 },
        ],
      },
    })
  })

  it('shows whether it was a form or a cell of a list', async () => {
    const cause = async () => {
      const [{ work }] = await history('/customer', id)
      return (await house.admin.get(`/works/${work}`)).result.cause
    }
    const { revision } = (await house.admin.get('/customer/detail', { id })).result
    const update = (at: number, how: object) =>
      house.admin.post('/customer/update', { id, revision: at, values: { remark: `第${at}次` }, ...how })
    expect(await update(revision, {})).toMatchObject({ code: 1 })
    expect(await cause()).toBe('form')
    expect(await update(revision + 1, { cell: true })).toMatchObject({ code: 1 })
    expect(await cause()).toBe('cell')
  })

  it('is unknown to users who may see none of it, and if it does not exist', async () => {
    const [{ work }] = await history('/customer', id)
    const stranger = await house.user('publisher01', ['publisher'])
    expect(await stranger.get(`/works/${work}`)).toMatchObject({ code: 404 })
    expect(await house.admin.get('/works/999999999')).toMatchObject({ code: 404 })
    expect(await house.admin.get('/works/x')).toMatchObject({ code: 404 })
  })
})

describe('the feed', () => {
  const read = (query: object = {}, as: Client = house.admin) => as.get('/works', { ...query })

  it('is read in pages from a position, each work once, by administrators only', async () => {
    // Other tests write in the same cluster, and the feed waits for their transactions.
    const newest = Number((await house.database.pool.query('select max(id) as id from system_work')).rows[0].id)
    const all: { id: number }[] = []
    const pageThrough = async () => {
      let after: string | undefined
      all.length = 0
      for (;;) {
        const { code, result } = await read({ after, limit: 2 })
        expect([code, result.list.length <= 2]).toEqual([1, true])
        all.push(...result.list)
        if (result.list.length === 0) {
          expect(result.after).toBe(after)
          return all.some((work) => work.id === newest)
        }
        after = result.after
      }
    }
    await expect.poll(pageThrough).toBe(true)
    expect(new Set(all.map((work) => work.id)).size).toBe(all.length)
    expect(all).toContainEqual(
      expect.objectContaining({
        cause: 'form',
        changes: expect.arrayContaining([{ entity: 'customer', id, action: 'create', revision: 1 }]),
      }),
    )
    const manager = await house.user('feedreader', ['customerManager'])
    expect(await read({}, manager)).toMatchObject({ code: 403 })
    for (const query of [{ limit: 0 }, { limit: 'x' }, { after: '1' }, { after: 'x.1.1' }])
      expect(await read(query), JSON.stringify(query)).toMatchObject({ code: 422 })
  })

  it('of a restored database is a different one, which refuses positions of the former', async () => {
    // The test's database is itself a copy: the first start makes its positions its own.
    await createSystemTables(house.database)
    const { result: before } = await read({ limit: 1 })
    await createSystemTables(house.database)
    expect(await read({ after: before.after }), 'it was started again').toMatchObject({ code: 1 })
    // A restore creates all tables again.
    await house.database.pool.query(
      'create table restored (like system_feed including all); insert into restored select * from system_feed; drop table system_feed; alter table restored rename to system_feed',
    )
    await createSystemTables(house.database)
    expect(await read({ after: before.after })).toMatchObject({ code: 409 })
    expect(await read({ after: (await read({ limit: 1 })).result.after })).toMatchObject({ code: 1 })
  })
})
