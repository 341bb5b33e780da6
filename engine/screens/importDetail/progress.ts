import type { RecordData } from '../../model/model.ts'

/** The progress of a batch at a moment: `at` in milliseconds. */
export interface Progress {
  phase: 'reading' | 'writing' | 'undoing'
  done: number
  all: number | undefined
  at: number
}

const count = (batch: RecordData, field: string) => Number(batch[field] ?? 0)

/** A new value means that the rows have changed. */
export const stateOf = (batch: RecordData): string =>
  [
    batch.revision,
    ...['totalCount', 'successCount', 'skipCount', 'failCount'].map((field) => count(batch, field)),
  ].join()

/** Whether a job is processing it. */
export const isAtWork = ({ status }: RecordData): boolean => status === 'processing' || status === 'undoing'

/** Undefined if no job is running. While a file is being read, its length is unknown. */
export function progressOf(batch: RecordData, at: number): Progress | undefined {
  if (batch.status === 'undoing') {
    const done = count(batch, 'undoneCount')
    return { phase: 'undoing', done, all: done + count(batch, 'successCount'), at }
  }
  if (batch.status !== 'processing') return undefined
  if (!batch.decidedAt) return { phase: 'reading', done: count(batch, 'totalCount'), all: undefined, at }
  return {
    phase: 'writing',
    done: count(batch, 'successCount'),
    all: count(batch, 'createCount') + count(batch, 'updateCount'),
    at,
  }
}

/** The remaining time, in a suitable unit. */
export interface TimeLeft {
  unit: 'seconds' | 'minutes'
  n: number
}
const longest = 100

/** Rows a second since `from`, and the remaining time; undefined while unknown. */
export function paceOf(from: Progress | undefined, now: Progress): { rate?: number; left?: TimeLeft } {
  if (!from || from.phase !== now.phase || now.at <= from.at || now.done <= from.done) return {}
  const rate = (now.done - from.done) / ((now.at - from.at) / 1000)
  return {
    rate: Math.round(rate),
    ...(now.all !== undefined && { left: timeOf(Math.ceil((now.all - now.done) / rate)) }),
  }
}

const timeOf = (seconds: number): TimeLeft =>
  seconds < longest ? { unit: 'seconds', n: seconds } : { unit: 'minutes', n: Math.ceil(seconds / 60) }
