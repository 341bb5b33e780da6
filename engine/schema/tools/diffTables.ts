import { paired, type Difference, type Renames } from './difference.ts'
import type { Catalog, TablePlan } from '../../model/model.ts'

/** Changes of the database. A table or column that was removed from the files stays: nothing is dropped. */
export function diffTables(
  before: Catalog,
  after: Catalog,
  renames: Renames,
  loses: (from: string, to: string) => boolean,
): Difference[] {
  const { added, removed, both } = paired(before.tables, after.tables)
  const difference = (change: Difference['change'], subject: string, text: string): Difference => ({
    group: 'tables',
    change,
    of: subject,
    text,
  })
  return [
    ...added.map((name) => difference('added', name, `the table, with ${after.tables[name].columns.length} columns`)),
    ...removed.map((name) => difference('removed', name, 'the table: it stays in the database, and nothing reads it')),
    ...both.flatMap((name) =>
      diffTable(before.tables[name], after.tables[name], renames[name] ?? {}, loses).map(({ change, text }) =>
        difference(change, name, text),
      ),
    ),
  ]
}

function diffTable(
  was: TablePlan,
  is: TablePlan,
  renamed: Readonly<Record<string, string>>,
  loses: (from: string, to: string) => boolean,
): Pick<Difference, 'change' | 'text'>[] {
  const byName = (table: TablePlan, called = (name: string) => name) =>
    Object.fromEntries(table.columns.map((column) => [called(column.name), column]))
  const [former, now] = [byName(was, (name) => renamed[name] ?? name), byName(is)]
  const { added, removed, both } = paired(former, now)
  const unique = (table: TablePlan, called = (name: string) => name) =>
    table.unique.map(({ columns }) => columns.map(called).join(' + '))
  const [wasUnique, isUnique] = [unique(was, (name) => renamed[name] ?? name), unique(is)]
  return [
    ...added.map((name) => ({ change: 'added' as const, text: `the column ${name} ${now[name].type}` })),
    ...removed.map((name) => ({
      change: 'removed' as const,
      text: `the column ${name}: it stays in the database with its values, and nothing reads it`,
    })),
    ...both.flatMap((name) => [
      ...(former[name].name === name
        ? []
        : [{ change: 'renamed' as const, text: `the column ${former[name].name} becomes ${name}, nothing is lost` }]),
      ...(former[name].type === now[name].type
        ? []
        : [
            loses(former[name].type, now[name].type)
              ? {
                  change: 'lossy' as const,
                  text: `the column ${name} becomes ${now[name].type}, and was ${former[name].type}: values may be lost, so it is refused while some would be`,
                }
              : {
                  change: 'changed' as const,
                  text: `the column ${name} becomes ${now[name].type}, and was ${former[name].type}: no value is lost`,
                },
          ]),
      ...(former[name].references === now[name].references
        ? []
        : [
            {
              change: 'changed' as const,
              text: `the column ${name} refers to ${now[name].references ?? 'nothing'}, and did to ${former[name].references ?? 'nothing'}`,
            },
          ]),
    ]),
    ...isUnique
      .filter((columns) => !wasUnique.includes(columns))
      .map((columns) => ({ change: 'stricter' as const, text: `${columns} is unique` })),
    ...wasUnique
      .filter((columns) => !isUnique.includes(columns))
      .map((columns) => ({ change: 'looser' as const, text: `${columns} is no longer unique` })),
  ]
}
