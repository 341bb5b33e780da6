import { createHash } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { abandonedAfter, abortAbandoned } from './abortAbandoned.ts'
import { Bucket, BucketError, type Part } from './Bucket.ts'
import type { BucketAddress } from './bucketAddress.ts'
import { type FileStore, filesPrefix, keyName, type Replacement } from './FileStore.ts'

const mostParts = 10_000
const usualPart = 8 * 2 ** 20

export interface BucketFiles extends FileStore {
  /** @throws with a sentence for the operator if the bucket cannot be used */
  check(): Promise<void>
}

/**
 * Files as objects of a bucket. Files larger than a part are sent in parts; an object becomes readable once complete.
 * @param part bytes; an upload holds one in memory
 * @param abandoned milliseconds without a new part after which an upload counts as left by a killed process
 */
export function bucketFiles(
  address: BucketAddress,
  { part = usualPart, abandoned = abandonedAfter } = {},
): BucketFiles {
  const bucket = new Bucket(address)
  const { place, prefix } = address
  const keyOf = (name: string) => `${prefix}${name}`

  const store: BucketFiles = {
    place,
    isShared: true,
    write: (name, content) => writeObject(bucket, keyOf(name), content, part),
    async read(name, sha256) {
      const found = await bucket.get(keyOf(name))
      return (
        found && Readable.from(checked(found.body, `${place}, ${name}`, { ...found, sha256 }), { objectMode: false })
      )
    },
    remove: (name) => bucket.remove(keyOf(name)),
    async *names() {
      for (const within of [filesPrefix, keyName])
        for await (const { key, ...stored } of bucket.list(keyOf(within)))
          yield { name: key.slice(prefix.length), ...stored }
    },
    clear: () => abortAbandoned(bucket, keyOf(filesPrefix), { abandoned }),
    replacement: () => bucketReplacement(store),
    async check() {
      try {
        await bucket.check(keyOf(keyName))
      } catch (error) {
        throw new Error(`The files in ${place} cannot be reached: ${(error as Error).message}`)
      }
    },
  }
  return store
}

/** @param part size in bytes of all parts but the last, because some servers require equal sizes */
export async function writeObject(bucket: Bucket, key: string, content: Readable, part: number): Promise<void> {
  let upload: string | undefined
  const parts: Part[] = []
  try {
    await pipeline(content, async (source: AsyncIterable<Buffer>) => {
      let last: Buffer | undefined
      for await (const piece of pieces(source, part)) {
        if (last) {
          upload ??= await bucket.begin(key)
          if (parts.length === mostParts - 1) throw new BucketError(`${key} is too large for ${mostParts} parts`)
          parts.push(await bucket.part(key, upload, parts.length + 1, last))
        }
        last = piece
      }
      last ??= Buffer.alloc(0)
      if (upload === undefined) return bucket.put(key, last)
      parts.push(await bucket.part(key, upload, parts.length + 1, last))
      await bucket.complete(key, upload, parts)
    })
  } catch (error) {
    // Uploads that cannot be aborted now are aborted a day later; the first error is the one to report.
    if (upload !== undefined) await Promise.allSettled([bucket.abort(key, upload)])
    throw error
  }
}

/** The same content in pieces of exactly so many bytes, except the last. */
async function* pieces(source: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let size = 0
  for await (const chunk of source) {
    held.push(chunk)
    size += chunk.length
    while (size >= bytes) {
      const all = Buffer.concat(held)
      yield all.subarray(0, bytes)
      held = [Buffer.from(all.subarray(bytes))]
      size -= bytes
    }
  }
  if (size > 0) yield Buffer.concat(held)
}

/**
 * The last chunk is held back until length and checksum are verified, so that readers of a damaged file never get all
 * of it.
 */
async function* checked(
  body: Readable,
  what: string,
  { size, sha256 }: { size: number | undefined; sha256?: string },
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let length = 0
  let last: Buffer | undefined
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (last) yield last
      last = Buffer.from(chunk)
      hash.update(last)
      length += last.length
    }
  } catch (error) {
    throw new BucketError(`${what} broke off: ${(error as Error).message}`, { code: 'FILES_UNREACHABLE', cause: error })
  }
  if (size !== undefined && length !== size) throw new BucketError(`${what} broke off`, { code: 'FILES_UNREACHABLE' })
  if (sha256 !== undefined && hash.digest('hex') !== sha256)
    throw new BucketError(`${what} is damaged: its checksum is not the one of the file that was stored`)
  if (last) yield last
}

/**
 * A bucket cannot rename. File names are unique to their content, so files are written directly to their place; the key
 * is written last.
 */
function bucketReplacement(store: FileStore): Replacement {
  let former: Set<string> | undefined
  const written = new Set<string>()
  let current: { content: PassThrough; done: Promise<void> } | undefined
  let key: Buffer[] | undefined
  let formerKey: Buffer | undefined
  let isPlaced = false

  const formerNames = async () => {
    if (!former) {
      former = new Set()
      for await (const { name } of store.names()) former.add(name)
    }
    return former
  }
  const finish = async () => {
    current?.content.end()
    await current?.done
    current = undefined
  }
  return {
    async begin(name) {
      await formerNames()
      await finish()
      if (name === keyName) {
        key = []
        return
      }
      if (!name.startsWith(filesPrefix) || name.split('/').some((part) => part === '' || /^\.\.?$/.test(part)))
        throw new Error(`The backup names a file outside of the data folder: ${name}`)
      written.add(name)
      const content = new PassThrough()
      const done = store.write(name, content)
      // The reader gets the error at the end of the file; until then nothing more is read.
      done.catch((error: Error) => content.on('error', () => {}).destroy(error))
      key = undefined
      current = { content, done }
    },
    async add(piece) {
      if (!current) return void key!.push(piece)
      const { content, done } = current
      if (!content.write(piece)) await Promise.race([new Promise((resolve) => content.once('drain', resolve)), done])
    },
    async place() {
      await finish()
      if (!key) return
      formerKey = await contentOf(store, keyName)
      isPlaced = true
      await store.write(keyName, Readable.from([Buffer.concat(key)]))
    },
    async keep() {
      for (const name of await formerNames()) if (!written.has(name) && name !== keyName) await store.remove(name)
    },
    async undo() {
      if (current) {
        current.content.on('error', () => {}).destroy(new Error('The restore failed'))
        await Promise.allSettled([current.done])
      }
      const before = await formerNames()
      for (const name of written) if (!before.has(name)) await store.remove(name)
      if (!isPlaced) return
      if (formerKey) await store.write(keyName, Readable.from([formerKey]))
      else await store.remove(keyName)
    },
  }
}

async function contentOf(store: FileStore, name: string): Promise<Buffer | undefined> {
  const content = await store.read(name)
  return content && Buffer.concat((await content.toArray()) as Buffer[])
}
