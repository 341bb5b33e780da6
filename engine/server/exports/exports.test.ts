import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { type KyselyPlugin, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerValues } from '../../../tests/customer.ts'
import { createTestServer, type Client, type TestServer } from '../../../tests/server.ts'
import { openSheet } from '../sheets/readSheet.ts'
import type { CellValue } from '../sheets/sheetRow.ts'
import { unzipTexts } from '../sheets/zipParts.ts'

let house: TestServer
const ids: number[] = []
const harmful = ["=cmd|' /C calc'!A0", '+1+1', '-2+3', '@SUM(A1)', '\t=1', '_x0041_ & <b>']
beforeAll(async () => {
  house = await createTestServer()
  for (const name of harmful)
    ids.push(
      await house.create(
        '/customer',
        await customerValues(house, { name: `${name}…`, remark: `${name}\n第二行`, creditLimit: '1234.5' }),
      ),
    )
})
afterAll(() => house?.close())

const fetched = async (
  query: Record<string, unknown>,
  as: Client = house.admin,
  language = 'zh-CN',
): Promise<Buffer> => {
  const answer = await as.get('/customer/export', { screen: 'customer.list', sort: 'id', ...query }, { language })
  expect(answer.status, JSON.stringify(answer)).toBe(200)
  return (answer as unknown as { raw: Buffer }).raw
}
async function exported(...given: Parameters<typeof fetched>): Promise<CellValue[][]> {
  const sheet = await openSheet(Readable.from([await fetched(...given)]))
  try {
    const rows = []
    for await (const { cells } of sheet.rows()) rows.push(cells)
    return rows
  } finally {
    await sheet.close()
  }
}

describe('an export', () => {
  it('contains all matching records, or the selected ones', async () => {
    expect((await exported({ fields: ['code'] })).length).toBe(1 + ids.length)
    expect(await exported({ fields: ['name'], search: 'SUM' })).toEqual([['客户名称'], ['@SUM(A1)…']])
    expect(await exported({ fields: ['name'], ids: `${ids[3]},${ids[1]}` })).toEqual([
      ['客户名称'],
      ['+1+1…'],
      ['@SUM(A1)…'],
    ])
  })

  it("has the requested columns in order, with the reader's labels, values and formats", async () => {
    const fields = ['submissionTime', 'consigneeName', 'serviceTypes', 'region', 'type', 'creditLimit', 'supportStaff']
    const only = { fields, ids: String(ids[0]) }
    const time = expect.any(Date)
    expect(await exported(only)).toEqual([
      ['提交时间', '联系人', '服务类型', '所在地区', '客户类型', '信用额度', '客服专员'],
      [time, '王晓', '劳务派遣', '北京市 / 东城区', '企业', 1234.5, '系统管理员'],
    ])
    const [headers, cells] = await exported(only, house.admin, 'en-US')
    expect(headers).toEqual([
      'Submission time',
      'Contact',
      'Service types',
      'Region',
      'Customer type',
      'Credit limit',
      'Support staff',
    ])
    expect(cells.slice(2, 5)).toEqual(['Labour dispatch', '北京市 / 东城区', 'Enterprise'])
    const parts = await unzipTexts(await fetched(only))
    const sheet = parts.get('xl/worksheets/sheet1.xml')!
    const formats = [...parts.get('xl/styles.xml')!.matchAll(/formatCode="([^"]*)"/g)].map(([, format]) => format)
    expect(formats).toEqual(expect.arrayContaining(['yyyy-mm-dd hh:mm:ss', '#,##0.00']))
    expect(sheet).toMatch(/<c r="F2" s="\d+"><v>1234.5<\/v><\/c>/)
  })

  it('leaves out columns that a sheet cannot hold', async () => {
    expect(await exported({ fields: ['licenseImage', 'name'], ids: String(ids[1]) })).toEqual([['客户名称'], ['+1+1…']])
    expect(await exported({ fields: ['licenseImage'] })).toEqual([])
  })

  it('masks what the reader may not see', async () => {
    const clerk = await house.user('clerk90', ['contractClerk'])
    const sensitive = { fields: ['name', 'consigneeMobile'], ids: String(ids[1]) }
    expect((await exported(sensitive))[1]).toEqual(['+1+1…', '15412345678'])
    expect((await exported(sensitive, clerk))[1]).toEqual(['+1+1…', '154****5678'])
  })

  it('stores texts that look like formulas as unchanged texts', async () => {
    const fields = ['name', 'remark']
    expect((await exported({ fields })).slice(1)).toEqual(
      harmful.map((name) => [`${name.trim()}…`, `${name.trim()}\n第二行`]),
    )
    const sheet = (await unzipTexts(await fetched({ fields }))).get('xl/worksheets/sheet1.xml')!
    expect(sheet).not.toContain('<f')
    const cells = [...sheet.matchAll(/<c r="[AB]\d+"([^>]*)>/g)].map(([, attributes]) => attributes)
    expect(cells.length).toBe(2 + 2 * ids.length)
    // The header is shared by the workbook, and each row has its own strings.
    for (const attributes of cells.slice(2)) expect(attributes).toContain('t="inlineStr"')
  })

  it('stops on the server once its client has gone', async () => {
    await sql`insert into customer (name, remark, "createdAt", "updatedAt") select 'many' || n, repeat(md5(n::text), 10), now(), now() from generate_series(1, 3000) n on conflict do nothing`.execute(
      house.database.kysely,
    )
    const { kysely } = house.database
    let batches = 0
    let opened!: () => void
    const gate = new Promise<void>((resolve) => {
      opened = resolve
    })
    const held: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (result.rows.length === 1000 && Object.hasOwn(result.rows[0], 'remark')) {
          batches++
          await gate
        }
        return result
      },
    }
    await house.server.listen({ port: 0, host: '127.0.0.1' })
    const { port } = house.server.server.address() as AddressInfo
    const many = `filters=${encodeURIComponent(JSON.stringify({ name: { contains: 'many' } }))}`
    const startExport = (path: string) =>
      get({
        port,
        host: '127.0.0.1',
        path: `/api/customer/export?fields=name,remark&${path}`,
        headers: { token: house.admin.token },
        agent: false,
      })
    house.runtime.database.kysely = kysely.withPlugin(held)
    try {
      const request = startExport(many)
      request.on('error', () => undefined)
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      response.on('error', () => undefined).destroy()
      await expect
        .poll(
          () =>
            new Promise((resolve) => {
              house.server.server.getConnections((_, count) => resolve(count))
            }),
        )
        .toBe(0)
      opened()
      // By the time another export is served, the first one would have read its next batch.
      for (let time = 0; time < 5; time++) {
        const [other] = (await once(startExport('search=SUM'), 'response')) as [IncomingMessage]
        await once(other.resume(), 'end')
      }
      expect(batches).toBe(1)
      const [whole] = (await once(startExport(many), 'response')) as [IncomingMessage]
      await once(whole.resume(), 'end')
      expect(batches).toBe(1 + 3)
    } finally {
      house.runtime.database.kysely = kysely
    }
  })
})
