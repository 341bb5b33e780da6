import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import Fastify from 'fastify'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { precompress } from './commands/precompress.ts'
import { cachedCatalog } from './cachedCatalog.ts'
import { serveBuild } from './serveBuild.ts'

let dist: string
beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), 'formwork-dist-'))
})
afterEach(() => rmSync(dist, { recursive: true, force: true }))

it('serves the client to anybody, and nothing else built beside it', async () => {
  mkdirSync(join(dist, 'client/assets'), { recursive: true })
  mkdirSync(join(dist, 'client/.vite'))
  mkdirSync(join(dist, 'server'))
  writeFileSync(join(dist, 'client/index.html'), '<title>the page</title>')
  writeFileSync(join(dist, 'client/assets/index-1234.js'), 'client()')
  writeFileSync(join(dist, 'client/.vite/manifest.json'), '{"secret":1}')
  writeFileSync(join(dist, 'server/serve.js'), 'secret()')
  cachedCatalog([], () => ({ catalog: { secret: 1 } as never, issues: [] }), dist)
  const server = Fastify()
  await serveBuild(server, dist)

  const script = await server.inject('/assets/index-1234.js')
  expect([script.body, script.headers['cache-control']]).toEqual(['client()', 'public, max-age=31536000, immutable'])
  for (const address of [
    '/catalog.json',
    '/server/serve.js',
    '/client/index.html',
    '/.vite/manifest.json',
    '/assets/..%2f..%2fcatalog.json',
    '/..%2fserver%2fserve.js',
    '/%2e%2e/catalog.json',
    '//catalog.json',
  ]) {
    const { body } = await server.inject({ method: 'GET', url: address })
    expect([address, body.includes('secret')]).toEqual([address, false])
  }
  await server.close()
})

it('names the files that a signed-in page needs, before its script asks for them', async () => {
  mkdirSync(join(dist, 'client/.vite'), { recursive: true })
  mkdirSync(join(dist, 'client/assets'))
  writeFileSync(join(dist, 'client/index.html'), '<title>the page</title>')
  writeFileSync(join(dist, 'client/assets/frame-1.js'), 'frame()')
  const manifest = {
    'index.html': { file: 'assets/index-1.js', name: 'index' },
    '_frame-1.js': { file: 'assets/frame-1.js', name: 'frame', css: ['assets/frame-1.css'] },
    '_list.view-1.js': { file: 'assets/list.view-1.js', name: 'list.view' },
  }
  writeFileSync(join(dist, 'client/.vite/manifest.json'), JSON.stringify(manifest))
  const server = Fastify()
  await serveBuild(server, dist)

  const linkOf = async (url: string, cookie?: string) =>
    (await server.inject({ method: 'GET', url, headers: { ...(cookie && { cookie }) } })).headers.link
  const link = [
    '</assets/index-1.js>; rel=modulepreload',
    '</assets/frame-1.js>; rel=modulepreload',
    '</assets/frame-1.css>; rel=preload; as=style; crossorigin',
    '</assets/list.view-1.js>; rel=modulepreload',
  ].join(', ')
  expect(await linkOf('/', 'theme=dark; Admin-Token=abc')).toBe(link)
  expect(await linkOf('/settlement/nowhere', 'Admin-Token=abc')).toBe(link)
  expect(await linkOf('/')).toBeUndefined()
  expect(await linkOf('/', 'Admin-Token=')).toBeUndefined()
  expect(await linkOf('/assets/frame-1.js', 'Admin-Token=abc')).toBeUndefined()
  await server.close()
})

it('serves compressed files to clients that accept them', async () => {
  const [script, small] = ['one();'.repeat(1000), 'two()']
  mkdirSync(join(dist, 'client/assets'), { recursive: true })
  writeFileSync(join(dist, 'client/index.html'), '<title>the page</title>')
  writeFileSync(join(dist, 'client/assets/index-1234.js'), script)
  writeFileSync(join(dist, 'client/assets/small-1234.js'), small)
  await precompress(join(dist, 'client/assets'))
  const server = Fastify()
  await serveBuild(server, dist)

  const get = (url: string, encoding: string) =>
    server.inject({ method: 'GET', url, headers: { 'accept-encoding': encoding } })
  const compressed = await get('/assets/index-1234.js', 'gzip, deflate, br')
  expect(compressed.headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': expect.stringContaining('javascript'),
    'cache-control': 'public, max-age=31536000, immutable',
    vary: expect.stringContaining('accept-encoding'),
  })
  expect(brotliDecompressSync(compressed.rawPayload).toString()).toBe(script)

  const plain = await get('/assets/index-1234.js', 'identity')
  expect([plain.headers['content-encoding'], plain.body]).toEqual([undefined, script])
  expect((await get('/assets/small-1234.js', 'br')).body).toBe(small)
  expect((await get('/assets/index-1234.js.br', 'br')).statusCode).toBe(404)
  await server.close()
})
