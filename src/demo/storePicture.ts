import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { Context, Db } from '../../engine/server/runtime.ts'
import { fileUrl } from '../../engine/server/storage.ts'
import type { RecordData } from '../../engine/schema/model.ts'
import { samplePicture } from './picture.ts'

/** Makes a sample picture and keeps it as if it had been uploaded. @returns the value of an image field. */
export async function storePicture(context: Context, db: Db, label: string, palette: number, shape: 'card' | 'banner' = 'card'): Promise<RecordData> {
  const content = samplePicture(label, palette, shape)
  const id = randomBytes(16).toString('hex')
  const name = `${label}.png`
  await context.runtime.storage.write(id, Readable.from([content]))
  await sql`insert into system_file (name, size, type, sha256, path, at)
    values (${name}, ${content.length}, 'image/png', ${createHash('sha256').update(content).digest('hex')}, ${id}, ${context.now})`.execute(db)
  return { url: fileUrl(id, name), name, size: content.length }
}
