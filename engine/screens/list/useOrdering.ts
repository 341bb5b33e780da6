import { App } from 'antd'
import { useMemo, useRef } from 'react'
import { useClient } from '../../client/frame.ts'
import { useButtonPermission } from '../../client/permission.ts'
import { reportError } from '../../client/reportResult.tsx'
import { useWords } from '../../client/words.ts'
import type { RecordData } from '../../schema/model.ts'
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
export function useOrdering(options: Options): Ordering | undefined {
  const { request, announce } = useClient()
  const app = App.useApp()
  const words = useWords()
  const permission = useButtonPermission(options.granted)
  const dragged = useRef<RecordData>(undefined)
  const latest = useRef(options)
  latest.current = options

  const put = async (record: RecordData, place: Place | undefined) => {
    const { tree, entity, reload } = latest.current
    if (!place || !permission.check(tree!.order!.permission)) return
    try {
      await request.post(tree!.order!.path, { id: record.id, ...place })
      announce(entity)
    } catch (error) {
      reportError(app, words, error)
    }
    reload()
  }
  const held = useRef(put)
  held.current = put
  const ordering = useMemo<Ordering>(() => {
    const placeAt = (target: RecordData, drop: Drop) => {
      const { records, tree } = latest.current
      return dragged.current && records && placeOf(records, tree!.parent, dragged.current, target, drop)
    }
    return {
      drag: (record) => {
        dragged.current = record
      },
      accepts: (target, drop) => placeAt(target, drop) !== undefined,
      drop(target, drop) {
        if (dragged.current) void held.current(dragged.current, placeAt(target, drop))
        dragged.current = undefined
      },
      step(record, by) {
        const { records, tree } = latest.current
        if (records) void held.current(record, neighbourPlace(records, tree!.parent, record, by))
      },
    }
  }, [])
  return options.enabled && options.tree?.order ? ordering : undefined
}
