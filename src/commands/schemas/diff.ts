import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { compile } from '../../../engine/schema/compile.ts'
import { diffCatalogs } from '../../../engine/schema/tools/diff.ts'
import { differenceGroups, type Difference } from '../../../engine/schema/tools/difference.ts'
import { printIssue } from '../../../engine/schema/issues/issue.ts'
import type { Catalog } from '../../../engine/model/model.ts'
import { canonicalType, conversion } from '../../../engine/server/postgres/columnTypes.ts'
import type { DataDifference } from '../../../engine/server/dataDiff/DataDifference.ts'
import { cachedCatalog } from '../../cachedCatalog.ts'
import { lists } from '../../lists.ts'
import { directoryOf, sourcesIn, type Command } from './command.ts'
import { requireDatabase, withDatabase } from './database.ts'
import { sourcesAt } from './sourcesAt.ts'
import type { SourceText } from '../../../engine/schema/reading/SourceFile.ts'

const kept = path.resolve(import.meta.dirname, '../../../node_modules/.cache/formwork')

export const command: Command = {
  usage: `  diff <git-ref> [--json]         what the files change since then: screens, columns, validators, endpoints, permissions, tables
        [--data] [--schemas dir]  and what that means for the records, views, roles and imports in the database of DATABASE_URL or DATA_DIR`,
  options: { json: { type: 'boolean' }, data: { type: 'boolean' }, schemas: { type: 'string' } },
  async run([reference], { json, data, schemas }) {
    if (reference === undefined)
      throw new Error('Say since when: a commit, a branch or a tag (npm run schemas -- diff main).')
    if (data) await requireDatabase()
    const directory = directoryOf(schemas)
    const before = catalogOf(sourcesAt(reference, directory), `The schema files of ${reference}`, 'before')
    const after = catalogOf(sourcesIn(directory), 'The schema files', 'after')
    const differences = diffCatalogs(before, after, lists.widgets, loses)
    const found = data ? await inDatabase(before, after) : undefined
    console.log(
      json
        ? JSON.stringify({ differences, ...(found && { data: found }) }, null, 2)
        : [printed(differences), ...(found ? [printedData(found)] : [])].join('\n\n'),
    )
    return 0
  },
}

/**
 * Usually the same as a moment ago, so the last catalog of either side is cached.
 * @throws if the files have issues, because broken ones cannot be compared.
 */
function catalogOf(sources: readonly SourceText[], what: string, side: 'before' | 'after'): Catalog {
  mkdirSync(kept, { recursive: true })
  // Uses of procedures come from today's code, even for earlier files.
  const { uses } = side === 'after' ? lists : {}
  const { catalog, issues } = cachedCatalog(
    sources,
    () => compile(sources, { ...lists, uses }),
    kept,
    () => undefined,
    `diff-${side}`,
  )
  if (!catalog)
    throw new Error(
      [
        ...issues.slice(0, 5).map(printIssue),
        `${what} have ${issues.length} issue(s), so nothing can be compared.`,
      ].join('\n\n'),
    )
  return catalog
}

const loses = (from: string, to: string) =>
  canonicalType(from) !== canonicalType(to) && conversion('"value"', from, to).loses !== undefined

const inDatabase = (before: Catalog, after: Catalog): Promise<DataDifference[]> =>
  withDatabase(async (database, dataDir) => {
    const { diffData } = await import('../../../engine/server/dataDiff.ts')
    const { createClock } = await import('../../../engine/server/clock.ts')
    return diffData({
      database,
      before,
      after,
      widgets: lists.widgets as Parameters<typeof diffData>[0]['widgets'],
      clock: createClock(process.env.BUSINESS_DATE || undefined),
      dataDir,
    })
  })

const signs: Record<Difference['change'], string> = {
  added: '+',
  removed: '-',
  renamed: '→',
  changed: '~',
  stricter: '!',
  looser: '·',
  lossy: '!!',
}

function printed(differences: readonly Difference[]): string {
  if (!differences.length) return 'Nothing that anybody would notice has changed.'
  return differenceGroups
    .flatMap((group) => {
      const own = differences.filter((difference) => difference.group === group)
      return own.length
        ? [
            [
              group[0].toUpperCase() + group.slice(1),
              ...own.map(({ change, of, text }) => `  ${signs[change].padEnd(2)} ${change.padEnd(8)} ${of}: ${text}`),
            ].join('\n'),
          ]
        : []
    })
    .join('\n\n')
}

const printedData = (found: readonly DataDifference[]) =>
  [
    'In the database',
    ...found.map(({ kind, of, count, text }) => `  ${kind.padEnd(8)} ${of}: ${count}, ${text}`),
    ...(found.length ? [] : ['  nothing is touched']),
  ].join('\n')
