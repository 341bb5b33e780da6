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

/** Plans that it is dropped. */
export const dropReference = ({ statements }: TableDraft, { table, name }: ActualReference) =>
  statements.drop.push(`alter table ${quote(table)} drop constraint ${quote(name)}`)

/** The references that the table is to have, and those of ours that it has no more. */
export async function planReferences(draft: TableDraft, table: TablePlan, before: Before): Promise<void> {
  const { actual, statements, lossy, count } = draft
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
  for (const [name, { column, target }] of wanted) {
    const statement =
      `alter table ${t} add constraint ${quote(name)} foreign key (${quote(column)}) ` +
      `references ${quote(target)} ("id") deferrable initially deferred`
    const old = actual.columns.get(table.name)?.get(before.get(column) ?? '')
    let rows = 0
    if (old && /int/.test(old.type)) {
      const value = `r.${quote(old.name)}`
      const missing = actual.columns.has(target)
        ? ` and not exists (select from ${quote(target)} as o where o."id" = ${value})`
        : ''
      rows = await count(`${t} as r where ${value} is not null${missing}`)
    }
    const why = `the values are to be records of ${target} and are not`
    if (rows) lossy.push({ table: table.name, column, why, sql: statement, rows })
    else statements.reference.push(statement)
  }
}
