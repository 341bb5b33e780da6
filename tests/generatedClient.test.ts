import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import createClient from 'openapi-fetch'
import openapiTS, { astToString } from 'openapi-typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { customerValues, uscc } from './customer.ts'
import { openApiOf } from '../engine/server/http/openApiRoutes.ts'
import { customerRow, planOf, workbook, worker } from './importing.ts'
import { administratorPassword, createTestServer, type TestServer } from './server.ts'

let house: TestServer
let folder: string
beforeAll(async () => {
  house = await createTestServer()
  // Inside the project, so that the generated client finds its library.
  const cache = resolve('node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  folder = mkdtempSync(join(cache, 'client-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await house?.close()
})

/** A program written from the document alone: every path, parameter, body and answer is typed by it. */
const program = `
import type openapiFetch from 'openapi-fetch'
import type { paths } from './paths.ts'

type Create = typeof openapiFetch
export async function use(createClient: Create, baseUrl: string, password: string, values: Record<string, unknown>, sheet: Blob) {
  const client = createClient<paths>({ baseUrl })
  const signedIn = await client.POST('/vue-element-admin/user/login', { body: { username: 'admin', password } })
  const token = signedIn.data!.data.token
  client.use({ onRequest({ request }) { request.headers.set('token', token) } })

  const created = await client.POST('/customer/agency/create', { body: { values } })
  const id = created.data!.result.id
  const disabled = await client.POST('/customer/agency/disable', { body: { id } })
  const listed = await client.GET('/customer/agency/list', {
    params: { query: { filters: JSON.stringify({ status: { equals: 'disabled' } }), size: 5, timestamp: '1' } },
  })
  // @ts-expect-error -- a size is a number
  const untyped = await client.GET('/customer/agency/list', { params: { query: { size: 'five' } } })
  const wrong = await client.GET('/customer/agency/detail', { params: { query: { id: 999999 } } })

  const form = new FormData()
  form.append('file', sheet, 'customers.xlsx')
  const uploaded = await client.POST('/common/upload', { body: { file: '' }, bodySerializer: () => form })
  const file = { ...uploaded.data!.result, status: 'success' }
  const batch = await client.POST('/customer/customerImport/create', { body: { values: { file: [file] } } })
  const read = async () =>
    (await client.GET('/customer/customerImport/detail', { params: { query: { id: batch.data!.result.id } } })).data!.result
  return {
    created: created.data!.code,
    disabled: disabled.data!.result.succeeded,
    names: listed.data!.result.list.map(({ name }) => name),
    total: listed.data!.result.total,
    wrong: [untyped.error!.code, wrong.error!.code],
    batch: read,
    write: async () =>
      (await client.POST('/customer/customerImport/write', { body: { id: batch.data!.result.id } })).data!.result.succeeded,
  }
}
`

const run = promisify(execFile)

/** Compiles with the project's compiler. @returns its errors */
async function compile(): Promise<string> {
  const options = [
    '--ignoreConfig',
    '--strict',
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--rewriteRelativeImportExtensions',
  ]
  const compiler = resolve('node_modules/ts7/bin/tsc')
  const compiled = run(process.execPath, [compiler, ...options, '--skipLibCheck', '--types', 'node', 'use.ts'], {
    cwd: folder,
  })
  return compiled.then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  )
}

interface Used {
  use(
    create: typeof createClient,
    base: string,
    password: string,
    values: object,
    sheet: Blob,
  ): Promise<Record<string, unknown>>
}

test('a client made by a public generator signs in, lists, creates, transitions and imports', async () => {
  const { document } = openApiOf(house.runtime.derived)
  // Only one area's entities, because generating all takes seconds.
  const paths = Object.entries(document.paths as object).filter(([path]) => !/^\/(?!customer|common|vue-)/.test(path))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(
    join(folder, 'paths.ts'),
    astToString(await openapiTS({ ...structuredClone(document), paths: Object.fromEntries(paths) } as never)),
  )
  writeFileSync(join(folder, 'use.ts'), program)
  expect(await compile()).toBe('')

  const { use } = (await import(pathToFileURL(join(folder, 'use.js')).href)) as Used
  const address = await house.server.listen({ port: 0, host: '127.0.0.1' })
  await customerValues(house)
  const agency = { code: 'J009', name: '停用机构', kind: 'partner', uscc: uscc(90_009), cities: ['310100'] }
  const sheet = new Blob([Buffer.from(await workbook(planOf(house), [customerRow(1), customerRow(2)]))])
  const { batch, write, ...did } = await use(createClient, `${address}/api`, administratorPassword, agency, sheet)
  expect(did).toEqual({ created: 1, disabled: 1, names: [agency.name], total: 1, wrong: [422, 404] })
  await worker(house).drain()
  expect(await (batch as () => Promise<object>)()).toMatchObject({ status: 'checked', totalCount: 2 })
  expect(await (write as () => Promise<number>)()).toBe(1)
  await worker(house).drain()
  expect(await (batch as () => Promise<object>)()).toMatchObject({ status: 'completed', successCount: 2 })
})
