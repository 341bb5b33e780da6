import type { Label } from '../../model/model.ts'

/** A column of an import as its file says it. */
export interface WrittenColumn {
  field: string
  label?: Label
  after?: string
}
type LabelOf = (column: WrittenColumn) => Label | undefined

/** Is it called so: by its field, or by its heading in any language? */
const isCalled = (column: WrittenColumn, name: string, labelOf: LabelOf): boolean =>
  column.field === name || Object.values(column.label ?? labelOf(column) ?? {}).includes(name)

/** Where `after` or `without` names no column: `undefined` is the column that is missing. */
export const findColumn = <Column extends WrittenColumn>(
  columns: readonly Column[],
  name: string,
  labelOf: LabelOf,
): Column | undefined => columns.find((column) => isCalled(column, name, labelOf))

/**
 * The columns in the order of the template: each that says after which it stands right behind that, several behind the
 * same in their order, and none that is left out. One behind a column that is not there stays where it is written, and
 * is told elsewhere.
 */
export function arranged<Column extends WrittenColumn>(
  columns: readonly Column[],
  without: readonly string[],
  labelOf: LabelOf,
): Column[] {
  const left = columns.filter((column) => !without.some((name) => isCalled(column, name, labelOf)))
  const result = left.filter(({ after }) => after === undefined)
  const last = new Map<Column, number>()
  for (const column of left.filter(({ after }) => after !== undefined)) {
    const place = findColumn(result, column.after!, labelOf)
    const behind = place === undefined ? result.length : result.indexOf(place) + 1 + (last.get(place) ?? 0)
    if (place) last.set(place, (last.get(place) ?? 0) + 1)
    result.splice(behind, 0, column)
  }
  return result
}
