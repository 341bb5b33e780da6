import { setImmediate } from 'node:timers/promises'

/** Records that are worked out before other requests get their turn. */
const atATime = 50

/** Works out one after the other: whoever asks for a page meanwhile need not wait for all of them. */
export async function inTurn<T, R>(all: readonly T[], act: (one: T, index: number) => R): Promise<R[]> {
  const results: R[] = []
  for (const [index, one] of all.entries()) {
    if (index % atATime === atATime - 1) await setImmediate()
    results.push(act(one, index))
  }
  return results
}
