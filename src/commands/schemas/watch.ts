import { watch } from 'node:fs'

/** Milliseconds, because an editor writes a file in several steps. */
const patience = 40

/**
 * Prints the result of `look` with its duration in milliseconds, now and whenever files below the directory change; an
 * unchanged result is only confirmed. Ends when it is aborted.
 */
export async function watchSchemas(
  directory: string,
  look: () => string,
  print: (text: string, milliseconds: number) => void,
  until: AbortSignal,
): Promise<void> {
  let last: string | undefined
  const printResult = () => {
    let text: string
    const started = performance.now()
    try {
      text = look()
    } catch (error) {
      // A folder may be missing for a moment, while a branch is changed.
      text = error instanceof Error ? error.message : String(error)
    }
    const time = new Date().toTimeString().slice(0, 8)
    const output = last === undefined ? text : text === last ? `${time} as before` : `\n${time}\n${text}`
    print(output, performance.now() - started)
    last = text
  }
  let timer: NodeJS.Timeout | undefined
  const watcher = watch(directory, { recursive: true }, () => {
    clearTimeout(timer)
    timer = setTimeout(printResult, patience)
  })
  printResult()
  await new Promise<void>((resolve, reject) => {
    watcher.once('error', reject)
    until.addEventListener('abort', () => resolve())
  })
  clearTimeout(timer)
  watcher.close()
}
