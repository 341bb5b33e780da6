import { useMemo, useState } from 'react'
import type { RecordData } from '../../model/model.ts'
import type { ListPlan } from './list.ts'
import { isFiltered } from './listState.ts'
import type { ListState } from './listState.ts'
import { treeRows } from './tree.ts'

const smallTree = 200

/** The rows of a list: its records, or the expanded part of a tree. */
export function useTreeRows(records: RecordData[] | undefined, { tree }: Pick<ListPlan, 'tree'>, list: ListState) {
  const [toggled, setToggled] = useState<ReadonlySet<number>>(new Set())
  const rows = useMemo(() => {
    if (!records) return []
    if (!tree) return records.map((record) => ({ record, depth: 0 }))
    // A small tree, and search results, start expanded; a large tree starts collapsed.
    const openAtFirst = records.length <= smallTree || isFiltered(list)
    return treeRows(records, tree.parent, ({ id }) => toggled.has(id!) !== openAtFirst)
  }, [records, tree, toggled, list])
  const toggle = ({ id }: RecordData) =>
    setToggled((old) => {
      const next = new Set(old)
      if (!next.delete(id!)) next.add(id!)
      return next
    })
  return { rows, toggle }
}
