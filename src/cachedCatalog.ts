import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Compiled } from '../engine/schema/compile.ts'
import { compiler, versionOf } from './commands/schemas/verdicts.ts'
import type { SourceText } from '../engine/schema/reading/SourceFile.ts'

const root = path.resolve(import.meta.dirname, '..')
/**
 * The cached catalog that the same compiler made from the same files, else the result of `compile`. It is stored beside
 * the built client, because compiling takes longer than all the rest of a start.
 */
export function cachedCatalog(
  sources: readonly SourceText[],
  compile: () => Compiled,
  folder = path.join(root, 'dist'),
  notKept = (reason: string) => console.warn(`Each start compiles the schema files again: ${reason}`),
  name = 'catalog',
): Compiled {
  if (!existsSync(folder)) return compile()
  const hash = createHash('sha256').update(versionOf(root, compiler))
  for (const { path: file, text } of sources) hash.update(`\n${file}\n${text.length}\n${text}`)
  const key = hash.digest('hex')
  const file = path.join(folder, `${name}.json`)
  try {
    const before = JSON.parse(readFileSync(file, 'utf8')) as { key: string; catalog: Compiled['catalog'] }
    if (before.key === key) return { catalog: before.catalog, issues: [] }
  } catch {
    /* It does not exist, or was cut off. */
  }
  const compiled = compile()
  if (!compiled.catalog) return compiled
  try {
    const own = `${file}.${process.pid}`
    writeFileSync(own, JSON.stringify({ key, catalog: compiled.catalog }))
    renameSync(own, file)
  } catch (error) {
    notKept((error as Error).message)
  }
  return compiled
}
