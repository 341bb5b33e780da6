import { fieldText, ScreenFailure, ScreenSkeleton, useEngine, useWords } from '../../client/index.ts'
import { useGrouped } from '../../client/records.ts'
import type { DetailGroups, MeasurePlan, Value } from '../../model/model.ts'

/** Figures of other records that refer to this one: a row for each group, and the totals below. */
export function Grouped({
  grouped,
  screen,
  tab,
  label,
  id,
  version,
}: {
  grouped: DetailGroups
  screen: string
  tab: string
  label: string
  id: number
  version: number
}) {
  const engine = useEngine()
  const words = useWords()
  const { data, error, refetch } = useGrouped({ screen, tab, id }, { version })
  if (error && !data) return <ScreenFailure title={words('screenFailed')} error={error} retry={() => void refetch()} />
  if (!data) return <ScreenSkeleton />
  const { keys, measures } = grouped
  if (data.list.length === 0) return <p className="detail-history-empty">{words('noRecords')}</p>
  const numbers = (values: Record<string, Value>) =>
    measures.map(({ name, field }: MeasurePlan) => (
      <td key={name} className="detail-number">
        {fieldText(values[name] ?? null, field, engine)}
      </td>
    ))
  return (
    <div className="detail-history-scroll detail-history">
      <table aria-label={label}>
        <thead>
          <tr>
            {keys.map(({ field, shown }) => (
              <th key={field} scope="col">
                {engine.text(shown.label)}
              </th>
            ))}
            {measures.map(({ name, field }) => (
              <th key={name} scope="col" className="detail-number">
                {engine.text(field.label)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.list.map((row, index) => (
            <tr key={index}>
              {keys.map(({ field, shown }, at) => (
                <td key={field}>{fieldText(row.by[at], shown, engine)}</td>
              ))}
              {numbers(row.values)}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={keys.length}>
              {words('total')}
            </th>
            {numbers(data.totals)}
          </tr>
        </tfoot>
      </table>
    </div>
  )
}
