import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerValues, uscc } from '../../../tests/customer.ts'
import { batch, check, customerImport, customerRow, rows, worker, write } from '../../../tests/importing.ts'
import { isLong } from '../../../tests/long.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import type { RecordData, Value } from '../../model/model.ts'
import { createCallWorker } from '../jobs/callWorker.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
  await customerValues(house)
})
afterAll(() => house?.close())

const nothing = Object.fromEntries(Object.keys(customerRow(0)).map((name) => [name, null]))
const undo = (id: number, as = house.admin) => as.post(`${customerImport}/undo`, { id })
const detail = async (id: number): Promise<RecordData> => (await house.admin.get('/customer/detail', { id })).result
const named = async (search: string): Promise<RecordData[]> =>
  (await house.admin.get('/customer/list', { search })).result.list
const targets = async (id: number) => (await rows(house, id)).map(({ target }) => (target as { id: number } | null)?.id)
const customerBatches = 'customerImport'
const causes = async (id: number) => {
  const { rows: found } = await house.database.pool.query<{ cause: string }>(
    `select w.cause from system_history as h join system_work as w on w.id = h.work
      where h.entity = 'customer' and h.record_id = $1 order by h.id desc`,
    [id],
  )
  return found.map(({ cause }) => cause)
}
const edit = async (id: number, values: Record<string, Value>) =>
  expect(
    await house.admin.post('/customer/update', { id, revision: (await detail(id)).revision, values }),
  ).toMatchObject({ code: 1 })

