import { readdirSync, statSync, watch, type FSWatcher } from 'node:fs'
import path from 'node:path'

/** Milliseconds of quiet after which a file counts as saved, because an editor writes it in several steps. */
const quiet = 25

/**
 * Calls `changed` when something was saved in or below a folder. A recursive watch loses files that an editor replaces,
 * as most do, so each folder is watched by itself, and new ones from then on. A folder that was replaced, as by
 * switching branches, is a different one with the same name. @returns a function that ends it.
 */
export function watchFolders(root: string, changed: () => void): () => void {
  const watched = new Map<string, { node: string; watcher: FSWatcher }>()
  let timer: NodeJS.Timeout | undefined
  const schedule = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      follow()
      changed()
    }, quiet)
  }
  function follow() {
    const folders = foldersBelow(root)
    for (const [folder, { node, watcher }] of watched) {
      if (folders.get(folder) === node) continue
      watcher.close()
      watched.delete(folder)
    }
    for (const [folder, node] of folders) {
      if (watched.has(folder)) continue
      // It was removed in between, which its parent reports.
      watched.set(folder, { node, watcher: watch(folder, schedule).on('error', () => undefined) })
      // Files created with the folder precede its watch.
      if (timer) schedule()
    }
  }
  const { dir, base } = path.parse(path.resolve(root))
  const above = watch(dir, (_event, name) => name === base && schedule())
  follow()
  return () => {
    clearTimeout(timer)
    above.close()
    for (const { watcher } of watched.values()) watcher.close()
  }
}

/** Folder → what distinguishes it from another of the same name. Empty while the folder itself is missing. */
function foldersBelow(root: string): Map<string, string> {
  const found = new Map<string, string>()
  const visit = (folder: string) => {
    const stat = statSync(folder, { throwIfNoEntry: false, bigint: true })
    if (!stat) return
    // The inode number alone would be reused by the next new folder.
    found.set(folder, `${stat.ino} ${stat.birthtimeNs}`)
    try {
      for (const entry of readdirSync(folder, { withFileTypes: true }))
        if (entry.isDirectory()) visit(path.join(folder, entry.name))
    } catch (error) {
      // It was removed in between.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  visit(root)
  return found
}
