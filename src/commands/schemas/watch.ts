import { watch } from 'node:fs'

/** Milliseconds: an editor writes a file in several steps. */
const patience = 40

/**
 * Prints what `look` tells, now and whenever files below the directory change, as long as it is not what was told last. Ends with the
 * first SIGINT or SIGTERM.
 */
export async function watchSchemas(directory: string, look: () => string): Promise<void> {
  let last: string | undefined
  const tell = () => {
    let text: string
    try {
      text = look()
    } catch (error) {
      // A folder may be away for a moment, while a branch is changed.
      text = error instanceof Error ? error.message : String(error)
    }
    if (text !== last) console.log(last === undefined ? text : `\n${new Date().toTimeString().slice(0, 8)}\n${text}`)
    last = text
  }
  let timer: NodeJS.Timeout | undefined
  const watcher = watch(directory, { recursive: true }, () => {
    clearTimeout(timer)
    timer = setTimeout(tell, patience)
  })
  tell()
  await new Promise<void>((resolve, reject) => {
    watcher.once('error', reject)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  clearTimeout(timer)
  watcher.close()
}
