/** Removes what killed processes left half done; file names identify the process that made them. */
import { readdir, rm, stat } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FileStore } from './FileStore.ts'

/** Part of the name of files that this process makes. */
export const makerMark = () => `${hostname()}-${process.pid}`

/** Older files are leftovers in any case, because a process on another machine cannot be checked. */
const longAgo = 24 * 3_600_000

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Our own process id means an earlier process that had it, because at the start this one has made nothing yet. */
export function isMakerGone(name: string): boolean {
  const mark = `.${hostname()}-`
  const at = name.lastIndexOf(mark)
  if (at < 0) return false
  const pid = parseInt(name.slice(at + mark.length))
  return pid === process.pid || !isRunning(pid)
}

/**
 * Removes our unfinished files.
 * @param quiet milliseconds since the last write, before which a file is never removed
 * @returns how many
 */
export async function clearFolder(
  folder: string,
  isOurs: (name: string) => boolean,
  { recursive = false, quiet = 0 } = {},
): Promise<number> {
  let count = 0
  for (const name of await readdir(folder, { recursive }).catch(() => [])) {
    if (!isOurs(name)) continue
    const path = join(folder, name)
    const made = await stat(path).catch(() => undefined)
    if (!made) continue
    const silence = Date.now() - made.mtimeMs
    if (quiet > 0 && silence < quiet) continue
    if (!isMakerGone(name.split('/').at(-1)!) && silence < longAgo) continue
    await rm(path, { force: true })
    count++
  }
  return count
}

/** Prefix of temporary sheet files. */
export const sheetMark = 'formwork-sheet.'

/** Call at the start, before this process makes any. @returns how many were removed. */
export const clearLeftovers = async (files: FileStore): Promise<number> =>
  (await files.clear()) + (await clearFolder(tmpdir(), (name) => name.startsWith(sheetMark)))
