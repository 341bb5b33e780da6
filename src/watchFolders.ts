import { readdirSync, statSync, watch, type FSWatcher } from 'node:fs'
import path from 'node:path'

/** Milliseconds of quiet after which something counts as saved: an editor writes a file in several steps. */
const quiet = 25

/**
 * Calls `changed` when something was saved in a folder or below it. A watch of a whole tree loses files that an editor
 * replaces, as most do: each folder is watched by itself, and new ones from then on. A folder that was replaced, as by a
 * change of the branch, is another one under the same name. @returns what ends it.
 */
export function watchFolders(root: string, changed: () => void): () => void {
  const watched = new Map<string, { node: string; watcher: FSWatcher }>()
  let timer: NodeJS.Timeout | undefined
  const told = () => {
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
      // It went away in between: whoever holds it tells.
      watched.set(folder, { node, watcher: watch(folder, told).on('error', () => undefined) })
      // What came with the folder came before its watch.
      if (timer) told()
    }
  }
  const { dir, base } = path.parse(path.resolve(root))
  const above = watch(dir, (_event, name) => name === base && told())
  follow()
  return () => {
    clearTimeout(timer)
    above.close()
    for (const { watcher } of watched.values()) watcher.close()
  }
}

/** Folder → what tells it from another of the same name. None while the folder itself is away. */
function foldersBelow(root: string): Map<string, string> {
  const found = new Map<string, string>()
  const visit = (folder: string) => {
    const stat = statSync(folder, { throwIfNoEntry: false, bigint: true })
    if (!stat) return
    // The number alone is given to the next folder that is made.
    found.set(folder, `${stat.ino} ${stat.birthtimeNs}`)
    try {
      for (const entry of readdirSync(folder, { withFileTypes: true }))
        if (entry.isDirectory()) visit(path.join(folder, entry.name))
    } catch (error) {
      // It went away in between.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  visit(root)
  return found
}
