import { resolve } from 'node:path'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { readSchemas, schemasDirectory } from '../../../engine/server/catalog/sources.ts'
import type { SourceText } from '../../../engine/schema/reading/SourceFile.ts'

/** The options, as parseArgs reads them. */
export type Options = Record<string, string | boolean | (string | boolean)[] | undefined>

export interface Command {
  /** Its lines of the usage. */
  usage: string
  /** `any`: its options are only known when it runs, each with a value. */
  options: NonNullable<ParseArgsConfig['options']> | 'any'
  /** What `--help` prints beyond the usage. @throws as `run` does. */
  help?(parameters: string[], options: Options): string
  /** @returns 0 clean, 1 issues or refused, 2 could not run. @throws with a sentence for the caller. */
  run(parameters: string[], options: Options): number | Promise<number>
}

/** The given folder, else SCHEMAS_DIR, else ./schemas. */
export const directoryOf = (named: unknown): string => (typeof named === 'string' ? resolve(named) : schemasDirectory())

/** @throws if there is nothing to read. */
export function sourcesIn(directory: string): SourceText[] {
  const sources = readSchemas(directory)
  if (!sources.length) throw new Error(`There is no schema file in ${directory}.`)
  return sources
}

/** Parses a command's arguments. @throws if an option is unknown, or lacks its value. */
export function parse(args: string[], options: Command['options']): { parameters: string[]; values: Options } {
  if (options !== 'any') {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options })
    return { parameters: positionals, values }
  }
  // Every option that occurs is declared as taking a value.
  const names = args.flatMap((arg) => /^--([a-zA-Z][\w-]*)/.exec(arg)?.[1] ?? [])
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
  })
  return { parameters: positionals, values }
}
