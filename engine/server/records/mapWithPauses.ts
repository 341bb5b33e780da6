import { setImmediate } from 'node:timers/promises'

/** Records processed before other requests get their turn. */
const atATime = 50

/**
 * Processes items in sequence with pauses, so that other requests need not wait for all of them.
 * @param weigh how many ordinary records an item counts for
 */
export async function mapWithPauses<T, R>(
  all: readonly T[],
  act: (item: T, index: number) => R,
  weigh: (item: T) => number = () => 1,
): Promise<R[]> {
  const results: R[] = []
  let weight = 0
  for (const [index, item] of all.entries()) {
    weight += weigh(item)
    if (weight >= atATime) {
      await setImmediate()
      weight = 0
    }
    results.push(act(item, index))
  }
  return results
}
