import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerValues, uscc } from '../../../tests/customer.ts'
import {
  batch,
  check,
  customerImport,
  customerRow,
  importFile,
  planOf,
  rows,
  workbook,
  worker,
  write,
} from '../../../tests/importing.ts'
import { createTestServer, type TestServer, withOwnCatalog } from '../../../tests/server.ts'
import { statementsOf } from '../../../tests/statementsOf.ts'
import type { RecordData } from '../../model/model.ts'
import { isLong } from '../../../tests/long.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer(withOwnCatalog)
  await customerValues(house)
})
afterAll(() => house?.close())

const nothing = Object.fromEntries(Object.keys(customerRow(0)).map((name) => [name, null]))
const customers = async (search: string): Promise<RecordData[]> =>
  (await house.admin.get('/customer/list', { search, size: 100, sort: 'name' })).result.list
const errors = (row: RecordData) =>
  (row.errors as unknown as { cell?: string; code: string; message: { cn: string } }[] | null)?.map(
    ({ cell, code, message }) => [cell, code, message.cn],
  )
const call = (name: string, id: number) => house.admin.post(`${customerImport}/${name}`, { id })

describe('a checked file', () => {
  it('has written nothing, and writes its valid rows once', async () => {
    const id = await check(house, [customerRow(10), customerRow(11, { name: null }), customerRow(12)])
    expect(await batch(house, id)).toMatchObject({
      status: 'checked',
      totalCount: 3,
      createCount: 2,
      failCount: 1,
      successCount: 0,
      finishedAt: null,
      decidedAt: null,
    })
    for (const number of [10, 11, 12]) expect(await customers(`进口客户${number}`)).toEqual([])
    expect((await rows(house, id)).map(({ target }) => target)).toEqual([null, null, null])

    expect(await call('write', id)).toMatchObject({ code: 1 })
    expect(await batch(house, id)).toMatchObject({ status: 'processing' })
    expect(await call('write', id)).toMatchObject({ code: 409 })
    await worker(house).drain()
    const written = await batch(house, id)
    expect(written).toMatchObject({
      status: 'partial',
      totalCount: 3,
      createCount: 2,
      successCount: 2,
      skipCount: 0,
      failCount: 1,
      finishedAt: expect.any(String),
      decidedAt: expect.any(String),
    })
    expect((await customers('进口客户1')).map(({ name, code }) => [name, code])).toEqual([
      ['进口客户10', expect.stringMatching(/^C\d{6}$/)],
      ['进口客户12', expect.stringMatching(/^C\d{6}$/)],
    ])
    expect(await call('write', id)).toMatchObject({ code: 409 })
    await worker(house).drain()
    expect((await customers('进口客户1')).length).toBe(2)
  })

  it('creates customers as the form does: with number, approval and history', async () => {
    await write(house, await check(house, [customerRow(13)]))
    const [{ id }] = await customers('进口客户13')
    const {
      result: { list },
    } = await house.admin.get('/customer/history', { id })
    expect(list.map(({ action, by }: { action: string; by: { name: string } }) => [action, by.name])).toEqual([
      ['import', '系统管理员'],
    ])
    expect(
      (await house.admin.get('/customer/customerApproval/list', { filters: { customer: { equals: id } } })).result.list,
    ).toMatchObject([{ action: 'submit', round: 1 }])
    const { result } = await house.admin.get('/customer/detail', { id })
    expect(result).toMatchObject({
      approvalStatus: 'pending',
      accountStatus: 'disabled',
      registrationMethod: 'import',
      licenseImage: null,
      submissionTime: expect.any(String),
      revision: 1,
    })
    expect(await house.admin.post('/customer/agree', { id })).toMatchObject({
      code: 409,
      message: '待补营业执照，不能审核通过',
    })
  })

  it('without a valid row can only be cancelled', async () => {
    const id = await check(house, [customerRow(14, { name: null })])
    expect(await batch(house, id)).toMatchObject({ status: 'checked', createCount: 0, failCount: 1 })
    expect(await call('write', id)).toMatchObject({ code: 409 })
    expect(await call('cancel', id)).toMatchObject({ code: 1 })
    expect(await batch(house, id)).toMatchObject({ status: 'cancelled' })
  })
})

