import { useWords } from '../../client/words.ts'
import { isTooNarrow } from './GridRow.tsx'
import type { GridColumn } from './GridRow.tsx'
import { tickWidth } from './useGridWindow.ts'
import type { Range } from './window.ts'

interface GridSumsProps {
  columns: GridColumn[]
  /** Field → the sum under its column. */
  sums: Record<string, string>
  /** The rows have checkboxes. */
  ticked: boolean
  /** The unpinned columns that are fully visible. */
  whole: Range
}

/** Each sum under its column; sums of columns out of view stand beside the word for the total. */
export function GridSums({ columns, sums, ticked, whole }: GridSumsProps) {
  const words = useWords()
  const [first, ...others] = columns
  const far = columns
    .filter(({ pin }) => pin === 'none')
    .filter((column, index) => column !== first && !isWithin(whole, index) && sums[column.field] !== undefined)
  const hasFar = far.length > 0 && sums[first.field] === undefined
  return (
    <tfoot>
      <tr>
        {ticked && <td className="grid-tick pin-left" style={{ left: 0 }} />}
        {hasFar ? (
          <td className="grid-sums-far" style={{ left: ticked ? tickWidth : 0 }}>
            <div>
              <span>{words('total')}</span>
              {far.map(({ field, label }) => (
                // A screen reader finds each under its column.
                <span key={field} aria-hidden="true">
                  {label} <b>{sums[field]}</b>
                </span>
              ))}
            </div>
          </td>
        ) : (
          <SumCell column={first}>{sums[first.field] ?? words('total')}</SumCell>
        )}
        {others.map((column) => (
          <SumCell key={column.field} column={column}>
            {sums[column.field] ?? ''}
          </SumCell>
        ))}
      </tr>
    </tfoot>
  )
}

const isWithin = ({ from, to }: Range, index: number) => index >= from && index < to

const SumCell = ({ column, children }: { column: GridColumn; children: string }) => (
  <td className={column.className} style={column.style} data-narrow={isTooNarrow(column, children)}>
    {children}
  </td>
)
