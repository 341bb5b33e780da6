import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { writeXlsx } from 'hucre/xlsx'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerValues } from '../../../tests/customer.ts'
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
import { type Client, createTestServer, type TestServer, withOwnCatalog } from '../../../tests/server.ts'
import type { Entity, ImportPlan, Label, RecordData } from '../../model/model.ts'
import { fileIdOf } from '../files/UploadedFiles.ts'
import { jobTable } from './importTables.ts'
import { createImportWorker } from './importWorker.ts'
import { isLong } from '../../../tests/long.ts'

let house: TestServer
let [firstManager, secondManager] = [] as unknown as [Client & { id: number }, Client & { id: number }]
beforeAll(async () => {
  house = await createTestServer(withOwnCatalog)
  await customerValues(house)
  firstManager = await house.user('manager01', ['customerManager'])
  secondManager = await house.user('manager02', ['customerManager'])
})
afterAll(() => house?.close())

const many = (from: number, count: number) => Array.from({ length: count }, (_, index) => customerRow(from + index))
const upload = async (cells: ReturnType<typeof many>, as?: Client) =>
  importFile(house, await workbook(planOf(house), cells), { as })
const statusOf = async (id: number) => (await batch(house, id)).status
const call = (name: string, id: number, as: Client = house.admin) => as.post(`${customerImport}/${name}`, { id })

describe('small steps in turn', () => {
  it('check and write a small file long before a large one that came first', async () => {
    const large = await upload(many(1000, 40))
    const small = await upload(many(1100, 2))
    const work = worker(house, 4)
    let rounds = 0
    while ((await statusOf(small)) === 'processing') {
      await work.round()
      rounds++
    }
    // Only its own steps, not the ten of the large file's 40 rows.
    expect(rounds).toBeLessThanOrEqual(2)
    expect(await batch(house, small)).toMatchObject({ status: 'checked', createCount: 2 })
    expect(await statusOf(large)).toBe('processing')
    expect(await call('write', small)).toMatchObject({ code: 1 })
    for (rounds = 0; (await statusOf(small)) === 'processing'; rounds++) await work.round()
    expect(rounds).toBeLessThanOrEqual(2)
    expect(await batch(house, small)).toMatchObject({ status: 'completed', successCount: 2 })
    expect(await batch(house, large)).toMatchObject({ status: 'processing', failCount: 0 })

    await work.drain()
    expect(await batch(house, large)).toMatchObject({ status: 'checked', createCount: 40 })
  })

  it.skipIf(!isLong)('are smaller if the rows are long', async () => {
    const long = randomBytes(45_000).toString('hex')
    const id = await upload(many(2000, 60).map((row) => ({ ...row, address: long, consigneeAddress: long })))
    const work = worker(house)
    await work.round()
    const { totalCount, status } = await batch(house, id)
    expect({ status, isPart: Number(totalCount) > 0 && Number(totalCount) < 60 }).toEqual({
      status: 'processing',
      isPart: true,
    })
    await work.drain()
    expect(await batch(house, id)).toMatchObject({ status: 'checked', totalCount: 60, failCount: 60 })
  })

  it.skipIf(!isLong)('write a small file while a large one is being written', async () => {
    const [large, small] = [await check(house, many(1200, 30)), await check(house, many(1300, 1))]
    expect(await call('write', large)).toMatchObject({ code: 1 })
    const work = worker(house, 3)
    await work.round()
    expect(await call('write', small)).toMatchObject({ code: 1 })
    for (const _ of [1, 2]) await work.round()
    expect(await statusOf(small)).toBe('completed')
    expect(await batch(house, large)).toMatchObject({ status: 'processing', successCount: 9 })
    await work.drain()
    expect(await batch(house, large)).toMatchObject({ status: 'completed', successCount: 30 })
  })
})

describe('a batch whose operator no longer exists', () => {
  it('is still completed', async () => {
    const id = await upload(many(1350, 2))
    await house.database.pool.query(`update ${jobTable} set by_user = 999999 where batch_id = $1`, [id])
    const work = worker(house)
    for (let round = 0; round < 5 && (await statusOf(id)) === 'processing'; round++) await work.round()
    expect(await batch(house, id)).toMatchObject({ status: 'checked', totalCount: 2 })
  })
})

