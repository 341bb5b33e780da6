import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { SourceText } from '../../../engine/schema/reading/SourceFile.ts'

/** The output of `check` for a set of files, with the number of issues and warnings. */
export interface Verdict {
  text: string
  issues: number
  warnings: number
}

const root = path.resolve(import.meta.dirname, '../../..')
/** Everything that compiled files depend on besides themselves: the compiler with the widgets and screen kinds. */
export const compiler = [
  'engine/expression',
  'engine/model',
  'engine/schema',
  'engine/screens',
  'engine/widgets',
  'src/lists.ts',
  'src/procedures/names.ts',
  'src/procedures/procedureMessages.ts',
  'src/procedures/uses.json',
  'package-lock.json',
]
/** The same for the verdict, which the command prints. */
const deciding = [...compiler, 'src/commands/schemas']

/** Results of commands, identified by what they were computed from. */
export const cacheFolder = path.join(root, 'node_modules/.cache/formwork')

/** A hash of the contents of everything below these files and folders, in a stable order. */
export function versionOf(folder: string, names: readonly string[] = deciding): string {
  const hash = createHash('sha256').update(process.version)
  const add = (name: string) => hash.update(`\n${name}\n`).update(readFileSync(path.join(folder, name)))
  for (const name of names) {
    if (/\.\w+$/.test(name)) add(name)
    else {
      const below = readdirSync(path.join(folder, name), { recursive: true, encoding: 'utf8' })
      for (const file of below.filter((each) => each.endsWith('.ts') && !each.endsWith('.test.ts')).sort())
        add(path.join(name, file))
    }
  }
  return hash.digest('hex')
}

/**
 * The cached verdict on files that the same compiler has checked before, else the result of `decide`. Identified by
 * contents alone: a file that was edited, added, renamed or removed makes another set. If nothing can be cached,
 * everything is checked each time.
 */
export async function verdictOn(
  sources: readonly SourceText[],
  form: string,
  decide: () => Promise<Verdict>,
  folder = cacheFolder,
): Promise<Verdict> {
  let version: string
  try {
    version = versionOf(root)
  } catch {
    // A copy that lacks some of these files: its verdict may depend on anything.
    return decide()
  }
  const hash = createHash('sha256').update(`${version}\n${form}`)
  for (const { path: name, text } of sources) hash.update(`\n${name}\n${text.length}\n${text}`)
  const key = hash.digest('hex')
  const file = path.join(
    folder,
    `verdict-${createHash('sha256').update(`${process.cwd()}\n${form}\n${sources[0]?.path}`).digest('hex').slice(0, 16)}.json`,
  )
  try {
    const before = JSON.parse(readFileSync(file, 'utf8')) as { key: string; verdict: Verdict }
    if (before.key === key) return before.verdict
  } catch {
    /* It does not exist, or was cut off. */
  }
  const verdict = await decide()
  try {
    mkdirSync(folder, { recursive: true })
    const own = `${file}.${process.pid}`
    writeFileSync(own, JSON.stringify({ key, verdict }))
    renameSync(own, file)
  } catch {
    /* A read-only folder. */
  }
  return verdict
}
