import { createHash } from 'node:crypto'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type FileStore, keyName } from './FileStore.ts'

/**
 * Copies files that the target lacks, and compares each copy with its original.
 * @param remove deletes the source's files once all are copied
 * @throws with a sentence for the operator
 */
export async function moveFiles(
  source: FileStore,
  target: FileStore,
  { remove = false } = {},
): Promise<{ copied: number; there: number; removed: number }> {
  const known = new Map<string, number>()
  for await (const { name, size } of target.names()) known.set(name, size)
  await demandSameKey(source, target, known)
  const names: string[] = []
  let copied = 0
  for await (const { name, size } of source.names()) {
    if (known.get(name) !== size) {
      await copy(name, source, target)
      copied++
    }
    names.push(name)
  }
  if (remove) for (const name of names) await source.remove(name)
  return { copied, there: names.length - copied, removed: remove ? names.length : 0 }
}

async function copy(name: string, source: FileStore, target: FileStore): Promise<void> {
  const content = await source.read(name)
  // It was removed after listing.
  if (!content) return
  const hash = createHash('sha256')
  const through = new PassThrough()
  const hashed = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
  await Promise.all([pipeline(content, hashed, through), target.write(name, through)])
  if ((await sha256(await target.read(name))) === hash.digest('hex')) return
  await target.remove(name)
  throw new Error(`${name} did not arrive as it was in ${source.place}.`)
}

async function sha256(content: Readable | undefined): Promise<string | undefined> {
  if (!content) return undefined
  const hash = createHash('sha256')
  for await (const chunk of content as AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest('hex')
}

/** A different key there belongs to another database. */
async function demandSameKey(source: FileStore, target: FileStore, known: Map<string, number>): Promise<void> {
  const own = known.has(keyName) ? await sha256(await source.read(keyName)) : undefined
  if (own !== undefined && own !== (await sha256(await target.read(keyName))))
    throw new Error(`${target.place} has another ${keyName} than ${source.place}: it belongs to another database.`)
}
