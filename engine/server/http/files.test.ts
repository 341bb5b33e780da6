import { readdirSync } from 'node:fs'
import { Agent, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerValues, picture, upload } from '../../../tests/customer.ts'
import { isLong } from '../../../tests/long.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import { cleanFileName } from '../files/content.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

const send = (name: string, content: Buffer | string) => upload(house, house.admin, name, Buffer.from(content))
const fetched = (url: string, headers: Record<string, string> = {}) =>
  house.server.inject({ url, headers: { token: house.admin.token, ...headers } })
const kept = () =>
  readdirSync(join(house.dataDir, 'files'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    .length

describe('an upload', () => {
  it('is served under a random id, with its own type, and never as a page', async () => {
    const { code, result } = await send('执照 1.PNG', picture)
    expect({ code, ...result }).toMatchObject({ code: 1, name: '执照 1.PNG', size: picture.length })
    expect(result.url).toMatch(/^\/api\/files\/[0-9a-f]{32}\/%E6%89%A7%E7%85%A7%201\.PNG$/)
    const { statusCode, headers, rawPayload } = await fetched(result.url)
    expect(statusCode).toBe(200)
    expect(rawPayload.equals(picture)).toBe(true)
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': expect.stringMatching(/^inline;/),
      'content-length': String(picture.length),
    })
    expect((await fetched(result.url, { 'if-none-match': String(headers.etag) })).statusCode).toBe(304)
    expect((await fetched(`/api/files/${'0'.repeat(32)}/x.png`)).json()).toMatchObject({
      code: 404,
      message: '文件不存在',
    })
  })

  it('cuts a name that is too long between characters, and is recorded', async () => {
    const before = kept()
    const { code, result } = await send(`${'字'.repeat(99)}👍.png`, picture)
    expect({ code, ...result }).toMatchObject({ code: 1, name: `${'字'.repeat(99)}.png` })
    const { rows } = await house.database.pool.query('select 1 from system_file where name = $1', [result.name])
    expect([kept() - before, rows.length]).toEqual([1, 1])
  })

  it('is refused when cut off or without a named part, and leaves no file', async () => {
    const head = 'Content-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
    const whole = Buffer.concat([Buffer.from(`--x\r\n${head}`), picture, Buffer.from('\r\n--x--\r\n')])
    const sent = async (payload: Buffer) =>
      (
        await house.server.inject({
          method: 'POST',
          url: '/api/common/upload',
          headers: { token: house.admin.token, 'content-type': 'multipart/form-data; boundary=x' },
          payload,
        })
      ).json()
    expect(await sent(whole)).toMatchObject({ code: 1 })
    const before = kept()
    for (const end of [4, 20, head.length, whole.length - 30, whole.length - 6])
      expect(await sent(whole.subarray(0, end)), String(end)).toMatchObject({
        code: 422,
        message: '请选择要上传的文件',
      })
    expect(kept()).toBe(before)
  })

  it('must have the content that its name says', async () => {
    const before = kept()
    expect(await send('a.png', '<html><script>alert(1)</script>')).toMatchObject({
      code: 422,
      message: '文件内容与扩展名不符',
    })
    expect(await send('a.pdf', picture)).toMatchObject({ code: 422 })
    expect(await send('a.xlsx', 'a,b\n1,2')).toMatchObject({
      code: 422,
      message: expect.stringMatching(/^这是文本文件/),
    })
    expect(await send('a.xlsx', picture)).toMatchObject({
      code: 422,
      message: expect.stringMatching(/不是Excel工作簿/),
    })
    expect(await send('page.html', '<html>')).toMatchObject({ code: 422, message: '不支持该文件类型' })
    expect(await send('none', 'x')).toMatchObject({ code: 422 })
    expect(await send('a.txt', '')).toMatchObject({ code: 422, message: '文件为空' })
    expect(
      await send('big.pdf', Buffer.concat([Buffer.from('%PDF-1.7'), Buffer.alloc(20 * 1024 * 1024)])),
    ).toMatchObject({ code: 422, message: '文件大小不能超过20MB' })
    expect(kept()).toBe(before)
    expect(await send('a.pdf', '%PDF-1.7 …')).toMatchObject({ code: 1 })
  })

  it('may be as large as administrators allow if it is a picture', async () => {
    const { id, revision } = (await house.admin.get('/setting/parameter/detail')).result
    const large = Buffer.concat([picture, Buffer.alloc(3 * 1024 * 1024)])
    expect(await send('large.png', large)).toMatchObject({ code: 1 })
    await house.admin.post('/setting/parameter/update', { id, revision, values: { imageMaxMb: 2 } })
    expect(await send('large.png', large)).toMatchObject({ code: 422, message: '文件大小不能超过2MB' })
    expect(await send('large.pdf', Buffer.concat([Buffer.from('%PDF-1.7'), large]))).toMatchObject({ code: 1 })
  })

  it('is only ever downloaded if it is not a picture', async () => {
    const { result } = await send(
      'drawing.svg',
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    )
    expect((await fetched(result.url)).headers['content-disposition']).toMatch(/^attachment;/)
  })

  it('needs a session', async () => {
    expect(await upload(house, house.client(''), 'a.png', picture)).toMatchObject({ code: 401 })
  })

  it("is refused to a user who has used up the day's quota, and to no other", async () => {
    const { pool } = house.database
    const { rows } = await pool.query(`insert into system_file (name, size, type, sha256, path, uploaded_by, at)
      select 'a.apk', 5000 * 2 ^ 20, 'x', 'x', 'filled', id, '2026-03-15' from "user" where "loginName" = 'admin' returning id`)
    const answer = await send('a.png', picture)
    expect(answer).toMatchObject({ code: 429, message: expect.stringContaining('5000MB') })
    expect(await upload(house, await house.user('uploader', ['sales']), 'a.png', picture)).toMatchObject({ code: 1 })
    await pool.query(`update system_file set at = '2026-03-13' where id = $1`, [rows[0].id])
    expect(await send('a.png', picture)).toMatchObject({ code: 1 })
    await pool.query('delete from system_file where id = $1', [rows[0].id])
  })

  it('is limited by the quota even when many uploads of a user run at once', async () => {
    const { pool } = house.database
    // Each counts as 64 KB, so eight more are allowed.
    const hasty = await house.user('hasty', ['sales'])
    await pool.query(
      `insert into system_file (name, size, type, sha256, path, uploaded_by, at)
      values ('a.apk', 5000 * 2 ^ 20 - 8 * 65536, 'x', 'x', 'nearly', $1, '2026-03-15')`,
      [hasty.id],
    )
    const codes = await Promise.all(
      Array.from({ length: 40 }, async () => (await upload(house, hasty, 'a.png', picture)).code),
    )
    const taken = codes.filter((code) => code === 1).length
    expect({ taken, refused: codes.filter((code) => code === 429).length }).toEqual({ taken, refused: 40 - taken })
    expect(taken).toBeGreaterThanOrEqual(8)
    // Four run at a time: of those that see room, all but one may be counted too late.
    expect(taken).toBeLessThanOrEqual(8 + 3)
  })

  it.each([
    ['../../etc/passwd.png', 'passwd.png'],
    ['C:\\temp\\图 片.png', '图 片.png'],
    ['a\u0000b\u202Egnp.png', 'abgnp.png'],
    ['..png', 'png'],
    ['x"<y>\'.png', 'xy.png'],
    ['a..b.png', 'a.b.png'],
    [`${'长'.repeat(300)}.png`, `${'长'.repeat(100)}.png`],
  ])('drops harmful characters from a name: %j', (given, clean) => {
    expect(cleanFileName(given)).toBe(clean)
  })
})

