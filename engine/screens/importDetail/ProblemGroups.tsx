import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useClient, useEngine } from '../../client/index.ts'
import { cellField } from '../../model/model.ts'
import type { EntityPlan, ImportProblemGroup } from '../../model/model.ts'
import { useImportWords } from './useImportWords.ts'

interface ProblemGroupsProps {
  path: string
  id: number
  /** Changes with the batch, whose problems are then reloaded. */
  state: string
  /** The entity of the rows, whose cells provide the column labels. */
  rows: EntityPlan
  /** The rows are still being processed. */
  pause: boolean
}

/** How many rows have each problem, and how many a hint. */
export function ProblemGroups({ path, id, state, rows, pause }: ProblemGroupsProps) {
  const { request } = useClient()
  const { text } = useEngine()
  const words = useImportWords()
  const { data } = useQuery({
    queryKey: ['import problems', path, id, state],
    queryFn: ({ signal }) => request.get<{ list: ImportProblemGroup[] }>(path, { id }, { signal }),
    placeholderData: keepPreviousData,
    enabled: !pause,
    gcTime: 60_000,
    retry: false,
    refetchOnWindowFocus: false,
  })
  if (!data || data.list.length === 0) return null
  const columnOf = (column: string | null) => {
    const field = column === null ? undefined : rows.fields[cellField(column)]
    return field ? text(field.label) : words('wholeRow')
  }
  const title = words(data.list.some(({ code }) => code === 'hint') ? 'problemsAndHints' : 'problems')
  return (
    <details className="import-problems" open>
      <summary>{title}</summary>
      <div className="import-problems-scroll" tabIndex={0} role="region" aria-label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words('problemColumn')}</th>
              <th scope="col">{words('problemKind')}</th>
              <th scope="col">{words('problemCount')}</th>
              <th scope="col">{words('problemSample')}</th>
            </tr>
          </thead>
          <tbody>
            {data.list.map((group) => (
              <tr key={`${group.column} ${group.code}`} data-hint={group.code === 'hint' || undefined}>
                <td>{columnOf(group.column)}</td>
                <td>{text(group.label)}</td>
                <td className="import-problems-count">{group.count}</td>
                <td>
                  <span title={text(group.message)}>{text(group.message)}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
