import type { Label, RecordData } from '../../schema/model.ts'
import type { ListColumn } from './list.ts'

interface Problem { column?: string; message: Label }

/** What another field of the record says is wrong with the value in that column: a list of `{ column, message }`. */
export function problemsAt(record: RecordData, { problems }: Pick<ListColumn, 'problems'>): Label[] {
  const told = problems && record[problems.field]
  return Array.isArray(told) ? (told as unknown as Problem[]).filter(({ column }) => column === problems!.column).map(({ message }) => message) : []
}
