export type RowKey = 'next' | 'previous' | 'open' | 'edit' | 'tick'

interface Pressed {
  key: string
  /** A modifier key is pressed. */
  isModified: boolean
  /** The focus is on the row itself, not on something in it. */
  isOnRow: boolean
}

const everywhere: Record<string, RowKey> = { j: 'next', k: 'previous', e: 'edit' }
const onRow: Record<string, RowKey> = { ArrowDown: 'next', ArrowUp: 'previous', Enter: 'open', ' ': 'tick' }

/** What a key does in the rows of a list. */
export function rowKeyOf({ key, isModified, isOnRow }: Pressed): RowKey | undefined {
  if (isModified) return undefined
  return everywhere[key.toLowerCase()] ?? (isOnRow ? onRow[key] : undefined)
}

/** The index of the row after a step: without a current row the first or the last, and never outside the list. */
export function stepRow(count: number, at: number, step: 'next' | 'previous'): number | undefined {
  if (count === 0) return undefined
  if (at < 0) return step === 'next' ? 0 : count - 1
  return Math.min(count - 1, Math.max(0, at + (step === 'next' ? 1 : -1)))
}
