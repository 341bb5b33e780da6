/** Adapts the tables to the catalog, without ever losing a value. */
import { sql, type Kysely } from 'kysely'
import type { TablePlan } from '../../model/model.ts'
import { isSameJson } from '../../schema/isSameJson.ts'
import type { Database } from './database.ts'
import { planUniqueItems, uniqueItemTable } from './uniqueItems.ts'
import type { Tables } from '../db.ts'
import { steps, notUnique, type LaterIndex, type LossyChange, type TableDraft, type Before } from './TableDraft.ts'
import { changeTables } from './changeTables.ts'
import { readActual } from './actualTables.ts'
import { planColumns, createTable } from './planColumns.ts'
import { planIndexes } from './planIndexes.ts'
import { alterStatements, planReferences, referencesOf, dropReference } from './planReferences.ts'

export interface TableChanges {
  /** Statements that lose nothing, in order. */
  additive: string[]
  /** Indexes of tables with many rows: built while works go on, after the other changes. */
  later: LaterIndex[]
  lossy: LossyChange[]
  /** `table` or `table.column`: no longer in the catalog, but not dropped. */
  orphans: string[]
  /** Sentences on constraints that the database cannot enforce yet. */
  notes: string[]
}

/** Nothing was changed. */
export class LossyChangesError extends Error {
  readonly changes: LossyChange[]
  constructor(changes: LossyChange[]) {
    super(
      [
        'The schema files want changes of the database that would lose data, so none was made. Undo them, or run this SQL first:',
        ...changes.map(
          ({ table, column, why, rows, sql }) => `  ${table}.${column}: ${why} (records: ${rows})\n    ${sql};`,
        ),
      ].join('\n'),
    )
    this.name = 'LossyChangesError'
    this.changes = changes
  }
}

/** The changes that the tables need. Read-only. */
export const planChanges = (database: Database, tables: Record<string, TablePlan>): Promise<TableChanges> =>
  plan(database.kysely, tables, database.trigram)

/** @throws LossyChangesError. Safe if several servers do it at the same time. */
export const applyTables = (
  database: Database,
  tables: Record<string, TablePlan>,
): Promise<Omit<TableChanges, 'lossy'>> =>
  changeTables(database, (transaction) => applyWithin(transaction, database, tables))

/**
 * Call within `changeTables`.
 * @param adapted what the database has been adapted to: tables that are equal there are left alone
 * @throws LossyChangesError.
 */
export async function applyWithin(
  transaction: Kysely<Tables>,
  { trigram }: Database,
  tables: Record<string, TablePlan>,
  adapted: Record<string, TablePlan> = {},
): Promise<Omit<TableChanges, 'lossy'>> {
  const { lossy, ...changes } = await plan(transaction, tables, trigram, adapted)
  if (lossy.length) throw new LossyChangesError(lossy)
  if (changes.additive.length > 0) await sql.raw(changes.additive.join(';\n')).execute(transaction)
  return changes
}

async function plan(
  kysely: Kysely<Tables>,
  all: Record<string, TablePlan>,
  trigram: boolean,
  adapted: Record<string, TablePlan> = {},
): Promise<TableChanges> {
  const tables = Object.fromEntries(Object.entries(all).filter(([, { view }]) => !view))
  const same = Object.keys(tables).filter((name) => isSameJson(tables[name], adapted[name]))
  const changed = Object.values(tables).filter(({ name }) => !same.includes(name))
  const draft: TableDraft = {
    actual: await readActual(kysely, same),
    statements: { create: [], rename: [], drop: [], column: [], index: [], reference: [], items: [] },
    references: { dropped: new Map(), added: new Map() },
    lossy: [],
    orphans: [],
    later: [],
    notes: [],
    trigram,
    count: counter(kysely),
  }
  for (const table of changed) {
    const before = draft.actual.tables.has(table.name) ? await planColumns(draft, table) : createTable(draft, table)
    await planIndexes(draft, table, before)
    await planReferences(draft, table, before)
    await planItems(kysely, draft, table, before)
  }
  for (const name of draft.actual.tables) {
    if (name in tables || name.startsWith('system_')) continue
    draft.orphans.push(name)
    // Its target can still be removed.
    for (const { reference, own } of referencesOf(draft, name)) if (own) dropReference(draft, reference)
  }
  const { statements, references, later, lossy, orphans, notes } = draft
  statements.drop.push(...alterStatements(references.dropped))
  statements.reference.push(...alterStatements(references.added))
  return { additive: steps.flatMap((step) => statements[step]), later, lossy, orphans: orphans.sort(), notes }
}

/** Requests made at the same time are counted by one query. */
function counter(kysely: Kysely<Tables>): TableDraft['count'] {
  let waiting: { from: string; resolve(count: number): void; reject(error: unknown): void }[] = []
  async function run() {
    const batch = waiting
    waiting = []
    const counts = batch.map(({ from }, index) => `(select count(*) from ${from}) as "${index}"`)
    try {
      const { rows } = await sql<Record<string, string>>`select ${sql.raw(counts.join(', '))}`.execute(kysely)
      batch.forEach(({ resolve }, index) => resolve(Number(rows[0][index])))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
  return (from) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ from, resolve, reject }) === 1) queueMicrotask(() => void run())
    })
}

async function planItems(
  kysely: Kysely<Tables>,
  { actual, statements, lossy }: TableDraft,
  table: TablePlan,
  before: Before,
): Promise<void> {
  const existing = actual.columns.get(table.name)
  const columns = new Map(
    [...before].flatMap(([name, old]) => (existing?.has(old) ? [[name, existing.get(old)!] as const] : [])),
  )
  const changes = await planUniqueItems(kysely, table, columns, actual.tables.has(uniqueItemTable))
  for (const statement of changes.create) if (!statements.create.includes(statement)) statements.create.push(statement)
  statements.items.push(...changes.fill)
  lossy.push(...changes.lossy.map((each) => ({ ...each, table: table.name, why: notUnique })))
}
