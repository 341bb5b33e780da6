import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { picture, upload } from '../../../tests/customer.ts'
import { customerImport, customerRow, planOf, workbook } from '../../../tests/importing.ts'
import { isLong } from '../../../tests/long.ts'
import { type Client, createTestServer, type TestServer } from '../../../tests/server.ts'
import { fixedOperations } from './fixedOperations.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

const key = (name: string) => ({ 'idempotency-key': name })
const send = (name: string, keyName: string, content: Buffer | Uint8Array = picture, as: Client = house.admin) =>
  upload(house, as, name, Buffer.from(content), key(keyName))
/** A picture that no other test sends. */
const pictureOf = (text: string) => Buffer.concat([picture, Buffer.from(text)])
const stored = () =>
  readdirSync(join(house.dataDir, 'files'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    .length
const rows = async () => Number((await house.database.pool.query('select count(*) from system_file')).rows[0].count)

let before = { stored: 0, rows: 0 }
beforeEach(async () => {
  await upload(house, house.admin, 'first.png', picture)
  before = { stored: stored(), rows: await rows() }
})
const added = async () => ({ stored: stored() - before.stored, rows: (await rows()) - before.rows })

test('a file sent again with its key gets the same answer, and is stored once', async () => {
  const first = await send('a.png', 'again')
  expect(first).toMatchObject({ code: 1, result: { name: 'a.png', size: picture.length } })
  expect((await send('a.png', 'again')).result).toEqual(first.result)
  expect(await added()).toEqual({ stored: 1, rows: 1 })
})

test('of two simultaneous uploads one is stored, and both get the same answer', async () => {
  const [first, second] = await Promise.all([send('a.png', 'twice'), send('a.png', 'twice')])
  expect(first).toMatchObject({ code: 1 })
  expect(second.result).toEqual(first.result)
  expect(await added()).toEqual({ stored: 1, rows: 1 })
})

test('refuses other content or another name with the same key, and stores neither', async () => {
  expect(await send('a.png', 'other')).toMatchObject({ code: 1 })
  expect(await send('a.png', 'other', pictureOf('x'))).toMatchObject({ code: 409 })
  expect(await send('b.png', 'other')).toMatchObject({ code: 409 })
  expect(await added()).toEqual({ stored: 1, rows: 1 })
})

test('a refused file frees its key, and each user has separate keys', async () => {
  expect(await send('a.png', 'mended', Buffer.from('<html>'))).toMatchObject({ code: 422 })
  const first = await send('a.png', 'mended')
  expect(first).toMatchObject({ code: 1 })
  const other = await send('a.png', 'mended', picture, await house.user('otherUploader', ['sales']))
  expect(other).toMatchObject({ code: 1 })
  expect(other.result.url).not.toBe(first.result.url)
  expect(await added()).toEqual({ stored: 2, rows: 2 })
})

test("an upload that used up the day's quota still gets its answer when sent again", async () => {
  const last = await house.user('lastUploader', ['sales'])
  const first = await send('a.png', 'last', picture, last)
  expect(first).toMatchObject({ code: 1 })
  await house.database.pool.query('update system_file set size = 5000 * 2 ^ 20 where uploaded_by = $1', [last.id])
  expect(await send('b.png', 'next', picture, last)).toMatchObject({ code: 429 })
  expect((await send('a.png', 'last', picture, last)).result).toEqual(first.result)
})

test.skipIf(!isLong)('a file stored by a server killed before its answer is answered by another server', async () => {
  const catalog = join(house.dataDir, 'catalog.json')
  writeFileSync(catalog, JSON.stringify(house.runtime.derived.catalog))
  const killed = spawn(
    process.execPath,
    ['--import', 'tsx', 'tests/answerProcess.ts', house.database.url, house.dataDir, catalog],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = once(killed, 'exit')
  const [address] = await once(killed.stdout, 'data')
  const form = new FormData()
  form.append('file', new File([picture], 'a.png'))
  form.append('json', '{"file_type":0}')
  const answer = fetch(`${String(address).trim()}/api/common/upload`, {
    method: 'POST',
    headers: { token: house.admin.token, ...key('killed') },
    body: form,
  })
  await expect(answer).rejects.toThrow()
  expect(await ended).toEqual([null, 'SIGKILL'])
  expect(await added()).toEqual({ stored: 1, rows: 1 })
  const again = await send('a.png', 'killed')
  expect(again).toMatchObject({ code: 1 })
  expect(await added()).toEqual({ stored: 1, rows: 1 })
  const { rawPayload } = await house.server.inject({ url: again.result.url, headers: { token: house.admin.token } })
  expect(rawPayload.equals(picture)).toBe(true)
})

test('an import whose upload and creation are both sent twice is one file and one batch', async () => {
  const content = await workbook(planOf(house), [customerRow(1)])
  const total = async () => (await house.admin.get(`${customerImport}/list`)).result.total
  const already = await total()
  const begin = async () => {
    const { result } = await send('import.xlsx', 'import', content)
    const values = { file: [{ ...result, status: 'success' }] }
    return house.admin.post(`${customerImport}/create`, { values }, key('import'))
  }
  const first = await begin()
  expect(first).toMatchObject({ code: 1 })
  expect((await begin()).result).toEqual(first.result)
  expect(await total()).toBe(already + 1)
  expect(await added()).toEqual({ stored: 1, rows: 1 })
})

test('every other writing call without an entity is idempotent, or takes a key', () => {
  const writing = Object.entries(fixedOperations).filter(([name]) => !name.startsWith('GET '))
  // A sign-in belongs to no user yet: one whose answer is lost leaves a session that expires unused.
  const signsIn = ['POST /vue-element-admin/user/login']
  const setsTheSame = [
    'POST /logout',
    'POST /messages/read',
    'POST /messages/read-all',
    'POST /jobs/cancel',
    'POST /preferences',
    'POST /schemas/reload',
  ]
  const knowsNone = writing.filter(([, { keyed }]) => !keyed).map(([name]) => name)
  expect(knowsNone.toSorted()).toEqual([...signsIn, ...setsTheSame].toSorted())
})