describe('an undone import', () => {
  it('deletes what it added and restores what it changed', async () => {
    const old = await house.create('/customer', await customerValues(house, { remark: '原来的', invoiceEmail: null }))
    const before = await detail(old)
    const id = await check(
      house,
      [
        customerRow(10),
        customerRow(11, { name: null }),
        {
          ...nothing,
          uscc: before.uscc as string,
          remark: '新的',
          invoiceEmail: 'a@b.example.com',
          consigneeName: '李明',
        },
      ],
      { updateExisting: true },
    )
    await write(house, id)
    expect(await detail(old)).toMatchObject({ remark: '新的', consigneeName: '李明' })
    const [added] = await targets(id)
    const noted = async () =>
      (await house.admin.get('/customer/customerApproval/list', { filters: { customer: { equals: added } } })).result
        .total
    expect(await noted()).toBe(1)

    expect(await undo(id)).toMatchObject({ code: 1 })
    const after = await detail(old)
    expect(after).toEqual({ ...before, revision: before.revision! + 2, updatedAt: after.updatedAt })
    expect(await named('进口客户10')).toEqual([])
    expect(await noted(), 'what was noted about it').toBe(0)
    expect(await house.admin.get('/customer/detail', { id: added })).toMatchObject({ code: 404 })
    expect(await batch(house, id)).toMatchObject({ status: 'undone' })
    expect(
      (await house.admin.get('/customer/history', { id: old })).result.list.map(
        ({ action }: { action: string }) => action,
      ),
    ).toEqual(['undoImport', 'import', 'create'])
    expect(await causes(old)).toEqual([`undo:${customerBatches}/${id}`, `import:${customerBatches}/${id}`, 'form'])
    expect(await undo(id)).toMatchObject({ code: 409 })
  })

  it('frees its values, so that the same file can be imported again', async () => {
    const cells = [customerRow(12), customerRow(13)]
    const first = await check(house, cells)
    await write(house, first)
    expect(await undo(first)).toMatchObject({ code: 1 })
    const second = await check(house, cells)
    expect(await batch(house, second)).toMatchObject({ status: 'checked', createCount: 2, skipCount: 0, failCount: 0 })
    await write(house, second)
    expect(await batch(house, second)).toMatchObject({ status: 'completed', successCount: 2 })
    expect((await named('进口客户12')).length).toBe(1)
  })

  it('is refused with the rows that were edited since, and nothing is deleted', async () => {
    const id = await check(house, [customerRow(14), customerRow(15), customerRow(16)])
    await write(house, id)
    const [, second, third] = await targets(id)
    await edit(second!, { remark: '手工修改' })
    expect(await house.admin.post('/customer/delete', { id: third })).toMatchObject({ code: 1 })
    const answer = await undo(id)
    expect(answer).toMatchObject({
      code: 409,
      message: '以下行写入后已被修改或使用，不能撤销：第3行（系统管理员修改）、第4行（已删除）',
      result: { rows: [3, 4] },
    })
    expect(await batch(house, id)).toMatchObject({ status: 'completed', successCount: 3 })
    expect((await named('进口客户14')).length).toBe(1)
    expect(await detail(second!)).toMatchObject({ remark: '手工修改' })
  })

  it('is refused if a record that it changed was changed again', async () => {
    const old = await house.create('/customer', await customerValues(house))
    const id = await check(house, [{ ...nothing, uscc: (await detail(old)).uscc as string, remark: '导入的' }], {
      updateExisting: true,
    })
    await write(house, id)
    await edit(old, { consigneeName: '后来改' })
    expect(await undo(id)).toMatchObject({ code: 409, result: { rows: [2] } })
    expect(await detail(old)).toMatchObject({ remark: '导入的', consigneeName: '后来改' })
  })

  it.skipIf(!isLong)('may have been cancelled midway: the written rows are deleted', async () => {
    const id = await check(house, [customerRow(20), customerRow(21), customerRow(22)])
    expect(await house.admin.post(`${customerImport}/write`, { id })).toMatchObject({ code: 1 })
    const slow = worker(house, 1)
    for (const _ of [1, 2]) await slow.round()
    expect(await batch(house, id)).toMatchObject({ status: 'processing', successCount: 2 })
    expect(await undo(id)).toMatchObject({ code: 409 })
    expect(await house.admin.post(`${customerImport}/cancel`, { id })).toMatchObject({ code: 1 })
    await worker(house).drain()
    expect(await batch(house, id)).toMatchObject({ status: 'cancelled', successCount: 2, createCount: 3 })
    expect((await rows(house, id)).map(({ rowStatus }) => rowStatus)).toEqual(['created', 'created', 'toCreate'])
    expect(await undo(id)).toMatchObject({ code: 1 })
    expect(await batch(house, id)).toMatchObject({ status: 'undone' })
    expect([...(await named('进口客户20')), ...(await named('进口客户21')), ...(await named('进口客户22'))]).toEqual([])
  })

  it('must have written something', async () => {
    const waiting = await check(house, [customerRow(23)])
    expect(await undo(waiting)).toMatchObject({ code: 409 })
    expect(await house.admin.post(`${customerImport}/cancel`, { id: waiting })).toMatchObject({ code: 1 })
    expect(await undo(waiting)).toMatchObject({ code: 409 })
  })

  it.skipIf(!isLong)('restores the rejection of a customer that it submitted again', async () => {
    const manager = await house.user('manager24', ['customerManager'])
    const old = await house.create('/customer', await customerValues(house, { uscc: uscc(24) }))
    expect(
      await manager.post('/customer/reject', { id: old, values: { rejectReason: '资料不完整，请补充' } }),
    ).toMatchObject({ code: 1 })
    const id = await check(house, [{ ...nothing, uscc: uscc(24), remark: '补充' }], { updateExisting: true })
    await write(house, id)
    expect(await detail(old)).toMatchObject({ approvalStatus: 'pending', rejectReason: null })
    expect(await undo(id)).toMatchObject({ code: 1 })
    expect(await detail(old)).toMatchObject({
      approvalStatus: 'rejected',
      rejectReason: '资料不完整，请补充',
      remark: null,
    })
  })
})

