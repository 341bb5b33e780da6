import pg from 'pg'

/** Sent once a minute, whatever the request. */
const sessionSeen = 'update system_session set last_seen_at'

/** Removes the columns of updates: unchanged values, such as a time within the same second, are not set. */
const withoutColumns = (text: string): string =>
  text.replace(/( as target set ).*?( where target\.id = source)/s, '$1…$2')

/** The queries sent to the database during `act`: text → count. */
export async function queriesOf(act: () => Promise<unknown>): Promise<Map<string, number>> {
  const client = pg.Client.prototype as unknown as { query(...given: unknown[]): unknown }
  const { query } = client
  const counts = new Map<string, number>()
  client.query = function counted(...given) {
    const [first] = given as [string | { text?: string }]
    const text = typeof first === 'string' ? first : String(first.text)
    const statement = withoutColumns(text)
    if (!text.startsWith(sessionSeen)) counts.set(statement, (counts.get(statement) ?? 0) + 1)
    return query.apply(this, given)
  }
  try {
    await act()
  } finally {
    client.query = query
  }
  return counts
}

/** The number of queries sent to the database during `act`. */
export async function statementsOf(act: () => Promise<unknown>): Promise<number> {
  return [...(await queriesOf(act)).values()].reduce((sum, times) => sum + times, 0)
}

/** The queries sent more often for many records than for few, each with both counts: `2 → 20 select …`. */
export const moreOften = (few: ReadonlyMap<string, number>, many: ReadonlyMap<string, number>): string[] =>
  [...many]
    .filter(([text, times]) => times > (few.get(text) ?? 0))
    .map(([text, times]) => `${few.get(text) ?? 0} → ${times} ${text.replace(/\s+/g, ' ').slice(0, 200)}`)
