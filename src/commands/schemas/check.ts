import { writeFileSync } from 'node:fs'
import type { SourceText } from '../../../engine/schema/read.ts'
import { schemaFile } from '../../../engine/server/sources.ts'
import { directoryOf, sourcesIn, type Command } from './command.ts'
import { verdictOn, type Verdict } from './verdicts.ts'

export const command: Command = {
  usage: `  check [directory] [--json]      tells everything that is wrong with the schema files (default: SCHEMAS_DIR, else ./schemas)
        [--fix] [--watch]         mends what has one right answer; goes on checking until it is interrupted
        [--strict]                fails where something is only suspicious, too`,
  options: {
    json: { type: 'boolean' },
    fix: { type: 'boolean' },
    watch: { type: 'boolean' },
    strict: { type: 'boolean' },
  },
  async run([named], options) {
    const directory = directoryOf(named)
    const [json, fix] = [options.json === true, options.fix === true]
    const print = (text: string, milliseconds: number) =>
      console.log(json ? text : `${text} (${(milliseconds / 1000).toFixed(2)} s)`)
    if (options.watch) {
      await watch(directory, json, fix, print)
      // Ending a watch is no failure: its output has shown the issues.
      return 0
    }
    const started = performance.now()
    const sources = sourcesIn(directory)
    // The compiler is read only where it has something to say.
    const { text, issues, warnings } = fix
      ? written(directory, sources, (await import('./checkFiles.ts')).mendFiles(sources, json))
      : await verdictOn(sources, json ? 'json' : 'text', async () =>
          (await import('./checkFiles.ts')).checkFiles(sources, json),
        )
    print(text, performance.now() - started)
    return issues > 0 || (options.strict === true && warnings > 0) ? 1 : 0
  },
}

async function watch(
  directory: string,
  json: boolean,
  fix: boolean,
  print: (text: string, milliseconds: number) => void,
): Promise<void> {
  const { checkFiles, mendFiles } = await import('./checkFiles.ts')
  const { watchSchemas } = await import('./watch.ts')
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort())
  const look = () => {
    const sources = sourcesIn(directory)
    return fix ? written(directory, sources, mendFiles(sources, json)).text : checkFiles(sources, json).text
  }
  await watchSchemas(directory, look, print, interruption.signal)
}

/** What was mended, in its files. */
function written(
  directory: string,
  given: readonly SourceText[],
  { sources, ...verdict }: Verdict & { sources: readonly SourceText[] },
): Verdict {
  for (const [index, { path, text }] of sources.entries())
    if (text !== given[index].text) writeFileSync(schemaFile(path, directory), text)
  return verdict
}
