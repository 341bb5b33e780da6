/** Runs the session of the API guide as written, and checks the calls that the guide names. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApiOf } from '../engine/server/http/openApiRoutes.ts'
import { picture } from './customer.ts'
import { administratorPassword, createTestServer, type TestServer } from './server.ts'

const guide = readFileSync(join(import.meta.dirname, '../docs/api.md'), 'utf8')
let house: TestServer
let folder: string
beforeAll(async () => {
  house = await createTestServer()
  folder = mkdtempSync(join(tmpdir(), 'formwork-session-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await house?.close()
})

test('the session signs in, uploads, creates, runs a transition and lists', async () => {
  const [, program] = /^```js session\.mjs\n([\s\S]*?)^```$/m.exec(guide)!
  const address = await house.server.listen({ port: 0, host: '127.0.0.1' })
  writeFileSync(join(folder, 'banner.png'), picture)
  writeFileSync(
    join(folder, 'session.mjs'),
    program.replace('http://localhost:3000', address).replace('formwork1!', administratorPassword),
  )
  const { stdout } = await promisify(execFile)(process.execPath, ['session.mjs'], { cwd: folder })
  expect(stdout.trim()).toBe('1 A new year disabled')
})

test('every call that the guide names exists', () => {
  const { document } = openApiOf(house.runtime.derived)
  const calls = Object.entries(document.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} /api${path}`),
  )
  const named = [...guide.matchAll(/`((?:GET|POST) \/[^`?…]*)(?:\?[^`]*)?`/g)].map(([, call]) => call)
  expect(named.length).toBeGreaterThan(6)
  expect(named.filter((call) => !calls.includes(call))).toEqual([])
})
