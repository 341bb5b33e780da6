import type { RecordData } from '../../schema/model.ts'

export interface TreeRow { record: RecordData; depth: number; open?: boolean }

/**
 * Records below their parents, in their own order. One whose parent is not among them is a root; so is one in a circle.
 * `open` is undefined on leaves.
 */
export function treeRows(records: RecordData[], parent: string, isOpen: (record: RecordData) => boolean): TreeRow[] {
  const ids = new Set(records.map(({ id }) => id))
  const children = new Map<number | undefined, RecordData[]>()
  for (const record of records) {
    const above = parentOf(record, parent)
    const key = above !== undefined && above !== record.id && ids.has(above) ? above : undefined
    children.set(key, [...children.get(key) ?? [], record])
  }
  const rows: TreeRow[] = []
  const seen = new Set<number | undefined>()
  const add = (record: RecordData, depth: number) => {
    if (seen.has(record.id)) return
    seen.add(record.id)
    const below = children.get(record.id) ?? []
    const open = below.length > 0 ? isOpen(record) : undefined
    rows.push({ record, depth, ...(open !== undefined && { open }) })
    if (open) below.forEach((child) => add(child, depth + 1))
    else hide(below)
  }
  const hide = (below: RecordData[]) => below.forEach((child) => {
    if (seen.has(child.id)) return
    seen.add(child.id)
    hide(children.get(child.id) ?? [])
  })
  children.get(undefined)?.forEach((root) => add(root, 0))
  records.forEach((record) => add(record, 0))
  return rows
}

function parentOf(record: RecordData, field: string): number | undefined {
  const value = record[field]
  if (typeof value === 'number') return value
  return typeof value === 'object' && value !== null && !Array.isArray(value) && typeof value.id === 'number' ? value.id : undefined
}
