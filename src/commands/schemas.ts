/** The analyst's tool: `npm run schemas -- check [--json] [directory]`, and `docs`. Ends with 0 clean, 1 issues, 2 could not run. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { compile } from '../../engine/schema/compile.ts'
import { editorFiles } from '../../engine/schema/editor.ts'
import { printIssue, type Issue } from '../../engine/schema/issue.ts'
import type { SourceText } from '../../engine/schema/read.ts'
import { readSchemas, schemasDirectory } from '../../engine/server/sources.ts'
import { lists } from '../lists.ts'

const root = resolve(import.meta.dirname, '../..')

const usage = `npm run schemas -- <command>
  check [directory] [--json]   tells everything that is wrong with the schema files (default: SCHEMAS_DIR, else ./schemas)
  docs                         writes what editors complete schema files with`

const commands: Record<string, (parameters: string[], options: { json?: boolean }) => number> = {
  check([directory], { json }) {
    const sources = readSchemas(directory === undefined ? schemasDirectory() : resolve(directory))
    if (!sources.length) throw new Error(`There is no schema file in ${directory ?? schemasDirectory()}.`)
    const { issues } = compile(sources, lists)
    console.log(json ? JSON.stringify({ issues: issues.map(brief) }, null, 2) : printed(issues, sources))
    return issues.length ? 1 : 0
  },
  docs() {
    const files = Object.entries(editorFiles(lists.widgets, lists.kinds))
    for (const [path, text] of files) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    console.log(`${files.length} files written`)
    return 0
  },
}

const brief = ({ code, file, line, column, message, suggestion }: Issue) =>
  ({ code, file, line, column, message, ...(suggestion !== undefined && { suggestion }) })

function printed(issues: readonly Issue[], sources: readonly SourceText[]): string {
  const seen = `${sources.length} files`
  if (!issues.length) return `${seen}, no issue`
  return [...issues.map(printIssue), `${seen}, ${issues.length} issue${issues.length > 1 ? 's' : ''}`].join('\n\n')
}

function run(): number {
  try {
    const { positionals: [command = 'check', ...parameters], values } =
      parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } })
    if (Object.hasOwn(commands, command)) return commands[command](parameters, values)
    console.error(`There is no command "${command}".\n${usage}`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
  }
  return 2
}

process.exitCode = run()
