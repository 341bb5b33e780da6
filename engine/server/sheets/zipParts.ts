import { Buffer } from 'node:buffer'
import { type PassThrough, Readable } from 'node:stream'
import { fromBufferPromise } from 'yauzl'
import { ZipFile } from 'yazl'

/** A file in an archive. Its content is read only when the archive reaches it. */
export interface ZipPart {
  name: string
  content: Iterable<string | Buffer> | AsyncIterable<string | Buffer>
}

/** The same parts give the same archive. */
const entry = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true }

/** A zip archive as a stream. */
export function zipParts(parts: Iterable<ZipPart>): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream as PassThrough
  let current: Readable | undefined
  zip.on('error', (error: Error) => output.destroy(error))
  for (const { name, content } of parts)
    zip.addReadStreamLazy(name, entry, (use) => {
      current = Readable.from(content, { objectMode: false })
      current.on('error', (error) => zip.emit('error', error))
      use(null, current)
    })
  zip.end()
  output.once('close', () => current?.destroy())
  return output
}

/** All parts of an archive made by this server, as texts. */
export async function unzipTexts(archive: Uint8Array): Promise<Map<string, string>> {
  const zip = await fromBufferPromise(Buffer.from(archive), {})
  const parts = new Map<string, string>()
  for await (const entry of zip.eachEntry()) {
    const chunks: Buffer[] = []
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer)
    parts.set(entry.fileName, Buffer.concat(chunks).toString('utf8'))
  }
  return parts
}
