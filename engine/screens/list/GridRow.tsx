import { memo } from 'react'
import type { CSSProperties, ReactNode } from 'react'
import { useWords } from '../../client/words.ts'
import type { RecordData } from '../../schema/model.ts'
import type { Pin } from './columnChoices.ts'

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
  /** The text of a cell. A cell of text is one element. */
  text(record: RecordData): string
  /** Draws what is more than text. */
  draw?(record: RecordData): ReactNode
}

export interface GridRowData { record: RecordData; depth: number; open?: boolean }

interface GridRowProps extends GridRowData {
  /** Among the rows of the page, from 1. */
  number: number
  columns: GridColumn[]
  /** The unpinned columns that are drawn, `from` up to `to`, of all of them, `start` up to `end`. */
  start: number
  from: number
  to: number
  end: number
  tickable: boolean
  ticked: boolean
  onTick(record: RecordData, ticked: boolean): void
  onToggle(record: RecordData): void
}

/** One row. It is drawn again alone, and only when something of it has changed. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { record, number, columns, start, from, to, end, tickable, ticked, onTick } = props
  const words = useWords()
  const inTree = props.open !== undefined || props.depth > 0
  const cells: ReactNode[] = []
  if (tickable) {
    cells.push(
      <td key="tick" className="grid-tick pin-left" style={tickStyle}>
        <input
          type="checkbox" aria-label={words('selectRow', { n: number })} checked={ticked}
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
    cells.push(
      <td
        key={column.field} className={column.className} style={column.style}
        aria-colindex={to - from < end - start ? index + 1 + Number(tickable) : undefined}
      >
        {index === 0 && inTree ? <TreeCell {...props} column={column} /> : column.draw ? column.draw(record) : column.text(record)}
      </td>,
    )
  }
  return <tr aria-rowindex={number + 1} data-ticked={ticked || undefined}>{cells}</tr>
})

const tickStyle = { left: 0 }

/** The first cell of a row of a tree: set in, with a button that opens what is below. */
function TreeCell({ record, depth, open, column, onToggle }: GridRowProps & { column: GridColumn }) {
  const words = useWords()
  return (
    <span className="grid-tree" style={{ paddingInlineStart: depth * 20 + (open === undefined ? 22 : 0) }}>
      {open !== undefined && (
        <button
          type="button" aria-expanded={open} aria-label={words(open ? 'closeRow' : 'openRow', { name: column.text(record) })}
          onClick={() => onToggle(record)}
        />
      )}
      {column.draw ? column.draw(record) : column.text(record)}
    </span>
  )
}
