import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBucket, type TestBucket } from '../../../tests/bucket.ts'
import { startUploadServer } from '../../../tests/unfinishedUploads.ts'
import { createTestDatabase } from '../../../tests/database.ts'
import { dump } from '../postgres/dump.ts'
import { outageOf } from '../postgres/outage.ts'
import { restore } from '../postgres/restore.ts'
import { Bucket } from './Bucket.ts'
import { bucketAddress } from './bucketAddress.ts'
import { bucketFiles } from './bucketFiles.ts'
import type { FileStore } from './FileStore.ts'
import { folderFiles } from './folderFiles.ts'
import { moveFiles } from './moveFiles.ts'

/** The smallest size that servers accept for any part but the last. */
const part = 5 * 2 ** 20
const secret = 'never-to-be-read-anywhere'

let bucket: TestBucket
let folder: string
beforeAll(async () => {
  bucket = await startBucket()
  folder = mkdtempSync(join(tmpdir(), 'formwork-store-'))
})
afterAll(async () => {
  await bucket?.close()
  rmSync(folder, { recursive: true, force: true })
})

const kinds: Record<string, () => FileStore> = {
  'a folder': () => folderFiles(mkdtempSync(join(folder, 'data-'))),
  'a bucket': () => bucket.filesAt(bucket.fresh(), { part }),
}
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex')
const contentOf = async (store: FileStore, name: string, sum?: string) => {
  const content = await store.read(name, sum)
  return content && Buffer.concat((await content.toArray()) as Buffer[])
}
const namesIn = async (store: FileStore) => {
  const names: string[] = []
  for await (const { name } of store.names()) names.push(name)
  return names
}
const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
/** In chunks, like content from a network. */
const streamOf = (content: Buffer) =>
  Readable.from(
    (function* () {
      for (let at = 0; at < content.length; at += 60_000) yield content.subarray(at, at + 60_000)
    })(),
    { objectMode: false },
  )

describe.each(Object.entries(kinds))('%s', (_, open) => {
  it('returns content of any size as stored, and forgets what is removed', async () => {
    const store = open()
    const large = randomBytes(2 * part + 12_345)
    const contents: Record<string, Buffer> = {
      'files/00/empty': Buffer.alloc(0),
      'files/ab/large': large,
      'files/ab/part': large.subarray(0, part),
      'files/ab/small': Buffer.from('small'),
      'secret.key': Buffer.from('key'),
    }
    for (const [name, content] of Object.entries(contents)) await store.write(name, streamOf(content))
    for (const [name, content] of Object.entries(contents))
      expect((await contentOf(store, name, sha256(content)))?.equals(content), name).toBe(true)
    for await (const { modified } of store.names())
      expect(Math.abs(modified.getTime() - Date.now())).toBeLessThan(10 * 60_000)
    expect(await namesIn(store)).toEqual(Object.keys(contents))
    await store.remove('files/ab/large')
    await store.remove('files/ab/large')
    expect(await contentOf(store, 'files/ab/large')).toBeUndefined()
    expect(await namesIn(store)).toHaveLength(4)
  })

  it('stores nothing of a file that breaks off', async () => {
    const store = open()
    const broken = new PassThrough().on('error', () => {})
    const written = store.write('files/ab/broken', broken)
    const rejection = expect(written).rejects.toThrow('gone')
    broken.write(Buffer.alloc(part + 1))
    await turn()
    broken.destroy(new Error('gone'))
    await rejection
    expect(await contentOf(store, 'files/ab/broken')).toBeUndefined()
    expect(await namesIn(store)).toEqual([])
    await store.write('files/ab/broken', streamOf(Buffer.from('whole')))
    expect(String(await contentOf(store, 'files/ab/broken'))).toBe('whole')
  })
})

it('a folder is open to its owner alone, because the names of its files are their addresses', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'formwork-private-'))
  await folderFiles(dataDir).write('files/ab/abc', streamOf(Buffer.from('x')))
  const modes = ['files', 'files/ab', 'files/ab/abc'].map((name) => statSync(join(dataDir, name)).mode & 0o077)
  rmSync(dataDir, { recursive: true, force: true })
  expect(modes).toEqual([0, 0, 0])
})

