import type { Label, RecordData } from '../../model/model.ts'
import type { ListColumn } from './list.ts'

interface Problem {
  column?: string
  code?: string
  message: Label
}

const toldAt = (record: RecordData, { problems }: Pick<ListColumn, 'problems'>): Problem[] => {
  const told = problems && record[problems.field]
  return Array.isArray(told) ? (told as unknown as Problem[]).filter(({ column }) => column === problems!.column) : []
}

/** Problems of the value in that column, from another field of the record: a list of `{ column, message }`. */
export const problemsAt = (record: RecordData, column: Pick<ListColumn, 'problems'>): Label[] =>
  toldAt(record, column).map(({ message }) => message)

/** Whether there are only hints, no problems. */
export const isHint = (record: RecordData, column: Pick<ListColumn, 'problems'>): boolean =>
  toldAt(record, column).every(({ code }) => code === 'hint')
