import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerValues } from '../../../tests/customer.ts'
import { batch, check, customerRow, rows, write } from '../../../tests/importing.ts'
import { isRepeated } from '../../../tests/repeated.ts'
import { type Client, createTestServer, type TestServer } from '../../../tests/server.ts'
import type { RecordData, Value } from '../../model/model.ts'

let house: TestServer
let manager: Client & { id: number }
let support: Client & { id: number }
beforeAll(async () => {
  house = await createTestServer()
  manager = await house.user('manager01', ['customerManager'])
  await house.create('/setting/role', {
    code: 'ownImporter',
    name: '导入本人客户',
    functionPermissions: ['customer:customer:view', 'customer:import:*'],
    dataScope: 'self',
  })
  support = await house.user('support01', ['ownImporter'])
})
afterAll(() => house?.close())

const detail = async (id: number, as: Client = house.admin): Promise<RecordData> =>
  (await as.get('/customer/detail', { id })).result
const history = async (id: number) =>
  (await house.admin.get('/customer/history', { id })).result.list as { action: string; changes: { field: string }[] }[]
const nothing = Object.fromEntries(Object.keys(customerRow(0)).map((name) => [name, null]))
/** A customer created as by the form. @returns its id and what identifies it in a file. */
async function existing(values: Record<string, Value> = {}, as: Client = house.admin) {
  const id = await house.create('/customer', await customerValues(house, values), as)
  const { uscc, name } = await detail(id)
  return { id, uscc: String(uscc), name: String(name) }
}
const errors = (row: RecordData) =>
  (row.errors as unknown as { cell: string; code: string; message: object }[] | null)?.map(
    ({ cell, code, message }) => ({ cell, code, message }),
  )

