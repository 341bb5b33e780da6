import { clauseComma, joinedBy } from '../../model/language.ts'
import type { CallResult, Counted } from '../../model/model.ts'
import { fill } from '../errors.ts'

/** Turns a procedure's counts into a sentence, unless it returns its own message. */
export function withTallySummary<R extends Partial<CallResult>>(result: R): R {
  const counted = (result.tally ?? []).filter(({ n }) => n > 0)
  if (counted.length === 0) return result
  const parts = counted.map(({ label, n }) => fill(label, { n }))
  return { ...result, summary: joinedBy(clauseComma, parts) }
}

/** Adds up the counts of two parts. */
export function addTallies(array: readonly Counted[] = [], other: readonly Counted[] = []): Counted[] {
  const all = new Map<string, Counted>()
  for (const { label, n } of [...array, ...other]) {
    const key = JSON.stringify(label)
    all.set(key, { label, n: n + (all.get(key)?.n ?? 0) })
  }
  return [...all.values()]
}
