/**
 * Woven sources call `broken` at each place: is it the one that is broken now? It also notes that the place was
 * reached: for the test file of this process; in a server shared by all tests, for the test file that is running; in a
 * page, on its console.
 */
const { process } = globalThis as { process?: NodeJS.Process }
const fs = process?.getBuiltinModule?.('node:fs')
const page = globalThis as { formworkBreak?: number }
const noted = new Set<string>()

/** What `run.ts` and `setup.ts` report about the run. */
export interface State {
  broken: number
  /** The file in which reached breaks are noted. */
  reached?: string
}

/** Milliseconds between reads of the state, because a server outlives a break. */
const moment = 100
let state: State | undefined
let readAt = 0
function current(): State {
  const now = Date.now()
  const file = process!.env.BREAKS_STATE
  if (file && now - readAt > moment) {
    readAt = now
    // While the file is being written, the previous state still applies.
    const text = fs!.existsSync(file) ? fs!.readFileSync(file, 'utf8') : ''
    if (text.endsWith('}')) state = JSON.parse(text) as State
  }
  return state ?? { broken: 0 }
}

export function broken(id: number): boolean {
  if (!fs) {
    if (!noted.has(String(id))) console.debug(`reached ${id}`)
    noted.add(String(id))
    return page.formworkBreak === id
  }
  const { broken: now, reached } = current()
  const file = process!.env.REACHED ?? reached
  const key = `${file} ${id}`
  if (file && !noted.has(key)) fs.appendFileSync(file, `${id}\n`)
  noted.add(key)
  return now === id
}
