import { hostname } from 'node:os'
import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import { Refusal } from '../errors.ts'
import type { Db } from '../db.ts'
import { type FileStore, filesPrefix } from './FileStore.ts'

/** Uploaded files, and files that the server makes, by their ids. */
export interface UploadedFiles {
  /** Atomic: a failed upload leaves nothing to read. */
  write(id: string, content: Readable): Promise<void>
  /**
   * @param sha256 of the content as it was stored
   * @throws Refusal fileGone, before anything is read
   */
  read(id: string, sha256?: string): Promise<Readable>
  remove(id: string): Promise<void>
}

export const fileUrl = (id: string, name: string) => `/api/files/${id}/${encodeURIComponent(name)}`

/** `/api/files/<id>/<name>` → its id; undefined for any other address. */
export const fileIdOf = (url: string): string | undefined => /^\/api\/files\/([0-9a-f]{32})\/[^/?#]+$/.exec(url)?.[1]

/** The first two letters of the id are its folder. */
const nameOf = (id: string) => `${filesPrefix}${id.slice(0, 2)}/${id}`

export const createUploadedFiles = (files: FileStore): UploadedFiles => ({
  write: (id, content) => files.write(nameOf(id), content),
  async read(id, sha256) {
    const content = await files.read(nameOf(id), sha256)
    if (!content) throw new Refusal('fileGone', { parameters: { id, process: `${hostname()}:${process.pid}` } })
    return content
  },
  remove: (id) => files.remove(nameOf(id)),
})

/** id → SHA-256 of the content as it was stored. */
export async function checksums(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ path: string; sha256: string }>`
    select path, sha256 from system_file where path = any(${ids}::text[])`.execute(db)
  return new Map(rows.map(({ path, sha256 }) => [path, sha256]))
}
