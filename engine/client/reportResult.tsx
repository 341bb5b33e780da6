import type { useAppProps } from 'antd/es/app/context'
import type { CallResult, EntityPlan, RecordData } from '../model/model.ts'
import { isSilent } from './RequestError.ts'
import type { words as engineWords } from './words.ts'

type Words = ReturnType<typeof engineWords.use>

interface Outcome {
  entity: EntityPlan
  records: RecordData[]
  result: CallResult | null
  /** The message, except for several records. */
  done?: string
  /** The labels of the given fields, where an action changes only those. */
  changed?: string
  /** The message in the answer itself. */
  summary?: string
}

/**
 * Reports the outcome of an action: how many succeeded, and which failed and why. An action that ran on no record names
 * the failed ones itself.
 */
export function reportResult(
  { message, modal }: useAppProps,
  words: Words,
  { entity, records, result, done = words('done'), changed, summary }: Outcome,
) {
  const failed = result?.failed ?? []
  if (failed.length === 0) {
    const n = result?.succeeded ?? records.length
    if (summary) void message[n > 0 ? 'success' : 'info'](summary)
    else if (changed) void message.success(words('changed', { n, labels: changed }))
    else
      void message[result?.succeeded === 0 ? 'info' : 'success'](records.length > 1 ? words('succeeded', { n }) : done)
  } else if (records.length === 1) {
    void message.error(failed[0].message)
  } else {
    const nameOf = ({ id, name }: CallResult['failed'][number]) =>
      name ?? String(records.find((record) => record.id === id)?.[entity.display] ?? id)
    modal.warning({
      title: words('results', { n: result?.succeeded ?? 0, m: failed.length }),
      okText: words('ok'),
      width: 560,
      content: (
        <table className="result-table">
          <thead>
            <tr>
              <th scope="col">{words('failedRecord')}</th>
              <th scope="col">{words('failedReason')}</th>
            </tr>
          </thead>
          <tbody>
            {failed.map((each, index) => (
              <tr key={index}>
                <td>{nameOf(each)}</td>
                <td>{each.message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ),
    })
  }
}

export function reportError({ message }: Pick<useAppProps, 'message'>, words: Words, error: unknown) {
  if (!isSilent(error)) void message.error((error instanceof Error && error.message) || words('error'))
}
