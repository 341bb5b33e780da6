/** One line of the benchmark: what was measured, and compared with what. */
export interface Result {
  name: string
  unit: string
  ours: number
  /** The same work done by hand, in the same run. */
  yardstick?: { name: string; value: number }
  /** At most this multiple of the yardstick (`ratio`), or at most this many of the unit (`value`). */
  aim?: { ratio: number } | { value: number }
  /** Every sample, or whatever else is worth recording. */
  samples?: Record<string, unknown>
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
export const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]

/** Zero is not a yardstick. */
export const ratioOf = ({ ours, yardstick }: Result): number | undefined =>
  yardstick && yardstick.value !== 0 ? ours / yardstick.value : undefined
export function isReached(result: Result): boolean | undefined {
  const { aim, ours } = result
  if (!aim) return undefined
  return 'ratio' in aim ? (ratioOf(result) ?? Infinity) <= aim.ratio : ours <= aim.value
}

const round = (value: number) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2))

/** A missed aim is printed as plainly as a reached one. */
export function resultLine(result: Result): string {
  const { name, unit, ours, yardstick, aim } = result
  const ratio = ratioOf(result)
  const reached = isReached(result)
  return [
    name.padEnd(52),
    `${round(ours)} ${unit}`.padStart(11),
    (yardstick ? `${yardstick.name} ${round(yardstick.value)} ${unit}` : '').padStart(34),
    (ratio === undefined ? '' : `× ${ratio.toFixed(2)}`).padStart(8),
    (aim === undefined ? '' : 'ratio' in aim ? `aim × ${aim.ratio}` : `aim ${aim.value} ${unit}`).padStart(12),
    reached === undefined ? '' : reached ? 'reached' : 'MISSED',
  ]
    .join('  ')
    .trimEnd()
}
