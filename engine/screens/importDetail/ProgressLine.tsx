import { useMemo, useRef } from 'react'
import type { RecordData } from '../../model/model.ts'
import { paceOf, progressOf } from './progress.ts'
import type { Progress } from './progress.ts'
import { useImportWords } from './useImportWords.ts'

const saying = { reading: 'checking', writing: 'writing', undoing: 'undoing' } as const

/** Progress, speed and remaining time; the batch as of that moment, in milliseconds. */
export function ProgressLine({ batch, at }: { batch: RecordData; at: number }) {
  const words = useImportWords()
  const now = useMemo(() => progressOf(batch, at), [batch, at])
  const begin = useRef<Progress>()
  if (begin.current?.phase !== now?.phase) begin.current = now
  if (!now) return null
  // The first rows are written all at once, so nothing can be counted until then.
  const isCounted = now.all !== undefined && now.done > 0
  const { rate, left } = paceOf(begin.current, now)
  const parts = [
    words(now.phase === 'writing' && now.done === 0 ? 'writingAll' : saying[now.phase], {
      n: now.done,
      all: now.all ?? 0,
    }),
    ...(rate === undefined ? [] : [words('rate', { n: rate })]),
    ...(left === undefined ? [] : [words(left.unit, { n: left.n })]),
    words('leave'),
  ]
  return (
    <div className="import-progress">
      <progress aria-label={words('progress')} max={now.all} value={isCounted ? now.done : undefined} />
      <span role="status">{parts.join(' · ')}</span>
    </div>
  )
}
