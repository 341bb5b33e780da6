import { setImmediate } from 'node:timers/promises'

/** Records processed before other requests get their turn. */
const atATime = 50

/** Processes items in sequence with pauses, so that other requests need not wait for all of them. */
export async function mapWithPauses<T, R>(all: readonly T[], act: (item: T, index: number) => R): Promise<R[]> {
  const results: R[] = []
  for (const [index, item] of all.entries()) {
    if (index % atATime === atATime - 1) await setImmediate()
    results.push(act(item, index))
  }
  return results
}
