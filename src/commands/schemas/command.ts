import { resolve } from 'node:path'
import type { ParseArgsConfig } from 'node:util'
import type { SourceText } from '../../../engine/schema/read.ts'
import { readSchemas, schemasDirectory } from '../../../engine/server/sources.ts'

/** What stood behind the options, as parseArgs reads it. */
export type Options = Record<string, string | boolean | (string | boolean)[] | undefined>

export interface Command {
  /** Its lines of the usage. */
  usage: string
  options: NonNullable<ParseArgsConfig['options']>
  /** @returns 0 clean, 1 issues or refused, 2 could not run. @throws with a sentence for whoever called it. */
  run(parameters: string[], options: Options): number | Promise<number>
}

/** The folder that was named, else SCHEMAS_DIR, else ./schemas. */
export const directoryOf = (named: unknown): string => typeof named === 'string' ? resolve(named) : schemasDirectory()

/** @throws where there is nothing to read. */
export function sourcesIn(directory: string): SourceText[] {
  const sources = readSchemas(directory)
  if (!sources.length) throw new Error(`There is no schema file in ${directory}.`)
  return sources
}
