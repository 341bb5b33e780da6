import { useState } from 'react'
import { useStable } from '../../client/useStable.ts'
import { useWords } from '../../client/words.ts'
import type { RecordData } from '../../model/model.ts'
import { GridHeaderCell } from './GridHeaderCell.tsx'
import type { GridColumn, GridRowData } from './GridRow.tsx'

export interface Ticks {
  has(id: number): boolean
  set(records: RecordData[], ticked: boolean): void
}

interface GridHeadProps {
  columns: GridColumn[]
  /** In pixels, as drawn. */
  widths: number[]
  rows: GridRowData[]
  ticks: Ticks | undefined
  sort: string | undefined
  onSort(field: string): void
  onResizing(field: string, width: number): void
  onResized(field: string, width: number): void
  onMove: ((field: string, to: string) => void) | undefined
}

/** The headers, with one tab stop: arrow keys move between them. */
export function GridHead({ columns, widths, rows, ticks, sort, onMove, ...on }: GridHeadProps) {
  const [stop, setStop] = useState<string>()
  const sortBy = useStable(on.onSort)
  const resizing = useStable(on.onResizing)
  const resized = useStable(on.onResized)
  const move = useStable((field: string, to: string) => onMove?.(field, to))
  const sortable = columns.filter((column) => column.sort)
  const stopAt = (sortable.find(({ field }) => field === stop) ?? sortable[0])?.field
  return (
    <thead>
      <tr aria-rowindex={1}>
        {ticks && <TickAll rows={rows} ticks={ticks} />}
        {columns.map((column, index) => (
          <GridHeaderCell
            key={column.field}
            column={column}
            width={widths[index]}
            onSort={sortBy}
            onResizing={resizing}
            onResized={resized}
            isStop={column.field === stopAt}
            onStop={setStop}
            onMove={onMove && move}
            direction={sort === column.field ? 'ascending' : sort === `-${column.field}` ? 'descending' : undefined}
          />
        ))}
      </tr>
    </thead>
  )
}

function TickAll({ rows, ticks }: { rows: GridRowData[]; ticks: Ticks }) {
  const words = useWords()
  const all = rows.length > 0 && rows.every(({ record }) => ticks.has(record.id!))
  const some = rows.some(({ record }) => ticks.has(record.id!))
  return (
    <th scope="col" className="grid-tick pin-left" style={{ left: 0 }}>
      <input
        type="checkbox"
        aria-label={words('selectPage')}
        checked={all}
        disabled={rows.length === 0}
        ref={(box) => {
          if (box) box.indeterminate = some && !all
        }}
        onChange={(event) =>
          ticks.set(
            rows.map(({ record }) => record),
            event.target.checked,
          )
        }
      />
    </th>
  )
}
