import type pg from 'pg'

/** The most statements prepared per connection, because the database holds them in memory. */
const mostKept = 120
/** A statement used this often, on any connections, will be used again. */
const often = 3
/** How many statements are counted before the counts are reset. */
const mostCounted = 5_000
const longest = 30_000
/** Paging, counting and searching is planned again for each set of values, because one plan would not fit all. */
const isPlannedEachTime = (text: string) => /\blimit \$|\bcount\(\*\) filter\b|\bilike\b/.test(text)

const fewValues = 50
const fewCharacters = 10_000
/**
 * Statements for many records often fill the table that they read. A plan made while it was empty would scan it for
 * each value until it is analysed, so such a statement is planned again whenever its use has doubled.
 */
const isForMany = (values: readonly unknown[]) =>
  values.some((value) =>
    Array.isArray(value) ? value.length > fewValues : typeof value === 'string' && value.length > fewCharacters,
  )

/** By then the table is too large for a new plan to differ. */
const mostDoublings = 10

/** PostgreSQL's code if a result column of a prepared statement has changed its type since. */
export const otherResult = '0A000'

type RunQuery = (query: string | pg.QueryConfig, values?: unknown[]) => Promise<pg.QueryResult>

/** The prepared statements of one pool's connections, so that each is parsed and planned once per connection. */
export class PreparedStatements {
  readonly #uses = new Map<string, number>()
  readonly #names = new Map<string, string>()
  /** How often each statement was used for many records. */
  readonly #forMany = new Map<string, number>()
  /** Statement names from an earlier age are no longer used. */
  #age = 0

  /** Makes the connection prepare frequent statements. */
  keepIn(client: pg.ClientBase): void {
    const own = Object.getPrototypeOf(client) as { query(...given: unknown[]): unknown }
    const runQuery = (...given: unknown[]) => own.query.apply(client, given)
    const keeping = (...given: unknown[]): unknown => {
      const [text, values] = given
      if (given.length !== 2 || typeof text !== 'string' || !Array.isArray(values) || values.length === 0)
        return runQuery(...given)
      const name = this.#nameOf(text)
      if (name === undefined) return runQuery(...given)
      const plan = isForMany(values) ? `${name}_${this.#doublingsOf(text)}` : name
      return this.#runKept(runQuery as RunQuery, { name: plan, text, values })
    }
    client.query = keeping as typeof client.query
  }

  #doublingsOf(text: string): number {
    const times = (this.#forMany.get(text) ?? 0) + 1
    this.#forMany.set(text, times)
    return Math.min(mostDoublings, Math.floor(Math.log2(times)))
  }

  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known !== undefined || this.#names.size >= mostKept || text.length > longest || isPlannedEachTime(text))
      return known
    const times = (this.#uses.get(text) ?? 0) + 1
    if (times < often) {
      if (this.#uses.size >= mostCounted) this.#uses.clear()
      this.#uses.set(text, times)
      return undefined
    }
    this.#uses.delete(text)
    const name = `kept_${this.#age}_${this.#names.size}`
    this.#names.set(text, name)
    return name
  }

  async #runKept(
    runQuery: RunQuery,
    query: { name: string; text: string; values: unknown[] },
  ): Promise<pg.QueryResult> {
    try {
      return await runQuery(query)
    } catch (error) {
      if ((error as { code?: string }).code !== otherResult) throw error
      const known = this.#names.get(query.text)
      if (known !== undefined && query.name.startsWith(known)) {
        this.#age++
        this.#names.clear()
        this.#forMany.clear()
      }
      // Within a transaction nothing can be repeated: the caller starts it again.
      return runQuery(query.text, query.values).catch(() => {
        throw error
      })
    }
  }
}
