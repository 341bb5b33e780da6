import { App } from 'antd'
import { useMemo, useRef } from 'react'
import { useClient } from '../../client/frame.ts'
import { useButtonPermission } from '../../client/permission.ts'
import { reportError } from '../../client/reportResult.tsx'
import { useStable } from '../../client/useStable.ts'
import { useWords } from '../../client/words.ts'
import type { RecordData } from '../../model/model.ts'
import type { ListPlan } from './list.ts'
import { neighbourPlace, placeOf } from './tree.ts'
import type { Drop, Place } from './tree.ts'

/** How the rows of a tree are put into another order. The same object for good. */
export interface Ordering {
  /** A row is picked up; nothing: it was let go. */
  drag(record: RecordData | undefined): void
  /** May the row that was picked up be dropped there? */
  accepts(target: RecordData, drop: Drop): boolean
  drop(target: RecordData, drop: Drop): void
  /** One place up or down among its siblings. */
  step(record: RecordData, by: -1 | 1): void
}

interface Options {
  tree: ListPlan['tree']
  records: readonly RecordData[] | undefined
  /** The rows stand in that order, and all of them are there. */
  enabled: boolean
  granted: Readonly<Record<string, boolean>>
  entity: string
  reload(): void
}

/** Absent where the rows have no order of their own, or do not stand in it. */
export function useOrdering({ tree, records, enabled, granted, entity, reload }: Options): Ordering | undefined {
  const { request, announce } = useClient()
  const app = App.useApp()
  const words = useWords()
  const permission = useButtonPermission(granted)
  const dragged = useRef<RecordData>(undefined)

  const put = async (record: RecordData, place: Place | undefined) => {
    if (!place || !permission.check(tree!.order!.permission)) return
    try {
      await request.post(tree!.order!.path, { id: record.id, ...place })
      announce(entity)
    } catch (error) {
      reportError(app, words, error)
    }
    reload()
  }
  const placeAt = (target: RecordData, drop: Drop) =>
    dragged.current && records && placeOf(records, tree!.parent, dragged.current, target, drop)
  const accepts = useStable((target: RecordData, drop: Drop) => placeAt(target, drop) !== undefined)
  const drop = useStable((target: RecordData, at: Drop) => {
    if (dragged.current) void put(dragged.current, placeAt(target, at))
    dragged.current = undefined
  })
  const step = useStable((record: RecordData, by: -1 | 1) => {
    if (records) void put(record, neighbourPlace(records, tree!.parent, record, by))
  })
  const ordering = useMemo<Ordering>(
    () => ({
      drag: (record) => {
        dragged.current = record
      },
      accepts,
      drop,
      step,
    }),
    [accepts, drop, step],
  )
  return enabled && tree?.order ? ordering : undefined
}
