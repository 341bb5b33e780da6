/** Pseudo-random numbers, the same for a seed on every machine. */
export function randomOf(seed: number) {
  let state = seed >>> 0
  const next = (): number => {
    // A linear congruential generator with mixing: good enough to choose by, and for nothing else.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    let mixed = state ^ (state >>> 15)
    mixed = Math.imul(mixed, 0x2c1b3c6d)
    mixed ^= mixed >>> 12
    return (mixed >>> 0) / 2 ** 32
  }
  const below = (count: number) => Math.floor(next() * count)
  return {
    below,
    chance: (share: number) => next() < share,
    pick: <T>(from: readonly T[]): T => from[below(from.length)],
  }
}
export type Random = ReturnType<typeof randomOf>