describe('an existing customer', () => {
  it.skipIf(isRepeated())(
    'is skipped with a message, whatever else its row contains, and stays unchanged',
    async () => {
      const { id, uscc, name } = await existing()
      const before = await detail(id)
      const file = await check(house, [customerRow(500, { uscc, name: '改名', type: '没有这种' }), customerRow(501)])
      expect(await batch(house, file)).toMatchObject({
        status: 'checked',
        totalCount: 2,
        createCount: 1,
        skipCount: 1,
        failCount: 0,
      })
      const [row] = await rows(house, file)
      expect(row).toMatchObject({ rowStatus: 'skipped', rowKey: uscc, target: { id, name } })
      expect(errors(row)).toEqual([
        {
          cell: 'D2',
          code: 'skipped',
          message: {
            cn: `统一社会信用代码“${uscc}”已存在，已跳过`,
            en: `Unified social credit code "${uscc}" already exists, skipped`,
          },
        },
      ])
      await write(house, file)
      expect(await batch(house, file)).toMatchObject({ status: 'completed', successCount: 1, skipCount: 1 })
      expect(await detail(id)).toEqual(before)
    },
  )

  it('is found even by a value that a form would refuse today', async () => {
    const { id } = await existing()
    await sql`update customer set uscc = 'LEGACY01' where id = ${id}`.execute(house.database.kysely)
    const file = await check(house, [customerRow(508, { uscc: 'LEGACY01' })])
    expect(await rows(house, file)).toMatchObject([{ rowStatus: 'skipped', target: { id } }])
  })

  it('completes a file that contains nothing else, without a decision', async () => {
    const { uscc } = await existing()
    const file = await check(house, [customerRow(502, { uscc })])
    expect(await batch(house, file)).toMatchObject({
      status: 'completed',
      totalCount: 1,
      skipCount: 1,
      successCount: 0,
      finishedAt: expect.any(String),
    })
  })

  it('is updated by its filled cells alone if updating was chosen', async () => {
    const { id, uscc } = await existing({ remark: '原来', address: '原来的地址1号' })
    const before = await detail(id)
    const file = await check(house, [{ ...nothing, uscc, remark: '新的备注', consigneeName: '李明' }], {
      updateExisting: true,
    })
    expect(await batch(house, file)).toMatchObject({ status: 'checked', createCount: 0, updateCount: 1, failCount: 0 })
    expect(await detail(id)).toEqual(before)
    await write(house, file)
    expect(await batch(house, file)).toMatchObject({ status: 'completed', successCount: 1, updateCount: 1 })
    const after = await detail(id)
    expect(after).toMatchObject({
      ...before,
      remark: '新的备注',
      consigneeName: '李明',
      revision: before.revision! + 1,
      updatedAt: after.updatedAt,
      submissionTime: after.submissionTime,
      changedFields: after.changedFields,
    })
    expect(after.registrationMethod).toBe('backOffice')
    const [last] = await history(id)
    expect(last.action).toBe('import')
    expect(last.changes.map(({ field }) => field)).toEqual(expect.arrayContaining(['remark', 'consigneeName']))
    expect(last.changes.map(({ field }) => field)).not.toContain('address')
    expect((await rows(house, file))[0]).toMatchObject({
      rowStatus: 'updated',
      target: { id },
      writtenRevision: after.revision,
    })
  })

  it('stays unchanged if its row has the same values', async () => {
    const { id, uscc, name } = await existing({ remark: '不变' })
    const before = [await detail(id), await history(id)]
    const file = await check(
      house,
      [
        {
          ...nothing,
          uscc,
          name,
          remark: ' 不变 ',
          type: '企业',
          region: '北京市/东城区',
          serviceTypes: '劳务派遣',
          statementDay: 10,
        },
      ],
      { updateExisting: true },
    )
    expect(await batch(house, file)).toMatchObject({ status: 'completed', updateCount: 0, skipCount: 1 })
    expect(errors((await rows(house, file))[0])).toEqual([
      {
        cell: 'D2',
        code: 'unchanged',
        message: { cn: '与系统数据一致，无需更新', en: 'The record already has these values' },
      },
    ])
    expect([await detail(id), await history(id)]).toEqual(before)
  })

  it('still needs its key, and is checked as it would become', async () => {
    const { uscc } = await existing()
    const file = await check(
      house,
      [
        { ...nothing, remark: 'x' },
        { ...nothing, uscc, statementDay: 30 },
        { ...nothing, uscc: customerRow(503).uscc, remark: 'new' },
      ],
      { updateExisting: true },
    )
    const [without, wrong, fresh] = await rows(house, file)
    expect(errors(without)).toContainEqual(expect.objectContaining({ cell: 'D2', code: 'required' }))
    expect(errors(wrong)).toMatchObject([{ cell: 'Y3', code: 'range' }])
    expect(errors(fresh)!.map(({ cell, code }) => `${cell} ${code}`)).toContain('A4 required')
  })

  it('gets newly required values from the same defaults as a new one', async () => {
    const { id, uscc } = await existing({ corporateName: '改开票客户（演示）有限公司' })
    expect(await detail(id)).toMatchObject({ billingType: 'none', invoiceTitle: null, taxNumber: null })
    await write(
      house,
      await check(house, [{ ...nothing, uscc, billingType: '数电普通发票', invoiceEmail: 'a@b.example.com' }], {
        updateExisting: true,
      }),
    )
    expect(await detail(id)).toMatchObject({
      billingType: 'eNormal',
      invoiceTitle: '改开票客户（演示）有限公司',
      taxNumber: uscc,
    })
  })

  it.skipIf(isRepeated())('is refused once approved, and submitted again if it was rejected', async () => {
    const [approved, rejected] = [await existing(), await existing()]
    expect(await manager.post('/customer/agree', { id: approved.id })).toMatchObject({ code: 1 })
    expect(
      await manager.post('/customer/reject', { id: rejected.id, values: { rejectReason: '资料不完整，请补充' } }),
    ).toMatchObject({ code: 1 })
    const file = await check(
      house,
      [
        { ...nothing, uscc: approved.uscc, remark: 'x' },
        { ...nothing, uscc: rejected.uscc, remark: '补充' },
      ],
      { updateExisting: true },
    )
    const [first, second] = await rows(house, file)
    expect(first).toMatchObject({ rowStatus: 'failed', target: { id: approved.id } })
    expect(errors(first)).toEqual([
      {
        cell: 'D2',
        code: 'state',
        message: { cn: '当前状态“已通过”不允许导入修改', en: 'State "Approved" does not allow this change' },
      },
    ])
    expect(second.rowStatus).toBe('toUpdate')
    await write(house, file)
    expect(await detail(rejected.id)).toMatchObject({
      approvalStatus: 'pending',
      rejectReason: null,
      remark: '补充',
      submitter: { code: 'admin' },
    })
    expect(
      (
        await house.admin.get('/customer/customerApproval/list', {
          filters: { customer: { equals: rejected.id } },
          sort: 'round',
        })
      ).result.list.map(({ action }: { action: string }) => action),
    ).toEqual(['submit', 'reject', 'resubmit'])
    expect(await detail(approved.id)).toMatchObject({ approvalStatus: 'approved', remark: null })
  })

  it('is refused out of scope without revealing anything about it', async () => {
    const { id, uscc, name } = await existing({ remark: '机密' })
    const file = await check(house, [{ ...nothing, uscc, remark: 'x' }], { as: support, updateExisting: true })
    const skipping = await check(house, [customerRow(504, { uscc })], { as: support })
    for (const each of [file, skipping]) {
      expect(await batch(house, each, support)).toMatchObject({
        status: 'checked',
        updateCount: 0,
        skipCount: 0,
        failCount: 1,
      })
      const [row] = await rows(house, each, support)
      expect(row).toMatchObject({ rowStatus: 'failed', target: null })
      expect(errors(row)).toEqual([
        { cell: 'D2', code: 'scope', message: { cn: '无权操作该数据', en: 'You have no access to this record' } },
      ])
      expect(JSON.stringify(row)).not.toContain(name)
      expect(JSON.stringify(row)).not.toContain('机密')
    }
    expect(await detail(id)).toMatchObject({ remark: '机密' })
  })

  it("is updated within the user's own scope", async () => {
    const { id, uscc } = await existing({ supportStaff: support.id })
    // Only its creator may change a pending customer.
    await sql`update customer set "createdBy" = ${support.id} where id = ${id}`.execute(house.database.kysely)
    const file = await check(house, [{ ...nothing, uscc, remark: '自己的' }], { as: support, updateExisting: true })
    await write(house, file, support)
    expect(await detail(id)).toMatchObject({ remark: '自己的', updatedBy: { code: 'support01' } })
  })

  it('counts as new after it was deleted', async () => {
    const { id, uscc } = await existing()
    expect(await house.admin.post('/customer/delete', { id })).toMatchObject({ code: 1 })
    const file = await check(house, [customerRow(505, { uscc })])
    expect(await batch(house, file)).toMatchObject({ createCount: 1, skipCount: 0 })
  })
})

it('a customer named twice is skipped in the first row and a duplicate in the later one', async () => {
  const { uscc } = await existing()
  const file = await check(house, [customerRow(506, { uscc }), customerRow(507, { uscc })])
  expect((await rows(house, file)).map(({ rowStatus }) => rowStatus)).toEqual(['skipped', 'failed'])
})
