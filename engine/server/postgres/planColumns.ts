import type { TablePlan } from '../../model/model.ts'
import { canonicalType, conversion } from './columnTypes.ts'
import { literal, quote } from './quote.ts'
import type { TableDraft, Before } from './TableDraft.ts'
import { recordColumns, fieldColumns } from './recordColumns.ts'

export function createTable({ statements }: TableDraft, table: TablePlan): Before {
  const columns = [
    ...Object.entries(recordColumns).map(([name, definition]) => `${quote(name)} ${definition}`),
    ...fieldColumns(table).map(
      ({ name, type, nullable }) => `${quote(name)} ${canonicalType(type)}${nullable ? '' : ' not null'}`,
    ),
  ]
  statements.create.push(`create table ${quote(table.name)} (${columns.join(', ')})`)
  return new Map()
}

/** Plans the columns of an existing table. @returns their current names */
export async function planColumns(
  { actual, statements, lossy, orphans, notes, count }: TableDraft,
  table: TablePlan,
): Promise<Before> {
  const t = quote(table.name)
  const existing = actual.columns.get(table.name)!
  const before: Before = new Map()
  for (const [name, definition] of Object.entries(recordColumns)) {
    if (existing.has(name)) before.set(name, name)
    else statements.column.push(`alter table ${t} add column ${quote(name)} ${definition}`)
  }
  const fields = fieldColumns(table)
  const names = new Set(fields.map(({ name }) => name))
  for (const { name, was, type, nullable, initial } of fields) {
    if (existing.has(name)) before.set(name, name)
    else if (was && existing.has(was) && !names.has(was) && !(was in recordColumns)) {
      before.set(name, was)
      statements.rename.push(`alter table ${t} rename column ${quote(was)} to ${quote(name)}`)
    }
    const old = existing.get(before.get(name) ?? '')
    const empty = nullable || old?.required ? 0 : await count(old ? `${t} where ${quote(old.name)} is null` : t)
    if (empty) {
      notes.push(
        `${table.name}.${name} is required but empty in some records (${empty}): ` +
          'until they are filled the database does not insist.',
      )
    }
    if (!old) {
      const added = `alter table ${t} add column ${quote(name)} ${canonicalType(type)}${nullable || empty ? '' : ' not null'}`
      if (initial === undefined) statements.column.push(added)
      // The passing default fills the records that are there without rewriting the table.
      else
        statements.column.push(
          `${added} default ${literal(initial)}`,
          `alter table ${t} alter column ${quote(name)} drop default`,
        )
      continue
    }
    const alter = `alter table ${t} alter column ${quote(name)}`
    if (old.type !== canonicalType(type)) {
      const { loses } = conversion(quote(old.name), old.type, type)
      const rows = loses ? await count(`${t} where ${loses}`) : 0
      const why = `${old.type} cannot become ${canonicalType(type)} without loss`
      const statement = `${alter} type ${canonicalType(type)} using ${conversion(quote(name), old.type, type).using}`
      if (rows) lossy.push({ table: table.name, column: name, why, sql: statement, rows })
      else statements.column.push(statement)
    }
    if (old.required && nullable) statements.column.push(`${alter} drop not null`)
    if (!old.required && !nullable && !empty) statements.column.push(`${alter} set not null`)
  }
  const kept = new Set(before.values())
  for (const { name, required } of existing.values()) {
    if (kept.has(name)) continue
    orphans.push(`${table.name}.${name}`)
    if (required) statements.column.push(`alter table ${t} alter column ${quote(name)} drop not null`)
  }
  return before
}
