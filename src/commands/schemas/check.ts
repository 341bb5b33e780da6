import { writeFileSync } from 'node:fs'
import { schemaFile } from '../../../engine/server/catalog/sources.ts'
import type { IndexFinding } from '../../../engine/server/catalog/indexFindings.ts'
import { directoryOf, sourcesIn, type Command } from './command.ts'
import { requireDatabase, withDatabase } from './database.ts'
import { verdictOn, type Verdict } from './verdicts.ts'
import type { SourceText } from '../../../engine/schema/reading/SourceFile.ts'

export const command: Command = {
  usage: `  check [directory] [--json]      reports all issues in the schema files (default: SCHEMAS_DIR, else ./schemas)
        [--fix] [--watch]         corrects mistakes with one right answer; checks again after each save
        [--strict]                fails on warnings, too: what is legal but probably a mistake
        [--data]                  reports indexes that the database of DATABASE_URL or DATA_DIR lacks or does not use, and lists sorted without one`,
  options: {
    json: { type: 'boolean' },
    fix: { type: 'boolean' },
    watch: { type: 'boolean' },
    strict: { type: 'boolean' },
    data: { type: 'boolean' },
  },
  async run([named], options) {
    const directory = directoryOf(named)
    const [json, fix] = [options.json === true, options.fix === true]
    const print = (text: string, milliseconds: number) =>
      console.log(json ? text : `${text} (${(milliseconds / 1000).toFixed(2)} s)`)
    if (options.data && (options.watch || fix)) throw new Error('--data goes with neither --watch nor --fix.')
    if (options.data) await requireDatabase()
    if (options.watch) {
      await watch(directory, json, fix, print)
      // Ending a watch is not a failure: its output has shown the issues.
      return 0
    }
    const started = performance.now()
    const sources = sourcesIn(directory)
    // The compiler is only loaded if there is something to compile.
    const { text, issues, warnings } = fix
      ? written(directory, sources, (await import('./checkFiles.ts')).fixFiles(sources, json))
      : await verdictOn(sources, json ? 'json' : 'text', async () =>
          (await import('./checkFiles.ts')).checkFiles(sources, json),
        )
    // Files with issues have no catalog to compare the database with.
    const found = options.data && issues === 0 ? await inDatabase(sources) : undefined
    print(found ? withFindings(text, found, json) : text, performance.now() - started)
    return issues > 0 || (options.strict === true && warnings + (found?.length ?? 0) > 0) ? 1 : 0
  },
}

const inDatabase = (sources: readonly SourceText[]): Promise<IndexFinding[]> =>
  withDatabase(async (database) => {
    const { compile } = await import('../../../engine/schema/compile.ts')
    const { indexFindings } = await import('../../../engine/server/catalog/indexFindings.ts')
    const { lists } = await import('../../lists.ts')
    return indexFindings(database, compile(sources, lists).catalog!)
  })

function withFindings(text: string, found: readonly IndexFinding[], json: boolean): string {
  if (json) return JSON.stringify({ ...(JSON.parse(text) as object), data: found }, null, 2)
  const lines = found.flatMap(({ kind, table, text: what, remedy }) => [
    `  ${kind.padEnd(8)} ${table}: ${what}`,
    `           ${remedy}`,
  ])
  return ['In the database', ...(lines.length ? lines : ['  every index is there and used']), '', text].join('\n')
}

async function watch(
  directory: string,
  json: boolean,
  fix: boolean,
  print: (text: string, milliseconds: number) => void,
): Promise<void> {
  const { checkFiles, fixFiles } = await import('./checkFiles.ts')
  const { watchSchemas } = await import('./watch.ts')
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort())
  const look = () => {
    const sources = sourcesIn(directory)
    return fix ? written(directory, sources, fixFiles(sources, json)).text : checkFiles(sources, json).text
  }
  await watchSchemas(directory, look, print, interruption.signal)
}

/** Writes fixed files. */
function written(
  directory: string,
  given: readonly SourceText[],
  { sources, ...verdict }: Verdict & { sources: readonly SourceText[] },
): Verdict {
  for (const [index, { path, text }] of sources.entries())
    if (text !== given[index].text) writeFileSync(schemaFile(path, directory), text)
  return verdict
}
