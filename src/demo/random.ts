/** A small seeded generator (mulberry32): the same seed gives the same demo data. */
export class Random {
  #state: number
  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }

  /** A whole number from `low` to `high`, inclusive. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }
  chance(probability: number): boolean {
    return this.next() < probability
  }
  pick<T>(items: readonly T[]): T {
    return items[this.integer(0, items.length - 1)]
  }

  /** Earlier items are more frequent, like common surnames. */
  pickFalling<T>(items: readonly T[]): T {
    return items[Math.floor(this.next() ** 1.8 * items.length)]
  }

  /** `count` different items, in their original order. */
  some<T>(items: readonly T[], count: number): T[] {
    const left = items.map((_, index) => index)
    const chosen = Array.from(
      { length: Math.min(count, items.length) },
      () => left.splice(this.integer(0, left.length - 1), 1)[0],
    )
    return chosen.sort((a, b) => a - b).map((index) => items[index])
  }

  /** By weight: `[['prepaid', 45], ['net30', 20]]`. */
  weighted<T>(choices: readonly (readonly [T, number])[]): T {
    let rest = this.next() * choices.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [choice, weight] of choices) if ((rest -= weight) < 0) return choice
    return choices[choices.length - 1][0]
  }

  digits(count: number): string {
    return Array.from({ length: count }, () => this.integer(0, 9)).join('')
  }
}
