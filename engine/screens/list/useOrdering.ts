import { useNotices } from '../../client/notices.tsx'
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

/** Reorders the rows of a tree. The object is stable. */
export interface Ordering {
  /** Picks up a row, or with undefined drops it. */
  drag(record: RecordData | undefined): void
  /** Whether the dragged row may be dropped there. */
  accepts(target: RecordData, drop: Drop): boolean
  drop(target: RecordData, drop: Drop): void
  /** Moves it one place up or down among its siblings. */
  step(record: RecordData, by: -1 | 1): void
}

interface Options {
  tree: ListPlan['tree']
  records: readonly RecordData[] | undefined
  /** The rows are sorted by their order field, and all of them are loaded. */
  enabled: boolean
  granted: Readonly<Record<string, boolean>>
  entity: string
  reload(): void
}

/** Absent if the rows have no order field, or are not sorted by it. */
export function useOrdering({ tree, records, enabled, granted, entity, reload }: Options): Ordering | undefined {
  const { request, announce } = useClient()
  const app = useNotices()
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