describe('several at once', () => {
  it('operators have their own files, batches and customers', async () => {
    const ids = [await upload(many(1400, 6), firstManager), await upload(many(1410, 6), secondManager)]
    const work = worker(house, 2)
    await work.drain()
    for (const [index, as] of [firstManager, secondManager].entries())
      expect(await call('write', ids[index], as)).toMatchObject({ code: 1 })
    await work.drain()
    for (const [index, as] of [firstManager, secondManager].entries()) {
      expect(await batch(house, ids[index])).toMatchObject({
        status: 'completed',
        successCount: 6,
        operator: { id: as.id },
      })
      const [{ target }] = await rows(house, ids[index])
      const { result } = await house.admin.get('/customer/history', { id: (target as { id: number }).id })
      expect(result.list).toMatchObject([{ action: 'import', by: { id: as.id } }])
    }
  })

  it.skipIf(!isLong)('operators who import the same customer: the first one written wins', async () => {
    const [first, second] = [
      await upload([customerRow(1420)], firstManager),
      await upload([customerRow(1420), customerRow(1421)], secondManager),
    ]
    await worker(house).drain()
    expect([await batch(house, first), await batch(house, second)]).toMatchObject([
      { createCount: 1 },
      { createCount: 2 },
    ])
    await write(house, first, firstManager)
    await write(house, second, secondManager)
    expect(await batch(house, second)).toMatchObject({ status: 'completed', successCount: 1, skipCount: 1 })
    expect((await house.admin.get('/customer/list', { search: '进口客户1420' })).result.total).toBe(1)
  })

  it('processes work on the same batches without doing anything twice', async () => {
    const ids = [await upload(many(1430, 12)), await upload(many(1450, 12)), await upload(many(1470, 12))]
    const drainAll = () => Promise.all([worker(house, 3).drain(), worker(house, 3).drain(), worker(house, 3).drain()])
    while (await someProcessing(ids)) await drainAll()
    for (const id of ids) expect(await call('write', id)).toMatchObject({ code: 1 })
    while (await someProcessing(ids)) await drainAll()
    for (const id of ids) {
      expect(await batch(house, id)).toMatchObject({
        status: 'completed',
        totalCount: 12,
        successCount: 12,
        failCount: 0,
      })
      expect((await rows(house, id)).map(({ rowNo }) => rowNo)).toEqual(
        Array.from({ length: 12 }, (_, index) => index + 2),
      )
    }
  })
})
const someProcessing = async (ids: number[]) => (await Promise.all(ids.map(statusOf))).includes('processing')

describe('a worker', () => {
  it('that stops while reading leaves the rest to another, row by row', async () => {
    const id = await upload([customerRow(1500), customerRow(1501, { name: null }), ...many(1502, 5)])
    const first = worker(house, 2)
    for (const _ of [1, 2]) await first.round()
    await first.stop()
    expect(await batch(house, id)).toMatchObject({ status: 'processing', totalCount: 4, failCount: 1 })
    await worker(house, 2).drain()
    expect(await batch(house, id)).toMatchObject({ status: 'checked', totalCount: 7, createCount: 6, failCount: 1 })
    expect((await rows(house, id)).map(({ rowNo }) => rowNo)).toEqual([2, 3, 4, 5, 6, 7, 8])
  })

  it('leaves a cancelled batch alone', async () => {
    const id = await upload(many(1510, 6))
    const work = worker(house, 2)
    await work.round()
    expect(await call('cancel', id)).toMatchObject({ code: 1 })
    await work.drain()
    expect(await batch(house, id)).toMatchObject({ status: 'cancelled', totalCount: 2 })
  })

  it('starts by itself, is woken by an upload, and stops', async () => {
    const work = worker(house)
    work.start()
    try {
      const id = await upload(many(1520, 1))
      await expect.poll(() => statusOf(id)).toBe('checked')
      expect(await call('write', id)).toMatchObject({ code: 1 })
      await expect.poll(() => statusOf(id)).toBe('completed')
    } finally {
      await work.stop()
    }
  })
})

