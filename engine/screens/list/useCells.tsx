import { useEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { arrive, arrivedOf } from '../../client/lazy.ts'
import type { RecordData } from '../../model/model.ts'
import type { CellsHost } from './useCellSessions.ts'
import type { ArrangedColumn } from './columnChoices.ts'

export type DrawCell = (column: ArrangedColumn, record: RecordData, shown: ReactNode) => ReactNode

const load = () => import('./cells.view.tsx')

/** The renderer of editable cells; undefined if there are none, and until it is loaded. */
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
