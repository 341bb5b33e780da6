import { memo, useRef } from 'react'
import type { DragEvent, KeyboardEvent, PointerEvent } from 'react'
import { limitWidth } from './columnChoices.ts'
import { dataField } from './GridRow.tsx'
import type { GridColumn } from './GridRow.tsx'

/** Identifies a dragged column. */
const columnType = 'application/x-column'

interface GridHeaderCellProps {
  column: GridColumn
  width: number
  direction: 'ascending' | 'descending' | undefined
  /** The single tab stop among all headers. */
  isStop: boolean
  onStop(field: string): void
  /** Called with the field whose header was dropped on this one. */
  onMove?(field: string, to: string): void
  onSort(field: string): void
  onResizing(field: string, width: number): void
  onResized(field: string, width: number): void
}

/**
 * A column header: a click sorts; the grip at its end, or Shift with the arrows, resizes; the arrows alone move between
 * headers.
 */
export const GridHeaderCell = memo(function GridHeaderCell(props: GridHeaderCellProps) {
  const { column, width, direction, isStop, onStop, onMove, onSort, onResizing, onResized } = props
  const grip = useRef<{ x: number; width: number }>()

  const drag = (event: PointerEvent<HTMLElement>) => {
    if (grip.current) onResizing(column.field, limitWidth(grip.current.width + event.clientX - grip.current.x))
  }
  const drop = (event: PointerEvent<HTMLElement>) => {
    if (!grip.current) return
    const to = limitWidth(grip.current.width + event.clientX - grip.current.x)
    grip.current = undefined
    onResized(column.field, to)
  }
  const steer = (event: KeyboardEvent<HTMLElement>) => {
    const heads = [...event.currentTarget.closest('tr')!.querySelectorAll<HTMLElement>('.grid-sort')]
    const at = heads.indexOf(event.currentTarget)
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: heads.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    if (!event.shiftKey) heads[to]?.focus()
    else if (Math.abs(to - at) === 1) onResized(column.field, limitWidth(width + (to - at) * 16))
  }
  return (
    <th
      scope="col"
      data-field={dataField(column)}
      className={column.className}
      style={column.style}
      aria-sort={direction}
      {...(onMove &&
        column.resizable && {
          draggable: true,
          onDragStart: (event: DragEvent) => {
            event.dataTransfer.effectAllowed = 'move'
            event.dataTransfer.setData(columnType, column.field)
          },
          onDragOver: (event: DragEvent) => {
            if (event.dataTransfer.types.includes(columnType)) event.preventDefault()
          },
          onDrop: (event: DragEvent) => {
            event.preventDefault()
            onMove(event.dataTransfer.getData(columnType), column.field)
          },
        })}
    >
      {column.sort ? (
        <button
          type="button"
          className="grid-sort"
          aria-keyshortcuts="ArrowLeft ArrowRight Shift+ArrowLeft Shift+ArrowRight"
          onClick={() => onSort(column.field)}
          tabIndex={isStop ? 0 : -1}
          onFocus={() => onStop(column.field)}
          onKeyDown={steer}
        >
          <span>{column.label}</span>
          <i aria-hidden="true" data-direction={direction} />
        </button>
      ) : (
        <span className="grid-head">{column.label}</span>
      )}
      {/* Only for the pointer, so not part of the header's name. Keys resize from the button; the columns dialog
           takes numbers. */}
      {column.resizable && (
        <span
          className="grid-grip"
          aria-hidden="true"
          onPointerDown={(event) => {
            event.preventDefault()
            event.stopPropagation()
            event.currentTarget.setPointerCapture(event.pointerId)
            grip.current = { x: event.clientX, width }
          }}
          onPointerMove={drag}
          onPointerUp={drop}
          onPointerCancel={drop}
        />
      )}
    </th>
  )
})
