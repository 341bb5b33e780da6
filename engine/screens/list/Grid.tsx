import { useEffect, useMemo, useRef, useState } from 'react'
import type { CSSProperties, MouseEvent, ReactNode } from 'react'
import { useStable } from '../../client/useStable.ts'
import type { RecordData } from '../../model/model.ts'
import { GridHead } from './GridHead.tsx'
import type { Ticks } from './GridHead.tsx'
import { GridSums } from './GridSums.tsx'
import { GridRow } from './GridRow.tsx'
import type { GridColumn, GridRowData } from './GridRow.tsx'
import type { Ordering } from './useOrdering.ts'
import { tickWidth, useGridWindow } from './useGridWindow.ts'

export interface GridProps {
  label: string
  columns: GridColumn[]
  rows: GridRowData[]
  rowHeight: number
  /** The old rows are still shown while new ones are on their way. */
  stale: boolean
  sort: string | undefined
  onSort(field: string): void
  onResize(field: string, width: number): void
  /** A column was dropped on another. */
  onMove?(field: string, to: string): void
  /** Present: rows can be ticked. */
  ticks?: Ticks
  onToggle(record: RecordData): void
  /** Present: rows are dragged to another place. */
  ordering?: Ordering
  /** Field → what stands under its column. */
  sums?: Record<string, string>
  /** Instead of rows. */
  empty: ReactNode
}

/**
 * A table that draws only what is seen of it: rows and, where there are many, columns. Header, sums and pinned columns
 * stay in place.
 */
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
  const summed = useMemo(() => new Set(Object.keys(sums ?? {})), [sums])
  const { widths, shown, seen, whole } = useGridWindow({
    scroller,
    columns,
    resized,
    lead,
    rowCount: rows.length,
    rowHeight,
    summed,
  })
  const total = widths.reduce((sum, width) => sum + width, lead)
  const first = columns.findIndex(({ pin }) => pin === 'none')
  const start = first === -1 ? columns.length : first
  const end = start + columns.filter(({ pin }) => pin === 'none').length

  // A shorter list begins at its top again.
  const firstId = rows[0]?.record.id
  useEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0
  }, [firstId])

  const toggleTick = useStable((record: RecordData, ticked: boolean) => ticks?.set([record], ticked))
  const toggle = useStable(onToggle)
  const cellCount = columns.length + (ticks ? 1 : 0)
  const style = {
    width: total,
    '--row-height': `${rowHeight}px`,
    ...pinOffsets(columns, widths, lead),
  } as CSSProperties
  const pinned = (side: 'left' | 'right') =>
    widths.reduce((sum, width, index) => (columns[index].pin === side ? sum + width : sum), 0)

  return (
    <div
      ref={scroller}
      className="grid"
      role="region"
      aria-label={label}
      tabIndex={0}
      onMouseOver={titleCutText}
      style={
        { '--grid-content': `${(Math.max(rows.length, 3) + 1 + (sums ? 1 : 0)) * rowHeight + 18}px` } as CSSProperties
      }
      onFocus={({ target, currentTarget }) =>
        requestAnimationFrame(() => uncover(currentTarget, target, lead + pinned('left'), pinned('right')))
      }
    >
      <table
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-colcount={cellCount}
        aria-busy={stale}
        data-stale={stale || undefined}
        style={style}
      >
        <colgroup>
          {ticks && <col style={{ width: tickWidth }} />}
          {columns.map(({ field }, index) => (
            <col key={field} style={{ width: widths[index] }} />
          ))}
        </colgroup>
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
        <tbody>
          <Gap height={shown.from * rowHeight} span={cellCount} />
          {rows.slice(shown.from, shown.to).map((row, offset) => (
            <GridRow
              key={row.record.id}
              record={row.record}
              depth={row.depth}
              open={row.open}
              number={shown.from + offset + 1}
              columns={columns}
              start={start}
              from={start + seen.from}
              to={start + seen.to}
              end={end}
              tickable={ticks !== undefined}
              ticked={ticks?.has(row.record.id!) ?? false}
              onTick={toggleTick}
              onToggle={toggle}
              ordering={ordering}
            />
          ))}
          <Gap height={(rows.length - shown.to) * rowHeight} span={cellCount} />
        </tbody>
        {sums && rows.length > 0 && (
          <GridSums
            columns={columns}
            sums={sums}
            ticked={ticks !== undefined}
            whole={{ from: start + whole.from, to: start + whole.to }}
          />
        )}
      </table>
      {rows.length === 0 && <div className="grid-empty">{empty}</div>}
    </div>
  )
}

/** Stands for rows that are not drawn. */
const Gap = ({ height, span }: { height: number; span: number }) =>
  height > 0 ? (
    <tr aria-hidden="true" className="grid-gap" style={{ height }}>
      <td colSpan={span} />
    </tr>
  ) : null

/** Pinned cells know their distance from the edge by a variable of the table, so that a new width draws no row anew. */
function pinOffsets(columns: GridColumn[], widths: number[], lead: number): Record<string, string> {
  const offsets: Record<string, string> = {}
  let left = lead
  columns.forEach(({ pin }, index) => {
    if (pin !== 'left') return
    offsets[`--pin-${index}`] = `${left}px`
    left += widths[index]
  })
  let right = 0
  for (let index = columns.length - 1; index >= 0; index--) {
    if (columns[index].pin !== 'right') continue
    offsets[`--pin-${index}`] = `${right}px`
    right += widths[index]
  }
  return offsets
}

/** What gets the focus comes out from behind the pinned columns, where the browser takes it for seen. */
function uncover(scroller: HTMLElement, target: Element, before: number, after: number) {
  const cell = target.closest('th, td')
  if (!cell || cell.matches('.pin-left, .pin-right')) return
  const { left, right } = target.getBoundingClientRect()
  const start = scroller.getBoundingClientRect().left + scroller.clientLeft + before
  const end = start - before + scroller.clientWidth - after
  if (left < start) scroller.scrollLeft -= start - left
  else if (right > end) scroller.scrollLeft += right - end
}

/** Cut text is told by a title, found out only when someone points at it; what is wrong with a cell stays there. */
function titleCutText({ target }: MouseEvent) {
  const cell = target instanceof Element ? target.closest<HTMLElement>('td, th') : null
  if (!cell) return
  const inner = cell.querySelector<HTMLElement>('.grid-sort span, .grid-head') ?? cell
  const isCut =
    cell.dataset.narrow !== undefined || [cell, inner].some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  const told = [isCut && cell.textContent, cell.dataset.problem].filter(Boolean)
  if (told.length > 0) cell.title = told.join('\n')
  else cell.removeAttribute('title')
}
