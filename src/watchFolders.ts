import { readdirSync, watch, type FSWatcher } from 'node:fs'
import path from 'node:path'

/** Milliseconds of quiet after which something counts as saved: an editor writes a file in several steps. */
const quiet = 25

/**
 * Calls `changed` when something was saved in a folder or below it. A watch of a whole tree loses files that an editor
 * replaces, as most do: each folder is watched by itself, and new ones from then on. @returns what ends it.
 */
export function watchFolders(root: string, changed: () => void): () => void {
  const watched = new Map<string, FSWatcher>()
  let timer: NodeJS.Timeout | undefined
  const told = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      follow()
      changed()
    }, quiet)
  }
  function follow() {
    const folders = new Set(foldersBelow(root))
    for (const [folder, watcher] of watched) {
      if (folders.has(folder)) continue
      watcher.close()
      watched.delete(folder)
    }
    for (const folder of folders) {
      if (watched.has(folder)) continue
      // It went away in between: whoever holds it tells.
      watched.set(
        folder,
        watch(folder, told).on('error', () => undefined),
      )
      // What came with the folder came before its watch.
      if (folder !== root && timer) told()
    }
  }
  follow()
  return () => {
    clearTimeout(timer)
    for (const watcher of watched.values()) watcher.close()
  }
}

const foldersBelow = (root: string): string[] => [
  root,
  ...readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name)),
]
