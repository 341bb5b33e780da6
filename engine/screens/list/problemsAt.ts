import type { Label, RecordData } from '../../model/model.ts'
import type { ListColumn } from './list.ts'

interface Problem {
  column?: string
  code?: string
  message: Label
}

const listedAt = (record: RecordData, { problems }: Pick<ListColumn, 'problems'>): Problem[] => {
  const listed = problems && record[problems.field]
  return Array.isArray(listed)
    ? (listed as unknown as Problem[]).filter(({ column }) => column === problems!.column)
    : []
}

/** Problems of the value in that column, from another field of the record: a list of `{ column, message }`. */
export const problemsAt = (record: RecordData, column: Pick<ListColumn, 'problems'>): Label[] =>
  listedAt(record, column).map(({ message }) => message)

/** Whether there are only hints, no problems. */
export const isHint = (record: RecordData, column: Pick<ListColumn, 'problems'>): boolean =>
  listedAt(record, column).every(({ code }) => code === 'hint')