describe('an import of many rows', () => {
  const many = 1010
  let id: number
  beforeAll(async () => {
    id = await check(
      house,
      Array.from({ length: many }, (_, index) => customerRow(5000 + index)),
    )
    await write(house, id)
  }, 120_000)

  it('reads as one act, however many steps it took', async () => {
    const [, target] = await targets(id)
    const [{ work, with: others }] = (await house.admin.get('/customer/history', { id: target })).result.list
    // History counts up to a thousand.
    expect(others).toContainEqual(expect.objectContaining({ entity: 'customer', count: 1000, more: true }))
    const { cause, entities } = (await house.admin.get(`/works/${work}`)).result
    expect([cause, ...entities.map(({ entity, count }: RecordData) => `${entity} ${count}`)]).toEqual([
      `import:${customerBatches}/${id}`,
      `customer ${many}`,
      `customerApproval ${many}`,
    ])
  })

  it('is not undone further once the user who started it loses the permission', async () => {
    const leaver = await house.user('undoleaver', ['customerManager'])
    const demoted = await house.user('undodemoted', ['customerManager'])
    const auditor = await house.findId('/setting/role', 'auditor')
    for (const [requester, change] of [
      [leaver, `status = 'disabled'`],
      [demoted, `roles = '{${auditor}}'`],
    ] as const) {
      expect(await undo(id, requester)).toMatchObject({ code: 1 })
      await house.database.pool.query(`update "user" set ${change} where id = $1`, [requester.id])
      await worker(house, 300).drain()
      expect(await batch(house, id)).toMatchObject({ status: 'partial', successCount: many })
    }
  })

  // The import wrote 500 rows at a time.
  it("is undone from its end in whole works, in the user's name, until stopped", async () => {
    const approver = await house.user('undoer', ['customerManager'])
    const stop = () => approver.post(`${customerImport}/stopUndo`, { id })
    expect(await undo(id, approver)).toMatchObject({ code: 1 })
    expect(await batch(house, id)).toMatchObject({ status: 'undoing', successCount: many })
    expect(await undo(id)).toMatchObject({ code: 409 })
    expect(await stop()).toMatchObject({ code: 1 })
    await worker(house).drain()
    expect(await batch(house, id)).toMatchObject({ status: 'partial', successCount: many })
    expect(await stop()).toMatchObject({ code: 409 })

    const accepted = await approver.post(`${customerImport}/undo`, { id }, { prefer: 'respond-async' })
    expect(accepted).toMatchObject({ status: 202, result: { job: { state: 'waiting' } } })
    await createCallWorker(house.runtime).drain()
    expect((await approver.get(`/jobs/${accepted.result.job.id}`)).result).toMatchObject({ state: 'done' })
    await worker(house, 5).round()
    expect(await batch(house, id)).toMatchObject({ status: 'undoing', successCount: many - 10, undoneCount: 10 })
    await worker(house, 300).round()
    expect(await batch(house, id)).toMatchObject({ status: 'undoing', successCount: many - 510, undoneCount: 510 })
    expect(await named(`进口客户${5000 + many - 1}`)).toEqual([])
    const { rows: undoHistory } = await house.database.pool.query<{ by: number; cause: string }>(
      `select h.user_id as by, w.cause from system_history as h join system_work as w on w.id = h.work
        where h.action = 'undoImport' order by h.id desc limit 1`,
    )
    expect(undoHistory).toEqual([{ by: approver.id, cause: `undo:${customerBatches}/${id}` }])
    const { rows: acts } = await house.database.pool.query(
      `select count(distinct work)::integer as works, count(distinct coalesce(act, work))::integer as acts
        from system_history where entity = 'customer' and action = 'undoImport'
        and record_id = any(select target from "customerImportRow" where batch = $1)`,
      [id],
    )
    expect(acts).toEqual([{ works: 2, acts: 1 }])
  })

  it.skipIf(!isLong)(
    'stops being undone at a row changed meanwhile, reports it, and can be undone further later',
    async () => {
      const [{ id: changed }] = await named('进口客户5100')
      await edit(changed!, { remark: '手工修改' })
      await worker(house, 300).drain()
      expect(await batch(house, id)).toMatchObject({ status: 'partial', successCount: 500, undoneCount: many - 500 })
      const {
        result: { list },
      } = await house.admin.get('/messages', { size: 1 })
      expect(list).toMatchObject([{ content: '撤销由用户undoer发起，原因已通知其本人' }])
      expect(await undo(id)).toMatchObject({ code: 409, result: { rows: [102] } })
      expect(await named('进口客户5109')).toHaveLength(1)
    },
  )
})

it.skipIf(!isLong)('is not undone while another record refers to what it added, other than its own rows', async () => {
  const using = await createTestServer({
    change(catalog) {
      const { customer } = catalog.entities.customerContact.fields
      catalog.entities.agency.fields.customer = { ...customer, required: false, readOnly: false }
      catalog.tables.agency.columns.push(
        catalog.tables.customerContact.columns.find(({ name }) => name === 'customer')!,
      )
      return catalog
    },
  })
  try {
    await customerValues(using)
    const id = await check(using, [customerRow(30), customerRow(31)])
    await write(using, id)
    const [, second] = (await rows(using, id)).map(({ target }) => (target as { id: number }).id)
    const agency = await using.create('/customer/agency', {
      code: 'J003',
      name: '使用客户的机构',
      kind: 'partner',
      uscc: uscc(91_003),
      cities: ['310100'],
    })
    await sql`update agency set customer = ${second} where id = ${agency}`.execute(using.database.kysely)
    expect(await using.admin.post(`${customerImport}/undo`, { id })).toMatchObject({ code: 409, result: { rows: [3] } })
    expect(await using.admin.post('/customer/agency/delete', { id: agency })).toMatchObject({ code: 1 })
    expect(await using.admin.post(`${customerImport}/undo`, { id })).toMatchObject({ code: 1 })
    expect((await using.admin.get('/customer/list')).result.total).toBe(0)
  } finally {
    await using.close()
  }
})
