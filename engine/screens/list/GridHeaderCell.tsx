import { memo, useRef } from 'react'
import type { KeyboardEvent, PointerEvent } from 'react'
import { limitWidth } from './columnChoices.ts'
import type { GridColumn } from './GridRow.tsx'

interface GridHeaderCellProps {
  column: GridColumn
  width: number
  direction: 'ascending' | 'descending' | undefined
  onSort(field: string): void
  onResizing(field: string, width: number): void
  onResized(field: string, width: number): void
}

/** The head of a column: a click sorts, the grip at its end resizes, and so does Shift with the arrows. */
export const GridHeaderCell = memo(function GridHeaderCell(props: GridHeaderCellProps) {
  const { column, width, direction, onSort, onResizing, onResized } = props
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
  const resizeByKey = (event: KeyboardEvent) => {
    if ((event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') || !event.shiftKey) return
    event.preventDefault()
    onResized(column.field, limitWidth(width + (event.key === 'ArrowRight' ? 16 : -16)))
  }
  return (
    <th
      scope="col"
      data-field={column.field || undefined}
      className={column.className}
      style={column.style}
      aria-sort={direction}
    >
      {column.sort ? (
        <button
          type="button"
          className="grid-sort"
          aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight"
          onClick={() => onSort(column.field)}
          onKeyDown={resizeByKey}
        >
          <span>{column.label}</span>
          <i aria-hidden="true" data-direction={direction} />
        </button>
      ) : (
        <span className="grid-head">{column.label}</span>
      )}
      {/* For the pointer alone, so not part of the header's name. Keys resize from the button; the columns dialog takes numbers. */}
      {column.resizable && (
        <span
          className="grid-grip"
          aria-hidden="true"
          onPointerDown={(event) => {
            event.preventDefault()
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
