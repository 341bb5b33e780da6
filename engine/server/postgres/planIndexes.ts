import type { Kysely } from 'kysely'
import type { TablePlan } from '../../model/model.ts'
import { quote } from './quote.ts'
import type { Tables } from '../db.ts'
import { renaming, notUnique, type TableDraft, type Before } from './TableDraft.ts'
import { constraintName, type ConstraintKind } from './constraintName.ts'
import { readActual, type ActualIndex } from './actualTables.ts'

const quoteAll = (names: string[]) => names.map(quote).join(', ')

/** Plans which indexes to create, and which of the engine's own to drop. */
export async function planIndexes(
  { actual, statements, later, lossy, trigram, count }: TableDraft,
  table: TablePlan,
  before: Before,
): Promise<void> {
  const t = quote(table.name)
  const wanted = new Map<string, { columns: string[]; kind: ConstraintKind }>()
  const want = (columns: string[], kind: ConstraintKind) =>
    wanted.set(constraintName(table.name, columns, kind), { columns, kind })
  for (const { columns, items } of table.unique) if (!items) want(columns, 'unique')
  // Covers a list in its default order, so that it is counted and read from the index alone.
  want(['id'], 'living')
  for (const { columns, method } of [...table.indexes, { columns: ['searchText'], method: 'trigram' as const }]) {
    if (method === 'ascending' || method === 'descending') want([...columns, 'id'], method)
    else if (method !== 'trigram' || trigram) want(columns, method === 'btree' ? 'index' : method)
  }
  for (const index of actual.indexes.filter((index) => index.table === table.name)) {
    const kind = kindOf(index)
    if (!isOwn(index)) continue
    const name = constraintName(table.name, index.columns.map(renaming(before)), kind)
    // Created by a version that allowed duplicates among records without a group: it is dropped and recreated more
    // strictly.
    if (kind === 'unique' && index.columns.length > 1 && !/ NULLS NOT DISTINCT/.test(index.definition))
      statements.drop.push(`drop index ${quote(index.name)}`)
    else if (!wanted.delete(name)) statements.drop.push(`drop index ${quote(index.name)}`)
    else if (name !== index.name) statements.rename.push(`alter index ${quote(index.name)} rename to ${quote(name)}`)
  }
  for (const [name, { columns, kind }] of wanted) {
    const statement = createIndex(name, t, columns, kind)
    // If one of the columns is new, there can be no duplicates.
    const rows =
      kind === 'unique' && columns.every((column) => before.has(column))
        ? await duplicates(
            count,
            t,
            columns.map((column) => before.get(column)!),
          )
        : 0
    if (rows) lossy.push({ table: table.name, column: columns.join(', '), why: notUnique, sql: statement, rows })
    else if (
      actual.large.has(table.name) &&
      kind !== 'unique' &&
      columns.every((column) => before.get(column) === column)
    )
      later.push({ name, statement })
    else statements.index.push(statement)
  }
}

/** An index that was created by hand has another name, and is left alone. */
const isOwn = (index: ActualIndex): boolean => index.name === constraintName(index.table, index.columns, kindOf(index))

/** The indexes that the engine created. */
export const ownIndexes = async (kysely: Kysely<Tables>): Promise<Omit<ActualIndex, 'definition'>[]> =>
  (await readActual(kysely)).indexes.filter(isOwn)

function createIndex(name: string, table: string, columns: string[], kind: ConstraintKind): string {
  const on = `index ${quote(name)} on ${table}`
  switch (kind) {
    case 'unique': {
      // Within a group, an empty group counts as one; an empty value itself may occur many times.
      const within =
        columns.length > 1 ? `nulls not distinct where ${quote(columns[columns.length - 1])} is not null and` : 'where'
      return `create unique ${on} (${quoteAll(columns)}) ${within} "deletedAt" is null`
    }
    case 'trigram':
      return `create ${on} using gin (${columns.map((column) => `${quote(column)} gin_trgm_ops`).join(', ')})`
    case 'gin':
      return `create ${on} using gin (${quoteAll(columns)})`
    case 'living':
    case 'ascending':
      return `create ${on} (${quoteAll(columns)}) where "deletedAt" is null`
    case 'descending':
      return `create ${on} (${quote(columns[0])} desc nulls last, ${quote(columns[1])} desc) where "deletedAt" is null`
    default:
      return `create ${on} (${quoteAll(columns)})`
  }
}

const kindOf = ({ unique, columns, definition }: ActualIndex): ConstraintKind =>
  unique
    ? 'unique'
    : / gin_trgm_ops[,)]/.test(definition)
      ? 'trigram'
      : / USING gin /.test(definition)
        ? 'gin'
        : / WHERE /.test(definition)
          ? livingKind(columns, definition)
          : 'index'

const livingKind = (columns: string[], definition: string): ConstraintKind =>
  columns.length === 1 ? 'living' : / DESC NULLS LAST/.test(definition) ? 'descending' : 'ascending'

/** How many records that are not deleted share their values with another. */
function duplicates(count: (from: string) => Promise<number>, table: string, columns: string[]): Promise<number> {
  const given = `${quote(columns[columns.length - 1])} is not null`
  const groups = `select count(*) over (partition by ${quoteAll(columns)}) as alike from ${table} where "deletedAt" is null and ${given}`
  return count(`(${groups}) as r where alike > 1`)
}
