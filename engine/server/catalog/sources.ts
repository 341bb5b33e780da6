/** The only reader of schemas/. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative, resolve, sep } from 'node:path'
import type { SourceText } from '../../schema/reading/SourceFile.ts'

/** The folder of the schema files: `SCHEMAS_DIR`, else ./schemas. */
export const schemasDirectory = (): string => resolve(process.env.SCHEMAS_DIR ?? 'schemas')

/** An unedited file keeps its object identity, which the compiler relies on. */
const read = new Map<string, SourceText>()
function asBefore(file: string, source: SourceText): SourceText {
  const before = read.get(file)
  if (before && before.path === source.path && before.text === source.text) return before
  read.set(file, source)
  return source
}

function prefixOf(directory: string): string {
  const inside = relative(process.cwd(), directory)
  return inside && !inside.startsWith('..') && inside !== directory ? inside : basename(directory)
}

/** The path on disk of a file that `readSchemas` has read, or of one that it would read. */
export const schemaFile = (path: string, directory = schemasDirectory()): string =>
  join(directory, relative(prefixOf(directory), path))

/** The path that `readSchemas` gives a file at this place below the directory: `customer/customer.list.json`. */
export const schemaPath = (below: string, directory = schemasDirectory()): string =>
  join(prefixOf(directory), below).split(sep).join('/')

/**
 * Every .json file below the directory, in a stable order. Paths are as users would type them: relative to the working
 * directory if the files are below it, else starting with the directory's own name. Throws if the directory cannot be
 * read.
 */
export function readSchemas(directory = schemasDirectory()): SourceText[] {
  const prefix = prefixOf(directory)
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) =>
      asBefore(path, {
        path: join(prefix, relative(directory, path)).split(sep).join('/'),
        text: readFileSync(path, 'utf8'),
      }),
    )
}
