import { createWriteStream, existsSync, readdirSync } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { clearFolder, makerMark } from './leftovers.ts'
import { type FileStore, filesPrefix, keyName } from './FileStore.ts'
import { folderReplacement } from './folderReplacement.ts'

/** Files below the data folder, under their names. */
export function folderFiles(dataDir: string): FileStore {
  const pathOf = (name: string) => join(dataDir, name)
  return {
    place: dataDir,
    isShared: false,
    async write(name, content) {
      const path = pathOf(name)
      // Anyone who can list the folder knows the addresses of the files.
      const isPrivate = name.startsWith(filesPrefix)
      await mkdir(dirname(path), { recursive: true, ...(isPrivate && { mode: 0o700 }) })
      const draft = `${path}.${makerMark()}.part`
      try {
        await pipeline(content, createWriteStream(draft, { mode: 0o600, flush: true }))
        await rename(draft, path)
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
    },
    async read(name) {
      try {
        return (await open(pathOf(name))).createReadStream()
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
        return undefined
      }
    },
    remove: (name) => rm(pathOf(name), { force: true }),
    async *names() {
      for (const name of [filesPrefix.slice(0, -1), keyName].flatMap((name) => filesBelow(dataDir, name))) {
        try {
          const { size, mtime: modified } = await stat(pathOf(name))
          yield { name, size, modified }
        } catch (error) {
          // It was removed after listing.
          if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
        }
      }
    },
    clear: () => clearFolder(pathOf(filesPrefix), (name) => name.endsWith('.part'), { recursive: true }),
    replacement: () => folderReplacement(dataDir),
  }
}

/** Files below `path` (or itself), relative to the folder, with `/`. */
function filesBelow(folder: string, path: string): string[] {
  if (!existsSync(join(folder, path))) return []
  try {
    return readdirSync(join(folder, path))
      .sort()
      .flatMap((name) => filesBelow(folder, `${path}/${name}`))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return [path]
    throw error
  }
}
