import { useEffect, useRef, useState } from 'react'
import type { CSSProperties, ReactNode } from 'react'
import type { RecordData } from '../../model/model.ts'
import { GridBody } from './GridBody.tsx'
import { GridHead } from './GridHead.tsx'
import type { Ticks } from './GridHead.tsx'
import { GridSums } from './GridSums.tsx'
import { contentHeight, pinnedWidths, tableStyle, titleCutText, uncover } from './gridLayout.ts'
import type { GridColumn, GridRowData } from './GridRow.tsx'
import type { Ordering } from './useOrdering.ts'
import { tickWidth, useGridWindow } from './useGridWindow.ts'

export interface GridProps {
  label: string
  columns: GridColumn[]
  rows: GridRowData[]
  rowHeight: number
  /** Whether old rows are shown while new ones load. */
  stale: boolean
  sort: string | undefined
  onSort(field: string): void
  onResize(field: string, width: number): void
  /** Called when the user drops a column on another. */
  onMove?(field: string, to: string): void
  /** Lets the user tick rows. */
  ticks?: Ticks
  onToggle(record: RecordData): void
  /** Lets the user drag rows to another place. */
  ordering?: Ordering
  /** Field → the sum under its column. */
  sums?: Record<string, string>
  /** Shown if there are no rows. */
  empty: ReactNode
}

/** A table that renders only its visible rows and columns, while its header, sums and pinned columns stay in place. */
export function Grid({
  label,
  columns,
  rows,
  rowHeight,
  stale,
  sort,
  onSort,
  onResize,
  onMove,
  ticks,
  onToggle,
  ordering,
  sums,
  empty,
}: GridProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [resized, setResized] = useState<{ field: string; width: number }>()
  const lead = ticks ? tickWidth : 0
  const drawn = useGridWindow({ scroller, columns, resized, lead, rowCount: rows.length, rowHeight, sums })
  const { widths, shown, seen, whole } = drawn

  // Another list starts at the top.
  const firstId = rows[0]?.record.id
  useEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0
  }, [firstId])
  return (
    <div
      ref={scroller}
      className="grid"
      role="region"
      aria-label={label}
      tabIndex={0}
      onMouseOver={titleCutText}
      style={contentHeight(rows.length, rowHeight, sums !== undefined)}
      onFocus={({ target, currentTarget }) =>
        requestAnimationFrame(() => uncover(currentTarget, target, pinnedWidths(columns, widths, lead)))
      }
    >
      <table
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + (ticks ? 1 : 0)}
        aria-busy={stale}
        data-stale={stale || undefined}
        style={{ ...tableStyle(columns, widths, lead), '--row-height': `${rowHeight}px` } as CSSProperties}
      >
        <Widths columns={columns} widths={widths} lead={lead} />
        <GridHead
          columns={columns}
          widths={widths}
          rows={rows}
          ticks={ticks}
          sort={sort}
          onSort={onSort}
          onResizing={(field, width) => setResized({ field, width })}
          onResized={(field, width) => {
            setResized(undefined)
            onResize(field, width)
          }}
          onMove={onMove}
        />
        <GridBody
          columns={columns}
          rows={rows}
          rowHeight={rowHeight}
          shown={shown}
          seen={seen}
          ticks={ticks}
          onToggle={onToggle}
          ordering={ordering}
        />
        {sums && rows.length > 0 && <GridSums {...{ columns, sums, whole }} ticked={ticks !== undefined} />}
      </table>
      {rows.length === 0 && <div className="grid-empty">{empty}</div>}
    </div>
  )
}

function Widths({ columns, widths, lead }: Pick<GridProps, 'columns'> & { widths: number[]; lead: number }) {
  return (
    <colgroup>
      {lead > 0 && <col style={{ width: lead }} />}
      {columns.map(({ field }, index) => (
        <col key={field} style={{ width: widths[index] }} />
      ))}
    </colgroup>
  )
}
