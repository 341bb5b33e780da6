/** Numbers of contracts that were made in earlier months; those of this month the series itself gives. */
export class ContractNumbers {
  readonly #month: string
  readonly #counts = new Map<string, number>()
  constructor(today: string) { this.#month = today.slice(0, 7) }

  /** @param day when the contract was made, `yyyy-MM-dd` */
  next(category: 'service' | 'labor', day: string): string | null {
    const month = day.slice(0, 7)
    if (month >= this.#month) return null
    const prefix = `${category === 'service' ? 'FW' : 'LD'}${month.replace('-', '')}`
    const count = (this.#counts.get(prefix) ?? 0) + 1
    this.#counts.set(prefix, count)
    return prefix + String(count).padStart(category === 'service' ? 4 : 5, '0')
  }
}
