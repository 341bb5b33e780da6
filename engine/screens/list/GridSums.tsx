import { useWords } from '../../client/words.ts'
import { isTooNarrow } from './GridRow.tsx'
import type { GridColumn } from './GridRow.tsx'

interface GridSumsProps {
  columns: GridColumn[]
  /** Field → what stands under its column. */
  sums: Record<string, string>
  /** The rows have boxes to tick. */
  ticked: boolean
}

export function GridSums({ columns, sums, ticked }: GridSumsProps) {
  const words = useWords()
  return (
    <tfoot>
      <tr>
        {ticked && <td className="grid-tick pin-left" style={{ left: 0 }} />}
        {columns.map((column, index) => (
          <td
            key={column.field}
            className={column.className}
            style={column.style}
            data-narrow={isTooNarrow(column, sums[column.field] ?? '')}
          >
            {sums[column.field] ?? (index === 0 ? words('total') : '')}
          </td>
        ))}
      </tr>
    </tfoot>
  )
}
