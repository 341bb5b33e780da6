import { useEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import type { ScreenFrame } from '../../client/frame.ts'
import { arrive, arrivedOf } from '../../client/lazy.ts'
import type { RecordData, ScreenBundle, ScreenPlan } from '../../schema/model.ts'
import type { ArrangedColumn } from './columnChoices.ts'
import type { ListPlan } from './list.ts'

/** The list around the cells that are edited in place, as it is now. */
export interface CellsHost {
  screen: ScreenPlan<ListPlan>
  bundle: ScreenBundle
  frame: ScreenFrame
  columns: ArrangedColumn[]
  rows: { record: RecordData }[]
  /** Reads the rows again; done once they are there. */
  reload(): Promise<void>
  /** A narrow list is edited in its forms: there is no room for a control and its message. */
  enabled: boolean
}
export type DrawCell = (column: ArrangedColumn, record: RecordData, shown: ReactNode) => ReactNode

const load = () => import('./cells.view.tsx')

/** What draws the cells that are edited in place; undefined where there are none, and until it is loaded. */
export function useCells(host: CellsHost): DrawCell | undefined {
  const needed = host.enabled && host.screen.body.paths.update !== undefined
  const [cells, setCells] = useState(() => arrivedOf(load))
  useEffect(() => {
    if (needed && !cells) void arrive(load).then(setCells)
  }, [needed, cells])
  const latest = useRef(host)
  latest.current = host
  return useMemo(
    () =>
      needed && cells
        ? (column, record, shown) => (
            <cells.EditableCell host={latest} column={column} record={record}>
              {shown}
            </cells.EditableCell>
          )
        : undefined,
    [needed, cells],
  )
}
