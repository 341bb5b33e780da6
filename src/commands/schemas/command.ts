import { resolve } from 'node:path'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { readSchemas, schemasDirectory } from '../../../engine/server/catalog/sources.ts'
import type { SourceText } from '../../../engine/schema/reading/SourceFile.ts'

/** What stood behind the options, as parseArgs reads it. */
export type Options = Record<string, string | boolean | (string | boolean)[] | undefined>

export interface Command {
  /** Its lines of the usage. */
  usage: string
  /** `any`: it knows its options only when it runs, each with a value. */
  options: NonNullable<ParseArgsConfig['options']> | 'any'
  /** What `--help` says beyond the usage. @throws as `run` does. */
  help?(parameters: string[], options: Options): string
  /** @returns 0 clean, 1 issues or refused, 2 could not run. @throws with a sentence for the caller. */
  run(parameters: string[], options: Options): number | Promise<number>
}

/** The folder that was named, else SCHEMAS_DIR, else ./schemas. */
export const directoryOf = (named: unknown): string => (typeof named === 'string' ? resolve(named) : schemasDirectory())

/** @throws where there is nothing to read. */
export function sourcesIn(directory: string): SourceText[] {
  const sources = readSchemas(directory)
  if (!sources.length) throw new Error(`There is no schema file in ${directory}.`)
  return sources
}

/** What stands behind a command. @throws where an option is unknown, or lacks its value. */
export function parse(args: string[], options: Command['options']): { parameters: string[]; values: Options } {
  if (options !== 'any') {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options })
    return { parameters: positionals, values }
  }
  // Each that occurs takes a value: so it is declared.
  const names = args.flatMap((arg) => /^--([a-zA-Z][\w-]*)/.exec(arg)?.[1] ?? [])
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
  })
  return { parameters: positionals, values }
}
