import { writeFileSync } from 'node:fs'
import { compile } from '../../../engine/schema/compile.ts'
import { markedLabels } from '../../../engine/schema/fix.ts'
import { printIssue, type Issue } from '../../../engine/schema/issue.ts'
import { mend, type Mended } from '../../../engine/schema/mend.ts'
import type { SourceText } from '../../../engine/schema/read.ts'
import { schemaFile } from '../../../engine/server/sources.ts'
import { lists } from '../../lists.ts'
import { directoryOf, sourcesIn, type Command } from './command.ts'
import { watchSchemas } from './watch.ts'

export const command: Command = {
  usage: `  check [directory] [--json]      tells everything that is wrong with the schema files (default: SCHEMAS_DIR, else ./schemas)
        [--fix] [--watch]         mends what has one right answer; goes on checking until it is interrupted`,
  options: { json: { type: 'boolean' }, fix: { type: 'boolean' }, watch: { type: 'boolean' } },
  async run([named], options) {
    const directory = directoryOf(named)
    let failed = false
    const check = () => {
      const { text, issues } = checked(directory, options.fix === true, options.json === true)
      failed = issues > 0
      return text
    }
    if (options.watch) {
      const interruption = new AbortController()
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort())
      await watchSchemas(directory, check, console.log, interruption.signal)
    } else console.log(check())
    // Whoever ends a watch has seen what is wrong.
    return failed && !options.watch ? 1 : 0
  },
}

const issuesOf = (sources: readonly SourceText[]) => compile(sources, lists).issues

function checked(directory: string, fix: boolean, json: boolean): { text: string; issues: number } {
  const given = sourcesIn(directory)
  const { sources, mended, issues } = fix ? mend(given, issuesOf) : { sources: given, mended: [], issues: issuesOf(given) }
  for (const [index, { path, text }] of sources.entries()) {
    if (text !== given[index].text) writeFileSync(schemaFile(path, directory), text)
  }
  const text = json ? JSON.stringify({ issues: issues.map(brief), ...(fix && { mended }) }, null, 2) : printed(issues, mended, sources)
  return { text, issues: issues.length }
}

const brief = ({ code, file, line, column, message, suggestion, fix }: Issue) =>
  ({ code, file, line, column, message, ...(suggestion !== undefined && { suggestion }), ...(fix && { fix }) })

function printed(issues: readonly Issue[], mended: readonly Mended[], sources: readonly SourceText[]): string {
  const fixable = issues.filter(({ fix }) => fix).length
  const marked = sources.reduce((sum, { text }) => sum + markedLabels(text), 0)
  const summary = [
    `${sources.length} files`, ...(mended.length ? [`${mended.length} mended`] : []),
    issues.length ? `${issues.length} issue${issues.length > 1 ? 's' : ''}${fixable ? ` (${fixable} can be mended by --fix)` : ''}` : 'no issue',
    ...(marked ? [`${marked} label${marked > 1 ? 's' : ''} marked "[…?] " for translation`] : []),
  ].join(', ')
  return [
    ...(mended.length ? [mended.map(({ file, line, code, what }) => `${file}:${line}  ${code}  ${what}`).join('\n')] : []),
    ...issues.map(printIssue), summary,
  ].join('\n\n')
}