describe('changes before a file is written', () => {
  it('a value taken meanwhile fails only its row', async () => {
    const id = await check(house, [customerRow(20), customerRow(21), customerRow(22)])
    await house.create(
      '/customer',
      await customerValues(house, { name: '进口客户21', corporateName: '抢先一步（演示）有限公司' }),
    )
    await write(house, id)
    expect(await batch(house, id)).toMatchObject({ status: 'partial', successCount: 2, failCount: 1, createCount: 2 })
    const [first, second, third] = await rows(house, id)
    expect([first.rowStatus, third.rowStatus]).toEqual(['created', 'created'])
    expect(second).toMatchObject({ rowStatus: 'failed', target: null })
    expect(errors(second)).toEqual([['A3', 'taken', '客户名称“进口客户21”已存在']])
    expect((await customers('进口客户21')).length).toBe(1)
  })

  it('a customer added meanwhile is skipped, or updated if that was chosen', async () => {
    const [skipping, updating] = [
      await check(house, [customerRow(23), customerRow(24)]),
      await check(house, [{ ...customerRow(25), remark: '后到' }], { updateExisting: true }),
    ]
    for (const number of [23, 25])
      await house.create('/customer', await customerValues(house, { uscc: uscc(number), name: `先到${number}` }))
    await write(house, skipping)
    await write(house, updating)
    expect((await rows(house, skipping)).map(({ rowStatus }) => rowStatus)).toEqual(['skipped', 'created'])
    expect(await batch(house, skipping)).toMatchObject({
      status: 'completed',
      successCount: 1,
      skipCount: 1,
      failCount: 0,
      createCount: 1,
    })
    expect((await rows(house, updating)).map(({ rowStatus }) => rowStatus)).toEqual(['updated'])
    expect(await batch(house, updating)).toMatchObject({
      status: 'completed',
      successCount: 1,
      createCount: 0,
      updateCount: 1,
    })
    expect(await customers('先到25')).toEqual([])
    expect((await customers('进口客户25')).map(({ name }) => name)).toEqual(['进口客户25'])
  })

  it('a reference disabled meanwhile fails the rows that name it', async () => {
    const agency = await house.create('/customer/agency', {
      code: 'J003',
      name: '将停用机构',
      kind: 'partner',
      uscc: uscc(91_003),
      cities: ['310100'],
    })
    const id = await check(house, [customerRow(26, { agency: 'J003' }), customerRow(27)])
    expect(await batch(house, id)).toMatchObject({ createCount: 2 })
    expect(await house.admin.post('/customer/agency/disable', { id: agency })).toMatchObject({ code: 1 })
    await write(house, id)
    const [first, second] = await rows(house, id)
    expect(errors(first)).toEqual([['U2', 'reference', '服务机构编号“J003”不存在或已停用']])
    expect(second.rowStatus).toBe('created')
  })

  it('a customer whose state changed meanwhile fails only its row', async () => {
    const manager = await house.user('manager20', ['customerManager'])
    const ids = []
    for (const name of ['状态甲', '状态乙'])
      ids.push(await house.create('/customer', await customerValues(house, { name })))
    const codes = await Promise.all(
      ids.map(async (id) => (await house.admin.get('/customer/detail', { id })).result.uscc as string),
    )
    const id = await check(
      house,
      codes.map((uscc) => ({ ...nothing, uscc, remark: '改' })),
      { updateExisting: true },
    )
    expect(await batch(house, id)).toMatchObject({ updateCount: 2, failCount: 0 })
    expect(await manager.post('/customer/agree', { id: ids[0] })).toMatchObject({ code: 1 })
    await write(house, id)
    const [first, second] = await rows(house, id)
    expect(errors(first)).toEqual([['D2', 'state', '当前状态“已通过”不允许导入修改']])
    expect(second.rowStatus).toBe('updated')
    expect(await batch(house, id)).toMatchObject({ status: 'partial', successCount: 1, failCount: 1 })
    const [kept] = await customers('状态甲')
    expect(kept).toMatchObject({ approvalStatus: 'approved' })
  })

  it('a batch fails if all of its rows fail', async () => {
    const id = await check(house, [customerRow(28)])
    await house.create('/customer', await customerValues(house, { account: 'imported28' }))
    await write(house, id)
    expect(await batch(house, id)).toMatchObject({
      status: 'failed',
      successCount: 0,
      failCount: 1,
      createCount: 0,
      failReason: null,
    })
  })
})

