import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { fileTypeOf } from './content.ts'
import type { Db } from '../db.ts'
import { type UploadedFiles, fileUrl } from './UploadedFiles.ts'

/** The part of a request's context that storing needs. */
interface Storing {
  runtime: { uploads: UploadedFiles }
  user: { id: number }
  now: string
  work?: { isTrial?: true }
}

/** Stores a file as if it had been uploaded. @returns the value of a file field. */
export async function storeFile(
  { runtime, user, now, work }: Storing,
  db: Db,
  name: string,
  content: Uint8Array,
): Promise<{ url: string; name: string; size: number }> {
  const id = randomBytes(16).toString('hex')
  if (!work?.isTrial) await runtime.uploads.write(id, Readable.from([Buffer.from(content)]))
  await sql`insert into system_file (name, size, type, sha256, path, uploaded_by, at)
    values (${name}, ${content.length}, ${fileTypeOf(name)!.type}, ${createHash('sha256').update(content).digest('hex')}, ${id}, ${user.id || null}, ${now})`.execute(
    db,
  )
  return { url: fileUrl(id, name), name, size: content.length }
}
