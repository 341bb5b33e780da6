import type { ChangeText } from '../model/model.ts'
import { useEngine } from './view.ts'
import { useWords } from './words.ts'

/** Changed fields with their old and new values. */
export function ChangeTable({ changes }: { changes: readonly ChangeText[] }) {
  const { text } = useEngine()
  const words = useWords()
  return (
    <table className="change-table">
      <thead>
        <tr>
          {(['field', 'before', 'after'] as const).map((key) => (
            <th key={key} scope="col">
              {words(key)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, label, old, new: next }) => (
          <tr key={field}>
            <th scope="row">{text(label)}</th>
            <td>{old || '–'}</td>
            <td>{next || '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
