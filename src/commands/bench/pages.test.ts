import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serveBoth } from './pages.ts'

const folder = mkdtempSync(join(tmpdir(), 'formwork-pages-'))
let product: Server
let both: { url: string; close(): void }
beforeAll(async () => {
  writeFileSync(join(folder, 'table.html'), 'a page')
  product = createServer(async (request, response) => {
    const body = String(Buffer.concat((await request.toArray()) as Buffer[]))
    if (request.url !== '/half') return void response.end(`${request.method} ${body}`)
    response.writeHead(200, { 'content-length': 100 }).write('half')
    response.write('half', () => response.destroy())
  })
  await once(product.listen(0, '127.0.0.1'), 'listening')
  both = await serveBoth(folder, `http://127.0.0.1:${(product.address() as AddressInfo).port}`)
})
afterAll(() => {
  both?.close()
  product?.close()
  rmSync(folder, { recursive: true, force: true })
})

const get = async (path: string, body?: string) =>
  (await fetch(`${both.url}${path}`, body ? { method: 'POST', body } : {})).text()

it('passes on pages, requests and answers', async () => {
  expect(await get('/yardstick/table.html')).toBe('a page')
  expect(await get('/api', 'asked')).toBe('POST asked')
  expect(await get('/api', 'again')).toBe('POST again')
})

it('breaks off a broken answer, and continues to serve', async () => {
  await expect(get('/half')).rejects.toThrow()
  // A folder cannot be read like a file.
  await expect(get('/yardstick/')).rejects.toThrow()
  expect(await get('/api', 'asked')).toBe('POST asked')
})
