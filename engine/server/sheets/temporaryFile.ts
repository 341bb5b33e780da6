import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { Refusal } from '../errors.ts'

/**
 * Keeps the content in a file for as long as `take` needs to open it. The name goes before anything is read from it,
 * so that nothing is left behind whatever happens to the process: the content lives as long as somebody has it open.
 * Refuses what is empty or larger than `bytes`.
 */
export async function temporaryFile<T>(
  content: Readable,
  bytes: number,
  take: (file: string) => Promise<T>,
): Promise<T> {
  const file = path.join(tmpdir(), `formwork-sheet-${randomUUID()}.xlsx`)
  try {
    await writeFile(file, bounded(content, bytes), { flag: 'wx', mode: 0o600 })
    return await take(file)
  } finally {
    await rm(file, { force: true })
  }
}

async function* bounded(content: Readable, bytes: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of content) {
    size += (chunk as Buffer).length
    if (size > bytes) throw new Refusal('sheetTooLarge', { parameters: { size: Math.floor(bytes / 2 ** 20) } })
    yield chunk as Buffer
  }
  if (size === 0) throw new Refusal('sheetNone')
}
