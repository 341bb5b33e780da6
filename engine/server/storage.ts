import { createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Readable } from 'node:stream'
import { Refusal } from './errors.ts'
import { makerMark } from './leftovers.ts'

/** Where uploaded files are kept: a folder, or whatever else can take a stream under a name. */
export interface FileStorage {
  /** Whole or not at all: a failed upload leaves nothing that can be read. */
  write(id: string, content: Readable): Promise<void>
  /** @throws Refusal fileGone, before anything is read */
  read(id: string): Promise<Readable>
  remove(id: string): Promise<void>
  /** `/api/files/<id>/<name>` → its id; undefined for any other address. */
  pathOf(url: string): string | undefined
}

export const fileUrl = (id: string, name: string) => `/api/files/${id}/${encodeURIComponent(name)}`

/** Files in `{dataDir}/files`, two letters of the id to a folder. */
export function createFolderStorage(dataDir: string): FileStorage {
  const place = (id: string) => join(dataDir, 'files', id.slice(0, 2), id)
  return {
    async write(id, content) {
      await mkdir(dirname(place(id)), { recursive: true })
      const draft = `${place(id)}.${makerMark()}.part`
      try {
        await pipeline(content, createWriteStream(draft, { mode: 0o600, flush: true }))
        await rename(draft, place(id))
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
    },
    async read(id) {
      try {
        return (await open(place(id))).createReadStream()
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
        throw new Refusal('fileGone', { parameters: { id, process: `${hostname()}:${process.pid}` } })
      }
    },
    remove: (id) => rm(place(id), { force: true }),
    pathOf: (url) => /^\/api\/files\/([0-9a-f]{32})\/[^/?#]+$/.exec(url)?.[1],
  }
}
