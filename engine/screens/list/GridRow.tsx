import { memo } from 'react'
import type { CSSProperties, DragEvent, ReactNode } from 'react'
import { useWords } from '../../client/words.ts'
import type { RecordData } from '../../model/model.ts'
import type { Pin } from './columnChoices.ts'
import { numberWidth } from './textWidth.ts'
import type { Drop } from './tree.ts'
import type { Ordering } from './useOrdering.ts'

export interface GridColumn {
  field: string
  label: string
  width: number
  sized: boolean
  pin: Pin
  sort: boolean
  resizable: boolean
  className?: string
  style?: CSSProperties
  /** A figure that does not fit its column is shown as ###, with a title, because a cut figure reads as another one. */
  isNumber?: boolean
  /** The text of a cell. A text cell is a single element. */
  text(record: RecordData): string
  /** The id of the cell that identifies the row's record. */
  cellId?(record: RecordData): string
  /** Renders what is more than text. */
  draw?(record: RecordData): ReactNode
  /** The problem of the cell, or '': the cell is marked, and its title says so. */
  problem?(record: RecordData): string
  /** It is only a hint. */
  isHint?(record: RecordData): boolean
}

/** Whether a figure does not fit its column. Columns without a user-set width are as wide as their figures. */
export const isTooNarrow = ({ isNumber, sized, width }: GridColumn, text: string): true | undefined =>
  (isNumber && sized && numberWidth(text) > width) || undefined

/** Marks the cells of a field for lookups in the page; some columns have no field. */
export const dataField = ({ field }: GridColumn): string | undefined => (/^\w/.test(field) ? field : undefined)

export interface GridRowData {
  record: RecordData
  depth: number
  open?: boolean
}

interface GridRowProps extends GridRowData {
  /** The row number on the page, from 1. */
  number: number
  columns: GridColumn[]
  /** The drawn unpinned columns, `from` up to `to`, out of all of them, `start` up to `end`. */
  start: number
  from: number
  to: number
  end: number
  tickable: boolean
  ticked: boolean
  onTick(record: RecordData, ticked: boolean): void
  onToggle(record: RecordData): void
  ordering?: Ordering
}

/** One row, rendered only when its own data changes. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { record, number, columns, start, from, to, end, tickable, ticked, onTick } = props
  const words = useWords()
  const inTree = props.open !== undefined || props.depth > 0 || props.ordering !== undefined
  const cells: ReactNode[] = []
  if (tickable) {
    cells.push(
      <td key="tick" className="grid-tick pin-left" style={tickStyle}>
        <input
          type="checkbox"
          aria-label={words('selectRow', { n: number })}
          checked={ticked}
          onChange={(event) => onTick(record, event.target.checked)}
        />
      </td>,
    )
  }
  for (let index = 0; index < columns.length; index++) {
    if (index === start && from > start) cells.push(<td key="gap-before" aria-hidden="true" colSpan={from - start} />)
    if (index >= start && index < end && (index < from || index >= to)) {
      if (index === to) cells.push(<td key="gap-after" aria-hidden="true" colSpan={end - to} />)
      continue
    }
    const column = columns[index]
    const problem = column.problem?.(record) || undefined
    cells.push(
      <td
        key={column.field}
        id={index === 0 && inTree ? undefined : column.cellId?.(record)}
        data-field={dataField(column)}
        className={column.className}
        style={column.style}
        data-narrow={isTooNarrow(column, column.isNumber ? column.text(record) : '')}
        data-problem={problem}
        title={problem}
        data-hint={(problem && column.isHint!(record)) || undefined}
        aria-colindex={to - from < end - start ? index + 1 + Number(tickable) : undefined}
      >
        {index === 0 && inTree ? (
          <TreeCell {...props} column={column} />
        ) : column.draw ? (
          column.draw(record)
        ) : (
          column.text(record)
        )}
      </td>,
    )
  }
  return (
    <tr
      data-record={record.id}
      aria-rowindex={number + 1}
      data-ticked={ticked || undefined}
      {...(props.ordering && dropTarget(record, props.ordering))}
    >
      {cells}
    </tr>
  )
})

const tickStyle = { left: 0 }

/** The upper and lower quarters of a row insert before and after it, the middle inserts below it as a child. */
function dropAt({ clientY, currentTarget }: DragEvent<HTMLElement>): Drop {
  const { top, height } = currentTarget.getBoundingClientRect()
  const part = (clientY - top) / height
  return part < 0.25 ? 'before' : part > 0.75 ? 'after' : 'into'
}

/** Shows where a row would be dropped; not in state, because it changes with every pointer move. */
const dropTarget = (record: RecordData, ordering: Ordering) => ({
  onDragOver(event: DragEvent<HTMLElement>) {
    const drop = dropAt(event)
    const isAccepted = ordering.accepts(record, drop)
    event.currentTarget.dataset.drop = isAccepted ? drop : ''
    if (isAccepted) event.preventDefault()
  },
  onDragLeave({ currentTarget }: DragEvent<HTMLElement>) {
    delete currentTarget.dataset.drop
  },
  onDrop(event: DragEvent<HTMLElement>) {
    event.preventDefault()
    delete event.currentTarget.dataset.drop
    ordering.drop(record, dropAt(event))
  },
})

/** Drags the row with the pointer, or moves it among its siblings with the arrow keys. */
function Handle({ record, name, ordering }: { record: RecordData; name: string; ordering: Ordering }) {
  const words = useWords()
  const keys: Record<string, -1 | 1> = { ArrowUp: -1, ArrowDown: 1 }
  return (
    <button
      type="button"
      className="grid-handle"
      draggable
      aria-label={words('moveRow', { name })}
      title={words('moveHint')}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', name)
        ordering.drag(record)
      }}
      onDragEnd={() => ordering.drag(undefined)}
      onKeyDown={(event) => {
        if (!(event.key in keys)) return
        event.preventDefault()
        ordering.step(record, keys[event.key])
      }}
    />
  )
}

/** The first cell of a tree row: indented, with a button to expand its children. */
function TreeCell({ record, depth, open, column, onToggle, ordering }: GridRowProps & { column: GridColumn }) {
  const words = useWords()
  return (
    <span className="grid-tree" style={{ paddingInlineStart: depth * 20 + (open === undefined ? 26 : 0) }}>
      {ordering && <Handle record={record} name={column.text(record)} ordering={ordering} />}
      {open !== undefined && (
        <button
          type="button"
          aria-expanded={open}
          aria-label={words(open ? 'closeRow' : 'openRow', { name: column.text(record) })}
          onClick={() => onToggle(record)}
        />
      )}
      <span id={column.cellId?.(record)}>{column.draw ? column.draw(record) : column.text(record)}</span>
    </span>
  )
}