describe('a bucket', () => {
  it('lists all pages of its files', async () => {
    // The test server cannot answer in pages.
    const token = 'a+b/c=="&"'
    const page = (name: string, more: string) =>
      `<ListBucketResult><Contents><Key>own/files/${name}</Key><Size>3</Size></Contents>${more}</ListBucketResult>`
    const answers = (address: URL) =>
      address.searchParams.get('continuation-token') === token
        ? page('b', '<IsTruncated>false</IsTruncated>')
        : address.searchParams.get('prefix') === 'own/files/'
          ? page(
              'a',
              '<IsTruncated>true</IsTruncated><NextContinuationToken>a+b/c==&quot;&amp;&#34;</NextContinuationToken>',
            )
          : '<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>'
    const server = createServer(({ url }, response) => {
      response.end(answers(new URL(url!, 'http://localhost')))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const store = bucket.filesAt(`s3://formwork/own?endpoint=${addressOf(server)}`)
    expect(await namesIn(store)).toEqual(['files/a', 'files/b'])
    server.close()
  })

  it.skipIf(!process.env.TEST_FILES)('lists more than one page of files from a server with pages', async () => {
    const store = bucket.filesAt(bucket.fresh())
    const names = Array.from({ length: 1_020 }, (_, index) => `files/${String(index).padStart(4, '0')}`)
    for (let at = 0; at < names.length; at += 20)
      await Promise.all(names.slice(at, at + 20).map((name) => store.write(name, streamOf(Buffer.from('x')))))
    expect(await namesIn(store)).toEqual(names)
  })

  it('never delivers all of a file that differs from the stored one', async () => {
    const store = bucket.filesAt(bucket.fresh())
    await store.write('files/ab/damaged', streamOf(Buffer.from('damaged')))
    const content = (await store.read('files/ab/damaged', sha256(Buffer.from('correct'))))!
    const seen: Buffer[] = []
    await expect(async () => {
      for await (const chunk of content) seen.push(chunk)
    }).rejects.toThrow(/files\/ab\/damaged is damaged/)
    expect(Buffer.concat(seen).length).toBeLessThan(7)
  })

  it.skipIf(!process.env.TEST_FILES)('refuses a part damaged in transit', async () => {
    const address = bucket.addressOf(bucket.fresh())
    const proxy = createServer((request, response) => {
      void (async () => {
        const content = Buffer.concat((await request.toArray()) as Buffer[])
        if (content.length) content[0] ^= 1
        const { host: _, connection: __, ...headers } = request.headers
        const answer = await fetch(`${new URL(address.url).origin}${request.url}`, {
          method: request.method,
          headers: headers as Record<string, string>,
          body: content.length ? content : undefined,
        })
        response.writeHead(answer.status).end(await answer.text())
      })()
    })
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    try {
      const url = address.url.replace(new URL(address.url).origin, addressOf(proxy))
      await expect(new Bucket({ ...address, url }).put('damaged', Buffer.from('content'))).rejects.toThrow(
        /XAmzContentSHA256Mismatch|BadDigest|SignatureDoesNotMatch/,
      )
    } finally {
      proxy.close()
    }
  })

  it.skipIf(!process.env.TEST_FILES)('clears the uploads that killed processes left', async () => {
    const files = bucket.fresh()
    const address = bucket.addressOf(files)
    await new Bucket(address).begin(`${address.prefix}files/ab/left`)
    expect(await bucket.filesAt(files).clear()).toBe(0)
    expect(await bucket.filesAt(files, { abandoned: -60_000 }).clear()).toBe(1)
    expect(await bucket.filesAt(files, { abandoned: -60_000 }).clear()).toBe(0)
  })

  it('clears exactly the uploads that have received nothing for a day', async () => {
    const old = new Date(Date.now() - 25 * 3_600_000)
    const now = new Date()
    const server = await startUploadServer([
      { key: 'own/files/a', begun: old },
      { key: 'own/files/b', begun: old, parts: [old, old] },
      { key: 'own/files/c', begun: now },
      { key: 'own/files/d', begun: old, parts: [old, now] },
      { key: 'own/files/e', begun: old },
      { key: 'own/other/f', begun: old },
    ])
    try {
      expect(await bucket.filesAt(`s3://formwork/own?endpoint=${server.endpoint}`).clear()).toBe(3)
      expect(server.left()).toEqual(['own/files/c', 'own/files/d', 'own/other/f'])
    } finally {
      server.close()
    }
  })

  it('reports why it cannot be used, without any secret', async () => {
    const credentials = { AWS_ACCESS_KEY_ID: 'somebody', AWS_SECRET_ACCESS_KEY: secret }
    const failureOf = async (files: string, environment: Record<string, string> = bucket.credentials) => {
      const error: unknown = await bucketFiles(bucketAddress(files, 'FILES', environment))
        .check()
        .catch((e) => e)
      return String((error as Error).message) + String((error as Error).stack)
    }
    const files = bucket.fresh()
    const refused = await failureOf(files, credentials)
    expect(refused).toMatch(
      /^The files in s3:\/\/\w+\/\w+ on [^ ]+ cannot be reached: .*(InvalidAccessKeyId|AccessDenied|SignatureDoesNotMatch)/,
    )
    expect(refused).not.toContain(secret)
    expect(await failureOf(files.replace(/s3:\/\/\w+/, 's3://no-such-bucket'))).toMatch(/NoSuchBucket|AccessDenied/)
  })

  it('reports an outage when there is no answer, and retries when the answer is late', async () => {
    let refusals = 2
    const server = createServer((_, response) => {
      response.writeHead(refusals-- > 0 ? 503 : 200).end('<Error><Code>SlowDown</Code></Error>')
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const store = bucket.filesAt(`s3://formwork?endpoint=${addressOf(server)}`)
    await store.write('files/ab/late', streamOf(Buffer.from('x')))
    expect(refusals).toBe(-1)
    await new Promise((resolve) => server.close(resolve))
    const error: unknown = await store.read('files/ab/late').catch((reason: unknown) => reason)
    expect((error as Error).message).toMatch(/^s3:\/\/formwork on 127\.0\.0\.1:\d+ gave no answer .*ECONNREFUSED/)
    expect(outageOf(error)).toBe('files')
  })

  it.each([
    ['s3://key:never@bucket', /^FILES holds credentials/],
    ['s3://b', /^FILES is no address of a bucket/],
    ['s3://bucket?endpoint=nowhere', /^FILES has an endpoint that is no address/],
    ['s3://bucket?endpoint=https://key:never@host', /^FILES has an endpoint/],
    ['s3://bucket?secret=never', /^FILES has an unknown parameter; known are: endpoint, region, style\.$/],
    ['s3://bucket?style=never', /^FILES has an unknown style/],
  ])('refuses the address %s', (files, message) => {
    expect(() => bucketAddress(files, 'FILES', bucket.credentials)).toThrow(message)
    expect(() => bucketAddress(files, 'FILES', bucket.credentials)).not.toThrow(/never/)
  })

  it('takes its settings from the address and the environment', () => {
    expect(() => bucketAddress('s3://bucket', 'FILES', {})).toThrow(/^FILES needs credentials: set AWS_ACCESS_KEY_ID/)
    const urlOf = (files: string, more = {}) => {
      const { url, region, prefix } = bucketAddress(files, 'FILES', { ...bucket.credentials, ...more })
      return [url, region, prefix]
    }
    expect(urlOf('s3://bucket?region=cn-north-1')).toEqual([
      'https://s3.cn-north-1.amazonaws.com/bucket',
      'cn-north-1',
      '',
    ])
    expect(urlOf('s3://bucket/a/b?endpoint=https://oss.example.com&style=host', { AWS_REGION: 'oss' })).toEqual([
      'https://bucket.oss.example.com',
      'oss',
      'a/b/',
    ])
  })
})

describe('files', () => {
  it('are moved from one kind of store to the other, and back', async () => {
    const [from, into] = Object.values(kinds).map((open) => open())
    const content = randomBytes(part + 1)
    await from.write('files/ab/abcd', streamOf(content))
    await from.write('files/cd/cdef', streamOf(Buffer.from('cdef')))
    await from.write('secret.key', streamOf(Buffer.from('key')))
    expect(await moveFiles(from, into)).toEqual({ copied: 3, there: 0, removed: 0 })
    // A different size: an earlier run was killed, or the file is damaged.
    await into.write('files/cd/cdef', streamOf(Buffer.from('c')))
    expect(await moveFiles(from, into, { remove: true })).toEqual({ copied: 1, there: 2, removed: 3 })
    expect(await namesIn(from)).toEqual([])
    expect(await moveFiles(into, from)).toEqual({ copied: 3, there: 0, removed: 0 })
    expect((await contentOf(from, 'files/ab/abcd'))?.equals(content)).toBe(true)
    await into.write('secret.key', streamOf(Buffer.from('another')))
    await expect(moveFiles(from, into)).rejects.toThrow(/has another secret\.key than/)
  })
})

describe('a backup', () => {
  it('of one kind of store is restored into the other, and changes nothing if it is damaged', async () => {
    const source = await createTestDatabase()
    const target = await createTestDatabase()
    try {
      await source.pool.query('create table customer as select 1 as id')
      const from = kinds['a folder']()
      const into = kinds['a bucket']()
      const content = randomBytes(200_001)
      await from.write('files/ab/abcd', streamOf(content))
      await from.write('secret.key', streamOf(Buffer.from('key')))
      const take = async (database: typeof source, store: FileStore) => {
        const output = new PassThrough()
        const [chunks] = await Promise.all([output.toArray(), dump(database, store, output)])
        return Buffer.concat(chunks as Buffer[])
      }
      const backup = await take(source, from)
      const putBack = (store: FileStore, taken: Buffer, replace = false) =>
        restore(target, store, { from: 'backup', content: Readable.from([taken]), replace })

      expect(await putBack(into, backup)).toEqual({ tables: 1, rows: 1, files: 2 })
      expect((await contentOf(into, 'files/ab/abcd'))?.equals(content)).toBe(true)
      await expect(putBack(into, backup)).rejects.toThrow(/There is data already/)

      await into.write('files/00/former', streamOf(Buffer.from('former')))
      await into.remove('files/ab/abcd')
      await into.write('secret.key', streamOf(Buffer.from('former key')))
      const before = await namesIn(into)
      await expect(putBack(into, backup.subarray(0, -100), true)).rejects.toThrow(/nothing was changed/)
      expect(await namesIn(into)).toEqual(before)
      expect(String(await contentOf(into, 'secret.key'))).toBe('former key')

      await putBack(into, backup, true)
      expect(await namesIn(into)).toEqual(['files/ab/abcd', 'secret.key'])
      expect(String(await contentOf(into, 'secret.key'))).toBe('key')
      const back = kinds['a folder']()
      await putBack(back, await take(target, into), true)
      expect((await contentOf(back, 'files/ab/abcd'))?.equals(content)).toBe(true)
    } finally {
      await source.drop()
      await target.drop()
    }
  })
})