describe('a file that is damaged midway', () => {
  const reasonOf = ({ failReason }: RecordData) => (failReason as unknown as { message: Label }[])[0].message

  it('leaves no rows, and reports why', async () => {
    const whole = Buffer.from(
      await workbook(
        planOf(house),
        Array.from({ length: 1200 }, (_, index) =>
          customerRow(2000 + index, { remark: randomBytes(60).toString('hex') }),
        ),
      ),
    )
    const broken = damaged(whole)
    const id = await importFile(house, broken)
    const work = worker(house, 100)
    await work.round()
    expect(await batch(house, id)).toMatchObject({ status: 'processing', totalCount: 100 })
    await work.drain()
    const failed = await batch(house, id)
    expect(failed).toMatchObject({
      status: 'failed',
      totalCount: 0,
      createCount: 0,
      failCount: 0,
      successCount: 0,
      finishedAt: expect.any(String),
    })
    expect(reasonOf(failed)).toMatchObject({
      cn: expect.stringContaining('文件已损坏或不完整'),
      en: expect.stringContaining('damaged or incomplete'),
    })
    expect(await rows(house, id)).toEqual([])
    const { rows: claims } = await sql`select 1 from system_import_value where batch_id = ${id}`.execute(
      house.database.kysely,
    )
    expect(claims).toEqual([])
    expect(await call('write', id)).toMatchObject({ code: 409 })
  })
})

/** The compressed rows end in garbage, while the archive itself is intact. */
function damaged(file: Buffer): Buffer {
  const name = Buffer.from('xl/worksheets/sheet1.xml')
  const entry = file.indexOf(Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.alloc(0)]))
  let central = entry
  while (!file.subarray(central + 46, central + 46 + name.length).equals(name))
    central = file.indexOf('PK\u0001\u0002', central + 4)
  const [size, local] = [file.readUInt32LE(central + 20), file.readUInt32LE(central + 42)]
  const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28)
  const broken = Buffer.from(file)
  broken.fill(0xff, start + Math.floor(size / 2), start + size)
  return broken
}

describe('a row that the database refuses', () => {
  const limiting = (limits: Entity['limits']) => {
    house.runtime.derived.catalog.entities.customer.limits = limits
  }
  let former: Entity['limits']
  beforeAll(() => {
    former = house.runtime.derived.catalog.entities.customer.limits
    limiting([
      {
        where: { remark: '限一个' },
        max: 1,
        within: [],
        at: 'remark',
        message: { cn: '只能有一个', en: 'There may be one only' },
      },
    ])
  })
  afterAll(() => limiting(former))

  it('fails alone, with the reason', async () => {
    const id = await check(house, [
      customerRow(1),
      customerRow(2, { remark: '限一个' }),
      customerRow(3),
      customerRow(4, { remark: '限一个' }),
      customerRow(5),
    ])
    expect(await batch(house, id)).toMatchObject({ createCount: 5 })
    expect(await house.admin.post(`${customerImport}/write`, { id })).toMatchObject({ code: 1 })
    const work = worker(house)
    while ((await batch(house, id)).status === 'processing') {
      await work.round()
      // Pretend that the delay before the retry has passed.
      await sql`update system_import set stepped_at = stepped_at - interval '1 hour'`.execute(house.database.kysely)
    }
    expect(await batch(house, id)).toMatchObject({ status: 'partial', successCount: 4, failCount: 1 })
    const list = await rows(house, id)
    expect(list.map(({ rowStatus }) => rowStatus)).toEqual(['created', 'created', 'created', 'failed', 'created'])
    expect(list[3].errors).toMatchObject([
      {
        cell: 'Z5',
        column: 'remark',
        code: 'limit',
        message: { cn: '备注：只能有一个', en: 'Remark: There may be one only' },
      },
    ])
    expect(list[3].target).toBeNull()
  })
})

