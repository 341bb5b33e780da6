import type { Label } from '../../model/model.ts'

/** A column of an import as written in its file. */
export interface WrittenColumn {
  field: string
  label?: Label
  after?: string
}
type LabelOf = (column: WrittenColumn) => Label | undefined

/** Whether it has this name: its field, or its heading in any language. */
const isCalled = (column: WrittenColumn, name: string, labelOf: LabelOf): boolean =>
  column.field === name || Object.values(column.label ?? labelOf(column) ?? {}).includes(name)

/** If `after` or `without` names no column, `undefined` marks the missing one. */
export const findColumn = <Column extends WrittenColumn>(
  columns: readonly Column[],
  name: string,
  labelOf: LabelOf,
): Column | undefined => columns.find((column) => isCalled(column, name, labelOf))

/**
 * The columns in template order: each follows the column in its `after`, several after the same one keep their order,
 * and those in `without` are left out. If `after` names an unknown column, which is reported elsewhere, the column
 * stays in place.
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
