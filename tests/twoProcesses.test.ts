/** Two servers that share only the database and the bucket. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeFile } from '../engine/server/files/storeFile.ts'
import { startBucket, type TestBucket } from './bucket.ts'
import { customerValues, picture, upload } from './customer.ts'
import { freePort, type ServerProcess, signIn, startServer } from './faults/servers.ts'
import { batch, customerImport, customerRow, importFile, planOf, workbook } from './importing.ts'
import { createTestServer, type TestServer } from './server.ts'
import { isLong } from './long.ts'

let bucket: TestBucket
let house: TestServer
let other: ServerProcess | undefined
const otherFolder = mkdtempSync(join(tmpdir(), 'formwork-other-'))
let files: string
beforeAll(async () => {
  bucket = await startBucket()
  files = bucket.fresh()
  house = await createTestServer({ files: bucket.filesAt(files) })
  await customerValues(house)
})
afterAll(async () => {
  await other?.end('SIGTERM')
  await house?.close()
  await bucket?.close()
  rmSync(otherFolder, { recursive: true, force: true })
})

test.skipIf(!isLong)(
  'a process continues with what another has accepted: uploads, imports, made files and secrets',
  async () => {
    // This process accepts the import but does not work on it.
    const image = (await upload(house, house.admin, '执照.png', picture)).result
    const made = await storeFile(house.context(), house.runtime.database.kysely, 'pay.csv', Buffer.from('a,b'))
    const sheet = await workbook(
      planOf(house),
      Array.from({ length: 20 }, (_, index) => customerRow(index + 1)),
    )
    const id = await importFile(house, sheet)
    expect(await batch(house, id)).toMatchObject({ status: 'processing' })

    other = startServer(await freePort(), {
      ...bucket.credentials,
      DATABASE_URL: house.database.url,
      DATA_DIR: otherFolder,
      FILES: files,
    })
    await other.ready()
    const { url } = other
    const token = await signIn(url)
    const get = (path: string) => fetch(`${url}${path}`, { headers: { token } })
    const until = async (status: string) => {
      let state: string
      do {
        const answer = await get(`/api${customerImport}/detail?id=${id}`)
        state = ((await answer.json()) as { result: { status: string } }).result.status
      } while (state === 'processing')
      expect(state).toBe(status)
    }
    await until('checked')
    await house.admin.post(`${customerImport}/write`, { id })
    await until('completed')

    const bytes = async (path: string) => Buffer.from(await (await get(path)).arrayBuffer())
    expect((await bytes(`/api${customerImport}/original?id=${id}`)).equals(Buffer.from(sheet))).toBe(true)
    expect((await bytes(image.url)).equals(picture)).toBe(true)
    expect(String(await bytes(made.url))).toBe('a,b')

    // Uploads to the other process are available here at once.
    const form = new FormData()
    form.set('file', new Blob([picture]), 'b.png')
    form.set('json', '{}')
    const answer = await fetch(`${url}/api/common/upload`, { method: 'POST', headers: { token }, body: form })
    const { result } = (await answer.json()) as { result: { url: string } }
    const here = await house.server.inject({ url: result.url, headers: { token: house.admin.token } })
    expect(here.rawPayload.equals(picture)).toBe(true)

    expect([readdirSync(otherFolder), readdirSync(house.dataDir)]).toEqual([[], ['secret.key']])
    expect(other.output()).not.toMatch(/AWS|S3RVER/)
  },
  120_000,
)
