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
import { planReferences, referencesOf, dropReference } from './planReferences.ts'

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
  for (const statement of changes.additive) await sql.raw(statement).execute(transaction)
  return changes
}

async function plan(
  kysely: Kysely<Tables>,
  all: Record<string, TablePlan>,
  trigram: boolean,
  adapted: Record<string, TablePlan> = {},
): Promise<TableChanges> {
  const tables = Object.fromEntries(Object.entries(all).filter(([, { view }]) => !view))
  const draft: TableDraft = {
    actual: await readActual(kysely),
    statements: { create: [], rename: [], drop: [], column: [], index: [], reference: [], items: [] },
    lossy: [],
    orphans: [],
    later: [],
    notes: [],
    trigram,
    count: async (from) =>
      Number((await sql<{ n: number }>`select count(*) as n from ${sql.raw(from)}`.execute(kysely)).rows[0].n),
  }
  for (const table of Object.values(tables)) {
    if (isSameJson(table, adapted[table.name])) continue
    const before = draft.actual.columns.has(table.name) ? await planColumns(draft, table) : createTable(draft, table)
    await planIndexes(draft, table, before)
    await planReferences(draft, table, before)
    await planItems(kysely, draft, table, before)
  }
  for (const name of draft.actual.columns.keys()) {
    if (name in tables || name.startsWith('system_')) continue
    draft.orphans.push(name)
    // Its target can still be removed.
    for (const { reference, own } of referencesOf(draft, name)) if (own) dropReference(draft, reference)
  }
  const { statements, later, lossy, orphans, notes } = draft
  return { additive: steps.flatMap((step) => statements[step]), later, lossy, orphans: orphans.sort(), notes }
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
  const changes = await planUniqueItems(kysely, table, columns, actual.columns.has(uniqueItemTable))
  for (const statement of changes.create) if (!statements.create.includes(statement)) statements.create.push(statement)
  statements.items.push(...changes.fill)
  lossy.push(...changes.lossy.map((one) => ({ ...one, table: table.name, why: notUnique })))
}