describe('a cancelled file', () => {
  it('stops being checked', async () => {
    const id = await importFile(house, await workbook(planOf(house), [customerRow(30)]))
    expect(await call('cancel', id)).toMatchObject({ code: 1 })
    await worker(house).drain()
    expect(await batch(house, id)).toMatchObject({ status: 'cancelled', totalCount: 0, finishedAt: expect.any(String) })
    expect(await rows(house, id)).toEqual([])
  })

  it('writes nothing once checked, and cannot be written later', async () => {
    const id = await check(house, [customerRow(31)])
    expect(await call('cancel', id)).toMatchObject({ code: 1 })
    expect(await call('write', id)).toMatchObject({ code: 409 })
    await worker(house).drain()
    expect(await batch(house, id)).toMatchObject({ status: 'cancelled', successCount: 0 })
    expect(await customers('进口客户31')).toEqual([])
    expect(await call('cancel', id)).toMatchObject({ code: 409 })
  })

  it.skipIf(!isLong)('writes nothing if it was confirmed but not begun', async () => {
    const id = await check(house, [customerRow(32)])
    expect(await call('write', id)).toMatchObject({ code: 1 })
    expect(await call('cancel', id)).toMatchObject({ code: 1 })
    await worker(house).drain()
    expect(await batch(house, id)).toMatchObject({ status: 'cancelled', successCount: 0 })
    expect(await customers('进口客户32')).toEqual([])
  })

  it.skipIf(!isLong)('leaves no claims on its values', async () => {
    const id = await check(house, [customerRow(33)])
    await call('cancel', id)
    const { rows: left } =
      await sql`select 1 from system_import_value where entity = 'customerImport' and batch_id = ${id}`.execute(
        house.database.kysely,
      )
    expect(left).toEqual([])
    expect(await batch(house, await check(house, [customerRow(33)]))).toMatchObject({ createCount: 1, failCount: 0 })
  })
})

describe('an import without confirmation', () => {
  beforeAll(() => {
    planOf(house).confirmAlways = false
  })
  afterAll(() => {
    planOf(house).confirmAlways = true
  })
  const total = async () => (await house.admin.get('/customer/list')).result.total as number

  it('writes a clean file by itself', async () => {
    const before = await total()
    const id = await check(house, [customerRow(41), customerRow(42)])
    expect(await batch(house, id)).toMatchObject({
      status: 'completed',
      successCount: 2,
      decidedAt: expect.any(String),
      finishedAt: expect.any(String),
    })
    expect(await total()).toBe(before + 2)
  })

  it('asks for confirmation if a row failed', async () => {
    const before = await total()
    const id = await check(house, [customerRow(43), customerRow(44, { name: null })])
    expect(await batch(house, id)).toMatchObject({ status: 'checked', createCount: 1, failCount: 1, decidedAt: null })
    expect(await total()).toBe(before)
  })

  it('asks for confirmation if a column was ignored or missing', async () => {
    const before = await total()
    const order = planOf(house)
      .columns.map(({ field }) => field)
      .filter((field) => field !== 'remark')
    const id = await check(house, [customerRow(45)], { order })
    expect(await batch(house, id)).toMatchObject({
      status: 'checked',
      createCount: 1,
      failCount: 0,
      notes: [{ message: { cn: '文件中没有列“备注”，按空处理' } }],
    })
    expect(await total()).toBe(before)
  })
})

describe('500 rows', () => {
  // Each customer changes a different agency.
  const mostAgencies = 500
  beforeAll(async () => {
    for (const event of house.runtime.derived.catalog.entities.customer.saves)
      event.updates.push({ entity: 'agency', by: 'agency', set: { contactPerson: 'consigneeName' } })
    await house.database.pool.query(
      `insert into agency (code, name, kind, uscc, cities, status)
        select 'J' || n, '机构' || n, kind, uscc || n, cities, status
        from agency, generate_series(100, $1) as n where code = 'J001'`,
      [100 + mostAgencies],
    )
  })

  it.skipIf(!isLong)('need as many database statements as 50, with all that they append and change', async () => {
    // Checking and writing are one step each.
    const step = () => worker(house, 1000).drain()
    const counts = async (first: number, size: number, cells: Record<string, string>) => {
      const rowsOf = Array.from({ length: size }, (_, index) =>
        customerRow(first + index, { agency: `J${100 + (index % mostAgencies)}`, ...cells }),
      )
      const content = await workbook(planOf(house), rowsOf)
      const id = await importFile(house, content, { updateExisting: true })
      const checked = await statementsOf(step)
      expect(await house.admin.post(`${customerImport}/write`, { id })).toMatchObject({ code: 1 })
      const written = await statementsOf(step)
      expect(await batch(house, id)).toMatchObject({ status: 'completed', successCount: size })
      return { checked, written }
    }
    const countWritten = async () =>
      (
        await house.database.pool.query(`select count(*)::integer as n from agency where "contactPerson" = $1`, [
          '何静',
        ])
      ).rows[0].n as number
    // Queries whose result is cached are not counted.
    await counts(50_000, 5, {})
    const few = await counts(51_000, 50, {})
    expect(few.written).toBeGreaterThan(10)
    expect(await counts(52_000, 500, {})).toEqual(few)
    const change = { consigneeName: '何静' }
    const fewChanged = await counts(51_000, 50, change)
    expect(await countWritten()).toBe(50)
    expect(await counts(52_000, 500, change)).toEqual(fewChanged)
    expect(await countWritten()).toBe(500)
  })
})