describe('messages', () => {
  const messages = async (as: Client) =>
    ((await as.get('/messages')).result.list as { title: string; content: string; link: string }[])
      .filter(({ title }) => title.startsWith('导入') || title.startsWith('Import'))
      .map(({ title, content, link }) => ({ title, content, link }))
  const clear = () => sql`delete from message`.execute(house.database.kysely)
  const english = (as: Client) => house.client(as.token, 'en-US')

  it('tell only the uploader that a file is checked, finished or failed, with a link to its rows', async () => {
    await clear()
    const id = await importFile(
      house,
      await workbook(planOf(house), [customerRow(3000), customerRow(3001, { name: null })]),
      { as: firstManager, name: '三月.xlsx' },
    )
    await worker(house).drain()
    const link = `/customer/detailList?batchId=${id}`
    expect(await messages(firstManager)).toEqual([
      { title: '导入待确认：三月.xlsx', content: '共2条：新增1，更新0，跳过0，有误1', link },
    ])
    expect(await messages(english(firstManager))).toMatchObject([
      {
        title: 'Import to confirm: 三月.xlsx',
        content: '2 rows: 1 to add, 0 to update, 0 skipped, 1 with errors',
        link,
      },
    ])
    await write(house, id, firstManager)
    expect((await messages(firstManager))[0]).toMatchObject({
      title: '导入完成：三月.xlsx',
      content: '共2条：成功1，跳过0，失败1',
      link,
    })

    const failed = await importFile(house, await writeXlsx({ sheets: [{ name: 'Data', rows: [['一']] }] }), {
      as: firstManager,
      name: '别的.xlsx',
    })
    await worker(house).drain()
    const [last, ...rest] = await messages(firstManager)
    expect(last).toMatchObject({
      title: '导入失败：别的.xlsx',
      content: expect.stringContaining('导入模板不正确'),
      link: `/customer/detailList?batchId=${failed}`,
    })
    expect(rest.length).toBe(2)
    expect([await messages(secondManager), await messages(house.admin)]).toEqual([[], []])
  })

  it.skipIf(!isLong)('report that all rows were skipped', async () => {
    const done = await check(house, [customerRow(3010)])
    await write(house, done)
    await clear()
    await check(house, [customerRow(3010)])
    expect(await messages(house.admin)).toMatchObject([
      { title: '导入完成：客户.xlsx', content: '所有数据均已存在，未写入' },
    ])
  })

  it('do not report a cancelled file', async () => {
    await clear()
    const id = await upload([customerRow(3020)])
    await call('cancel', id)
    await worker(house).drain()
    expect(await messages(house.admin)).toEqual([])
  })
})

describe('an import that is no longer declared', () => {
  it('leaves its batches waiting for its file to return', async () => {
    const id = await upload([customerRow(4000)])
    const { derived } = house.runtime
    house.runtime.derived = { ...derived, imports: new Map<string, ImportPlan>() }
    await worker(house).drain()
    house.runtime.derived = derived
    expect(await statusOf(id)).toBe('processing')
    await worker(house).drain()
    expect(await statusOf(id)).toBe('checked')
  })
})

describe('a file missing from the store', () => {
  it('fails its batch after several attempts, with a report, and what was checked stays', async () => {
    const id = await upload(many(3000, 12))
    const logged: unknown[] = []
    const half = createImportWorker(house.runtime, { chunk: 4, log: (error) => logged.push(error) })
    await half.round()
    await half.stop()
    const { file } = await batch(house, id)
    await house.runtime.uploads.remove(fileIdOf((file as unknown as { url: string }[])[0].url)!)
    const other = createImportWorker(house.runtime, { chunk: 4, log: (error) => logged.push(error) })
    const { rows: before } = await sql`select 1 from "customerImportRow" where batch = ${id}`.execute(
      house.database.kysely,
    )
    expect(before.length).toBeGreaterThan(0)
    for (let attempt = 0; attempt < 5; attempt++) {
      expect(await statusOf(id)).toBe('processing')
      await sql`update system_import set retry_at = null where batch_id = ${id}`.execute(house.database.kysely)
      await other.round()
    }
    await other.stop()
    const failed = await batch(house, id)
    expect(failed).toMatchObject({ status: 'failed', totalCount: before.length })
    expect(JSON.stringify(failed.failReason)).toContain(`进程${hostname()}:${process.pid}`)
    expect(await rows(house, id)).toHaveLength(before.length)
    expect(logged).toHaveLength(5)
    expect(await house.admin.get(`${customerImport}/original`, { id })).toMatchObject({
      status: 404,
      message: expect.stringContaining('存储中找不到文件'),
    })
  })
})
