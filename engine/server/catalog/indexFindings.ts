import { sql } from 'kysely'
import type { Catalog, Entity, ScreenPlan, TablePlan } from '../../model/model.ts'
import type { Database } from '../postgres/database.ts'
import { ownIndexes } from '../postgres/planIndexes.ts'
import { planChanges } from '../postgres/tables.ts'

/** An index problem that slows down work, and its remedy. */
export interface IndexFinding {
  kind: 'missing' | 'unused' | 'sort'
  table: string
  text: string
  remedy: string
}

/** From this many records on, a full scan is noticeable. */
const manyRecords = 100_000

/**
 * Indexes that the catalog needs but the database lacks, indexes that are unused, and sort columns of lists without an
 * index. Read-only.
 */
export async function indexFindings(
  database: Database,
  { tables, entities, screens }: Pick<Catalog, 'tables' | 'entities' | 'screens'>,
  many = manyRecords,
): Promise<IndexFinding[]> {
  const counted = await recordsOf(database)
  const large = (table: string) => (counted.get(table) ?? 0) >= many
  const { additive, later } = await planChanges(database, tables)
  const missing = [...additive, ...later.map(({ statement }) => statement)].flatMap((statement): IndexFinding[] => {
    const [, name, table] = /^create (?:unique )?index "([^"]+)" on "([^"]+)"/.exec(statement) ?? []
    if (name === undefined || !counted.has(table)) return []
    const concurrent = statement.replace(/^create (unique )?index/, 'create $1index concurrently')
    return [
      {
        kind: 'missing',
        table,
        text: name,
        remedy: `the next start builds it; without one: drop index concurrently if exists "${name}"; ${concurrent};`,
      },
    ]
  })
  return [
    ...missing,
    ...(await unusedOf(database, (table) => Object.hasOwn(tables, table) && large(table))),
    ...Object.values(screens)
      .filter(({ kind, entity, route }) => kind === 'list' && route !== undefined && large(entity ?? ''))
      .flatMap((screen) => {
        const entity = entities[screen.entity!]
        return sortsOf(screen, entity, tables[entity.name], counted.get(entity.name)!)
      }),
  ]
}

/** Table → its approximate number of records. */
async function recordsOf({ kysely }: Database): Promise<Map<string, number>> {
  const { rows } = await sql<{ name: string; records: number }>`
    select c.relname as name, (case when c.reltuples < 0 then coalesce(s.n_live_tup, 0) else c.reltuples end)::float8 as records
    from pg_class c left join pg_stat_user_tables s on s.relid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`.execute(kysely)
  return new Map(rows.map(({ name, records }) => [name, records]))
}

async function unusedOf({ kysely }: Database, concerns: (table: string) => boolean): Promise<IndexFinding[]> {
  const { rows } = await sql<{ name: string; size: string; since: string | null }>`
    select i.indexrelname as name, pg_size_pretty(pg_relation_size(i.indexrelid)) as size, d.stats_reset::date::text as since
    from pg_stat_user_indexes i join pg_stat_database d on d.datname = current_database()
    where i.schemaname = 'public' and i.idx_scan = 0`.execute(kysely)
  const idle = new Map(rows.map((row) => [row.name, row]))
  // A unique index enforces uniqueness, whether it is used or not.
  return (await ownIndexes(kysely))
    .filter(({ table, name, unique }) => !unique && concerns(table) && idle.has(name))
    .map(({ table, name, columns }): IndexFinding => {
      const { size, since } = idle.get(name)!
      return {
        kind: 'unused',
        table,
        text: `${name}, ${size}, was not used since ${since ?? 'its statistics began'}`,
        remedy: `it goes when no file sorts, filters, searches or refers by ${columns.join(', ')}, nor declares it in "indexes"`,
      }
    })
}

/** The columns that a list may be sorted by without an index for their order. */
function sortsOf(screen: ScreenPlan, entity: Entity, table: TablePlan, records: number): IndexFinding[] {
  const { columns } = screen.body as { columns: { field: string; sort: boolean }[] }
  const served = table.indexes
    .filter(({ method }) => method !== 'trigram' && method !== 'gin')
    .map(({ columns: [first] }) => first)
  // Names, choices and formatted texts have their own order, which no index holds.
  const plain = table.columns
    .filter(({ type, references }) => !/^text|json|\[\]$/.test(type) && references === undefined)
    .map(({ name }) => name)
  const slow = columns.filter(({ field, sort }) => sort && plain.includes(field) && !served.includes(field))
  if (slow.length === 0) return []
  const names = slow.map(({ field }) => field)
  return [
    {
      kind: 'sort',
      table: entity.name,
      text: `${screen.route} sorts all ${Math.round(records)} records by ${names.join(', ')}`,
      remedy: `"indexes": [${names.map((name) => `["${name}"]`).join(', ')}] in ${entity.file}, or "sort": false in ${screen.file}`,
    },
  ]
}
