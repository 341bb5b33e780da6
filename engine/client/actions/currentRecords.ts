import type { RecordData } from '../../model/model.ts'
import type { ActionHost } from '../frame.ts'

/** The newest known records: an action may begin before the screen has drawn the result of the previous one. */
export function currentRecords(
  { newest }: Pick<ActionHost, 'newest'>,
  records: RecordData[],
): RecordData[] | Promise<RecordData[]> {
  const newer = (known: readonly RecordData[]) =>
    records.map(
      (record) => known.find(({ id, revision }) => id === record.id && revision! > record.revision!) ?? record,
    )
  const known = newest?.() ?? []
  return known instanceof Promise ? known.then(newer) : newer(known)
}
