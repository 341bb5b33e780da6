import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Refusal } from '../errors.ts'
import { makerMark, sheetMark } from '../files/leftovers.ts'

/**
 * Stores the content in a file for as long as `take` needs to open it. The name is removed before anything is read, so
 * that nothing is left behind whatever happens to the process: the content exists as long as it is open. Refuses
 * content that is empty or larger than `bytes`.
 */
export async function temporaryFile<T>(
  content: Readable,
  bytes: number,
  take: (file: string) => Promise<T>,
): Promise<T> {
  const file = path.join(tmpdir(), `${sheetMark}${makerMark()}.${randomUUID()}.xlsx`)
  try {
    // From here on errors of the content are handled: an immediate one must not end the process.
    await pipeline(content, bounded(bytes), createWriteStream(file, { flags: 'wx', mode: 0o600 }))
    return await take(file)
  } finally {
    await rm(file, { force: true })
  }
}

function bounded(bytes: number): Transform {
  let size = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size <= bytes) return done(null, chunk)
      done(new Refusal('sheetTooLarge', { parameters: { size: Math.floor(bytes / 2 ** 20) } }))
    },
    flush: (done) => done(size === 0 ? new Refusal('sheetNone') : null),
  })
}
