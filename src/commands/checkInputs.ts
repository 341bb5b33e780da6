import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Every line that may name another module. */
const namesModule = /\b(import|from|require|mock)\b|['"`]\.{1,2}\//

/** What the contents of these files hash to. */
export const contentsOf = (files: readonly string[]): string => hashOf(files, (text) => text)

/** What the imports of these files hash to, whatever else is in them. */
export const importsOf = (files: readonly string[]): string =>
  hashOf(files, (text) =>
    text
      .split('\n')
      .filter((line) => namesModule.test(line))
      .join('\n'),
  )

function hashOf(files: readonly string[], partOf: (text: string) => string): string {
  const hash = createHash('sha256')
  for (const file of files.toSorted()) hash.update(`${file}\0${partOf(readFileSync(file, 'utf8'))}\0`)
  return hash.digest('hex')
}

/** The number that a step printed when it passed with these inputs; undefined if it did not, or was never run. */
export function countPassedWith(kept: string, inputs: string): number | undefined {
  if (!existsSync(kept)) return undefined
  const [last, count] = readFileSync(kept, 'utf8').split(' ')
  return last === inputs ? Number(count) : undefined
}

export function keepPassed(kept: string, inputs: string, count: number): void {
  mkdirSync(path.dirname(kept), { recursive: true })
  writeFileSync(kept, `${inputs} ${count}`)
}
