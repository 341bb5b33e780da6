import { Buffer } from 'node:buffer'
import { Readable, pipeline } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'
import { fromBufferPromise } from 'yauzl'

/** A file in an archive. Its content is requested when its turn comes. */
export interface ZipPart {
  name: string
  content: Iterable<string | Buffer> | AsyncIterable<string | Buffer>
}

const deflated = 8
/** Sizes and checksum follow the content; names are UTF-8. */
const flags = 0x808
const version = 20
/** 1 January 1980, so that the same parts give the same archive. */
const day = 0x21

/** A zip archive that is sent while it is written, with sizes after the contents. No part may exceed 4 GB. */
export async function* zipParts(parts: Iterable<ZipPart>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content } of parts) {
    const counted = { checksum: 0, packed: 0, unpacked: 0 }
    const start = offset
    const written = Buffer.from(name)
    const kind: [number, number][] = [
      [version, 2],
      [flags, 2],
      [deflated, 2],
      [0, 2],
      [day, 2],
    ]
    const lengths: [number, number][] = [
      [written.length, 2],
      [0, 2],
    ]
    const header = Buffer.concat([words([0x04034b50, 4], ...kind, [0, 4], [0, 4], [0, 4], ...lengths), written])
    yield header
    for await (const chunk of pack(content, counted)) yield chunk
    const sizes: [number, number][] = [
      [counted.checksum, 4],
      [counted.packed, 4],
      [counted.unpacked, 4],
    ]
    const descriptor = words([0x08074b50, 4], ...sizes)
    yield descriptor
    offset += header.length + counted.packed + descriptor.length
    directory.push(
      Buffer.concat([
        words([0x02014b50, 4], [version, 2], ...kind, ...sizes, ...lengths, [0, 2], [0, 2], [0, 2], [0, 4], [start, 4]),
        written,
      ]),
    )
  }
  const entries = Buffer.concat(directory)
  yield entries
  const count = directory.length
  yield words([0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [entries.length, 4], [offset, 4], [0, 2])
}

async function* pack(
  content: ZipPart['content'],
  counted: { checksum: number; packed: number; unpacked: number },
): AsyncGenerator<Buffer> {
  const source = async function* () {
    for await (const piece of content) {
      const chunk = Buffer.from(piece)
      counted.checksum = crc32(chunk, counted.checksum)
      counted.unpacked += chunk.length
      yield chunk
    }
  }
  // The reader of the packed stream gets its error; the callback only marks it as handled.
  const packed = pipeline(Readable.from(source(), { objectMode: false }), createDeflateRaw(), () => {})
  for await (const chunk of packed) {
    counted.packed += (chunk as Buffer).length
    yield chunk as Buffer
  }
}

/** Little-endian numbers, each with its length in bytes. */
function words(...numbers: [value: number, bytes: number][]): Buffer {
  const buffer = Buffer.alloc(numbers.reduce((sum, [, bytes]) => sum + bytes, 0))
  let at = 0
  for (const [value, bytes] of numbers) at = buffer.writeUIntLE(value, at, bytes)
  return buffer
}

/** All parts of an archive made here, as texts. */
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