describe('a file in a record', () => {
  it('must have been uploaded, and match its upload', async () => {
    const { result } = await send('licence.png', picture)
    const refused = async (licenseImage: object[]) =>
      (
        await house.admin.post('/customer/create', {
          values: await customerValues(house, { licenseImage: licenseImage as never }),
        })
      ).errors
    const file = { ...result, status: 'success' }
    const missing = [
      {
        texts: {
          cn: '营业执照的文件不存在，请重新上传',
          en: 'A file of Business license image does not exist, please upload it again',
        },
        field: 'licenseImage',
        code: 'file',
        message: '营业执照的文件不存在，请重新上传',
      },
    ]
    expect(await refused([{ ...file, url: `/api/files/${'0'.repeat(32)}/licence.png` }])).toEqual(missing)
    expect(await refused([{ ...file, size: 1 }])).toEqual(missing)
    expect(await refused([{ ...file, url: 'https://elsewhere.example.com/a.png' }])).toMatchObject([
      { field: 'licenseImage' },
    ])
    expect(await refused([file])).toBeUndefined()
  })
})

describe('a refused upload', () => {
  it('leaves its connection usable for the next request, however much was still to come', async () => {
    await house.server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = house.server.server.address() as AddressInfo
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const sockets = new Set<number | undefined>()
    const sendRequest = (method: string, path: string, body?: Buffer) =>
      new Promise<number | undefined>((resolve, reject) => {
        const type = body ? { 'content-type': 'multipart/form-data; boundary=b', 'content-length': body.length } : {}
        const headers = { token: house.admin.token, ...type }
        const clientRequest = request(
          { agent, port, host: '127.0.0.1', method, path: `/api${path}`, headers },
          (answer) => {
            sockets.add(clientRequest.socket?.localPort)
            answer.resume().once('end', () => resolve(answer.statusCode))
          },
        )
        clientRequest.once('error', reject)
        clientRequest.end(body)
      })
    const form = (name: string, content: Buffer) =>
      Buffer.concat([
        Buffer.from(`--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`),
        content,
        Buffer.from('\r\n--b--\r\n'),
      ])
    for (const name of isLong ? ['a.png', 'a.html', 'a.txt'] : ['a.html']) {
      const large = Buffer.alloc(40 * 2 ** 20, 'x')
      expect([name, await sendRequest('POST', '/common/upload', form(name, large))]).toEqual([name, 422])
      expect([name, await sendRequest('GET', '/health')]).toEqual([name, 200])
    }
    expect(sockets.size).toBe(1)
    agent.destroy()
  })
})
