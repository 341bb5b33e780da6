import { useStable } from '../../client/useStable.ts'
import type { RecordData } from '../../model/model.ts'
import type { Ticks } from './GridHead.tsx'
import { GridRow } from './GridRow.tsx'
import type { GridColumn, GridRowData } from './GridRow.tsx'
import type { Ordering } from './useOrdering.ts'
import type { Range } from './window.ts'

interface GridBodyProps {
  columns: GridColumn[]
  rows: GridRowData[]
  rowHeight: number
  ticks: Ticks | undefined
  ordering: Ordering | undefined
  onToggle(record: RecordData): void
  /** The rows to draw. */
  shown: Range
  /** The unpinned columns to draw. */
  seen: Range
}

/** The drawn rows, between spacers as high as the rows that are not drawn. */
export function GridBody({ columns, rows, rowHeight, shown, seen, ticks, onToggle, ordering }: GridBodyProps) {
  const first = columns.findIndex(({ pin }) => pin === 'none')
  const start = first === -1 ? columns.length : first
  const end = start + columns.filter(({ pin }) => pin === 'none').length
  const cellCount = columns.length + (ticks ? 1 : 0)
  const toggleTick = useStable((record: RecordData, ticked: boolean) => ticks?.set([record], ticked))
  const toggle = useStable(onToggle)
  return (
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
  )
}

/** Reserves the space of rows that are not drawn. */
const Gap = ({ height, span }: { height: number; span: number }) =>
  height > 0 ? (
    <tr aria-hidden="true" className="grid-gap" style={{ height }}>
      <td colSpan={span} />
    </tr>
  ) : null
