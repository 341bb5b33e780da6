import { useEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { arrivedOf } from '../../client/lazy.ts'
import { loadWithRetry } from '../../client/loadWithRetry.ts'
import type { RecordData } from '../../model/model.ts'
import { loadCommonViews } from '../../widgets/views.ts'
import type { CellsHost } from './useCellSessions.ts'
import type { ArrangedColumn } from './columnChoices.ts'

export type DrawCell = (column: ArrangedColumn, record: RecordData, shown: ReactNode) => ReactNode

/** With the controls, which are focused as soon as they are drawn. */
const load = async () => (await Promise.all([import('./cells.view.tsx'), loadCommonViews()]))[0]

/** The renderer of editable cells; undefined if there are none, and until it is loaded, after the first rows. */
export function useCells(host: CellsHost): DrawCell | undefined {
  const needed = host.enabled && host.screen.body.paths.update !== undefined
  const hasRows = host.rows.length > 0
  const [cells, setCells] = useState(() => arrivedOf(load))
  useEffect(() => {
    if (needed && hasRows && !cells) void loadWithRetry(load).then(setCells)
  }, [needed, hasRows, cells])
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
