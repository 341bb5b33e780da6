import type { TablePlan } from '../../model/model.ts'
import { canonicalType } from './columnTypes.ts'
import { quote } from './quote.ts'
import { renaming, type TableDraft, type Before } from './TableDraft.ts'
import { constraintName } from './constraintName.ts'
import type { ActualReference } from './actualTables.ts'
import { fieldColumns } from './recordColumns.ts'

/** The references of a table; `own` are those that the engine created. */
export const referencesOf = ({ actual }: TableDraft, table: string) =>
  actual.references
    .filter((reference) => reference.table === table)
    .map((reference) => ({ reference, own: reference.name === constraintName(table, [reference.column], 'reference') }))

/** Plans to drop the reference. */
export const dropReference = ({ references }: TableDraft, { table, name }: ActualReference) =>
  alter(references.dropped, table, `drop constraint ${quote(name)}`)

const alter = (alterations: Map<string, string[]>, table: string, action: string) =>
  void alterations.set(table, [...(alterations.get(table) ?? []), action])

/** One statement for each table: altering one is slow. */
export const alterStatements = (alterations: ReadonlyMap<string, string[]>): string[] =>
  [...alterations].map(([table, actions]) => `alter table ${quote(table)} ${actions.join(', ')}`)

/** The references that the table is to have, and those of ours that it no longer has. */
export async function planReferences(draft: TableDraft, table: TablePlan, before: Before): Promise<void> {
  const { actual, statements, references, lossy, count } = draft
  const t = quote(table.name)
  const wanted = new Map<string, { column: string; target: string }>()
  for (const { name, type, references } of fieldColumns(table)) {
    if (!references || canonicalType(type) !== 'bigint') continue
    wanted.set(constraintName(table.name, [name], 'reference'), { column: name, target: references })
  }
  for (const { reference, own } of referencesOf(draft, table.name)) {
    if (!own) continue
    const name = constraintName(table.name, [renaming(before)(reference.column)], 'reference')
    if (wanted.get(name)?.target !== reference.target) dropReference(draft, reference)
    else {
      wanted.delete(name)
      if (name !== reference.name)
        statements.rename.push(`alter table ${t} rename constraint ${quote(reference.name)} to ${quote(name)}`)
    }
  }
  const found = await Promise.all(
    [...wanted].map(async ([name, { column, target }]) => {
      const old = actual.columns.get(table.name)?.get(before.get(column) ?? '')
      if (!old || !/int/.test(old.type)) return { name, column, target, rows: 0 }
      const value = `r.${quote(old.name)}`
      const missing = actual.tables.has(target)
        ? ` and not exists (select from ${quote(target)} as o where o."id" = ${value})`
        : ''
      return { name, column, target, rows: await count(`${t} as r where ${value} is not null${missing}`) }
    }),
  )
  for (const { name, column, target, rows } of found) {
    const action =
      `add constraint ${quote(name)} foreign key (${quote(column)}) ` +
      `references ${quote(target)} ("id") deferrable initially deferred`
    const why = `the values are to be records of ${target} and are not`
    if (rows) lossy.push({ table: table.name, column, why, sql: `alter table ${t} ${action}`, rows })
    else alter(references.added, table.name, action)
  }
}
