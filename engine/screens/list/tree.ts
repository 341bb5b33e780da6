import type { RecordData } from '../../model/model.ts'

export interface TreeRow {
  record: RecordData
  depth: number
  open?: boolean
}

/**
 * Records below their parents, in their own order. A record whose parent is missing, or that is in a cycle, is a root.
 * `open` is undefined for leaves.
 */
export function treeRows(records: RecordData[], parent: string, isOpen: (record: RecordData) => boolean): TreeRow[] {
  const ids = new Set(records.map(({ id }) => id))
  const children = new Map<number | undefined, RecordData[]>()
  for (const record of records) {
    const above = parentOf(record, parent)
    const key = above !== undefined && above !== record.id && ids.has(above) ? above : undefined
    children.set(key, [...(children.get(key) ?? []), record])
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
  const hide = (below: RecordData[]) =>
    below.forEach((child) => {
      if (seen.has(child.id)) return
      seen.add(child.id)
      hide(children.get(child.id) ?? [])
    })
  children.get(undefined)?.forEach((root) => add(root, 0))
  records.forEach((record) => add(record, 0))
  return rows
}

/** Where a row is dropped: before another one, after it, or below it as the last child. */
export type Drop = 'before' | 'after' | 'into'
/** Before the sibling with that id, or last, below that parent. */
export interface Place {
  parent: number | null
  before: number | null
}

/** Where a record would move to; undefined if it would not move, or would end up below itself. */
export function placeOf(
  records: readonly RecordData[],
  parent: string,
  dragged: RecordData,
  target: RecordData,
  drop: Drop,
): Place | undefined {
  const byId = new Map(records.map((record) => [record.id, record]))
  for (let above: RecordData | undefined = target, steps = 0; above && steps <= records.length; steps++) {
    if (above.id === dragged.id) return undefined
    above = byId.get(parentOf(above, parent))
  }
  const below = drop === 'into' ? target.id! : parentOf(target, parent)
  const siblings = siblingsIn(records, parent, below).filter(({ id }) => id !== dragged.id)
  const index = drop === 'into' ? siblings.length : siblings.indexOf(target) + (drop === 'after' ? 1 : 0)
  return moved(records, parent, dragged, { parent: below ?? null, before: siblings[index]?.id ?? null })
}

/** One place up or down among its siblings; undefined for the first or the last. */
export function neighbourPlace(
  records: readonly RecordData[],
  parent: string,
  record: RecordData,
  by: -1 | 1,
): Place | undefined {
  const siblings = siblingsIn(records, parent, parentOf(record, parent))
  const index = siblings.indexOf(record)
  const other = siblings[index + by]
  return other && placeOf(records, parent, record, other, by < 0 ? 'before' : 'after')
}

const siblingsIn = (records: readonly RecordData[], parent: string, above: number | undefined) =>
  records.filter((record) => parentOf(record, parent) === above)

function moved(records: readonly RecordData[], parent: string, record: RecordData, place: Place): Place | undefined {
  const above = parentOf(record, parent)
  const siblings = siblingsIn(records, parent, above)
  const next = siblings[siblings.indexOf(record) + 1]?.id ?? null
  return (above ?? null) === place.parent && next === place.before ? undefined : place
}

function parentOf(record: RecordData, field: string): number | undefined {
  const value = record[field]
  if (typeof value === 'number') return value
  return typeof value === 'object' && value !== null && !Array.isArray(value) && typeof value.id === 'number'
    ? value.id
    : undefined
}
