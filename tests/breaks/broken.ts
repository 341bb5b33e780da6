/**
 * What woven sources ask at each place: is it the one that is broken in this run? It also notes that the place was
 * reached, in a file of the running test (REACHED), or, in a page, on its console.
 */
const { process } = globalThis as { process?: NodeJS.Process }
const fs = process?.getBuiltinModule?.('node:fs')
const page = globalThis as { formworkBreak?: number }
const noted = new Set<string>()

export function broken(id: number): boolean {
  const file = process?.env?.REACHED
  const key = `${file} ${id}`
  if (!noted.has(key)) {
    noted.add(key)
    if (file) fs?.appendFileSync(file, `${id}\n`)
    else if (!fs) console.debug(`reached ${id}`)
  }
  return (fs ? Number(process?.env.BREAK) : page.formworkBreak) === id
}
