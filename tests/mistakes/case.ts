import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { kinds } from '../../engine/screens/index.ts'
import { compileWithWarnings } from '../../engine/schema/compile.ts'
import { printIssue } from '../../engine/schema/issues/issue.ts'
import { widgets } from '../../engine/widgets/index.ts'
import type { SourceText } from '../../engine/schema/reading/SourceFile.ts'

const folder = import.meta.dirname

/** The cases: one folder for each code. `sound` is the correct tree, of which each case changes a file or two. */
export const codes = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'sound').map(({ name }) => name)

const procedures = ['closeMonth', 'tallyTotals', 'sendParcels', 'importWrite', 'importCancel', 'importUndo', 'importStopUndo', 'importFix']
const uses = { tallyTotals: { order: ['total', 'paidOn'] }, sendParcels: { parcel: ['order'] } }

const reads = {
  user: { fields: { name: 'string', department: 'map' }, required: true },
  department: { fields: { name: 'string' }, required: false },
}

/** What an analyst reads about a case. A file of the case replaces that of the sound tree; an empty one removes it. */
export function printed(code: string): string {
  const files = new Map([...filesOf('sound'), ...filesOf(code)])
  const sources = [...files].filter(([, text]) => text !== '').map(([path, text]): SourceText => ({ path, text }))
  const { issues, warnings } = compileWithWarnings(sources, { widgets, kinds, procedures, uses, reads, sends: ['monthClosed'] })
  return [...issues, ...warnings].map((issue) => `${printIssue(issue)}\n`).join('\n')
}

const filesOf = (code: string) =>
  readdirSync(join(folder, code), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.json')).sort()
    .map((path): [string, string] => [path.replaceAll('\\', '/'), readFileSync(join(folder, code, path), 'utf8')])
