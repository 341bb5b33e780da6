import type { RecordData } from '../model/model.ts'

/** The nearest row after (or before) a record that matches. */
export function neighbourOf(
  rows: readonly RecordData[],
  { id }: RecordData,
  step: 1 | -1,
  fits: (record: RecordData) => boolean,
): RecordData | undefined {
  const at = rows.findIndex((row) => row.id === id)
  if (at < 0) return undefined
  for (let index = at + step; index >= 0 && index < rows.length; index += step) {
    if (fits(rows[index])) return rows[index]
  }
  return undefined
}

/** Entity → the records, in order, of the list from which a record was last opened. */
const trails = new Map<string, readonly number[]>()

export const layTrail = (entity: string, records: readonly RecordData[]): void =>
  void trails.set(
    entity,
    records.map(({ id }) => id!),
  )

export interface TrailPlace {
  previous?: number
  next?: number
  /** Starts at 1. */
  number: number
  count: number
}

/** The record's position in the list that it was opened from; undefined if there is none, or if it is the only one. */
export function placeOnTrail(entity: string, id: number): TrailPlace | undefined {
  const ids = trails.get(entity) ?? []
  const at = ids.indexOf(id)
  if (at < 0 || ids.length < 2) return undefined
  return { previous: ids[at - 1], next: ids[at + 1], number: at + 1, count: ids.length }
}
