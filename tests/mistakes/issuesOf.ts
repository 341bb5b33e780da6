import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { kinds } from '../../engine/screens/index.ts'
import { compileWithWarnings } from '../../engine/schema/compile.ts'
import type { ProcedureUses } from '../../engine/schema/named.ts'
import { widgets } from '../../engine/widgets/index.ts'

const filesOf = (code: string) =>
  readdirSync(join(import.meta.dirname, code), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.json'))
    .map((path): [string, string] => [path.replaceAll('\\', '/'), readFileSync(join(import.meta.dirname, code, path), 'utf8')])

/** A correct tree with an import and a report. */
const base = new Map([...filesOf('sound'), ...filesOf('unknown-measure'), ...filesOf('missing-column')])
edit(base, 'order.report', '"totl"', '"total"')
edit(base, 'order.report', '"-order"', '"-total"')
edit(base, 'customer.imports', '["code"]\n', '["code", { "field": "name", "sample": "示例" }]\n')

/** One text of one file changed, or the file moved to `to` or, without it, removed. */
export type Edit = [file: string, from: string, to: string] | [file: string, to?: string]

function edit(tree: Map<string, string>, ...[name, from, to]: Edit): void {
  const path = [...tree.keys()].find((key) => key.endsWith(`/${name}.json`))!
  const text = tree.get(path)!
  if (to !== undefined) {
    if (!text.includes(from!)) throw new Error(`${name} has no ${from}`)
    tree.set(path, text.replace(from!, () => to))
    return
  }
  tree.delete(path)
  if (from !== undefined) tree.set(`schemas/${from}.json`, text)
}

/** Everything reported about a correct tree after these edits: file and line, and the sentence. */
export function issuesOf(edits: readonly Edit[], uses: ProcedureUses = {}, added: Record<string, string> = {}): string[] {
  const tree = new Map(base)
  for (const [name, text] of Object.entries(added)) tree.set(`schemas/${name}.json`, text)
  for (const each of edits) edit(tree, ...each)
  const sources = [...tree].map(([path, text]) => ({ path, text }))
  const procedures = ['importWrite', 'importCancel', 'importUndo', 'importStopUndo', 'importFix']
  const { issues, warnings } = compileWithWarnings(sources, { widgets, kinds, procedures: [...procedures, ...Object.keys(uses)], uses })
  return [...issues, ...warnings].map(({ file, line, message }) => `${file.split('/').at(-1)}:${line} ${message}`)
}
