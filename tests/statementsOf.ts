import pg from 'pg'

/** Sent once a minute, whatever is asked for. */
const sessionSeen = 'update system_session set last_seen_at'

/** A value that is the same as before, such as the time within one second, is not set: which columns are differs. */
const withoutColumns = (text: string): string =>
  text.replace(/( as target set ).*?( where target\.id = source)/s, '$1…$2')

/** The queries that are sent to the database meanwhile: text → how often. */
export async function queriesOf(act: () => Promise<unknown>): Promise<Map<string, number>> {
  const client = pg.Client.prototype as unknown as { query(...given: unknown[]): unknown }
  const { query } = client
  const asked = new Map<string, number>()
  client.query = function counted(...given) {
    const [first] = given as [string | { text?: string }]
    const text = typeof first === 'string' ? first : String(first.text)
    const said = withoutColumns(text)
    if (!text.startsWith(sessionSeen)) asked.set(said, (asked.get(said) ?? 0) + 1)
    return query.apply(this, given)
  }
  try {
    await act()
  } finally {
    client.query = query
  }
  return asked
}

/** The number of queries that are sent to the database meanwhile. */
export async function statementsOf(act: () => Promise<unknown>): Promise<number> {
  return [...(await queriesOf(act)).values()].reduce((sum, times) => sum + times, 0)
}

/** The queries that were sent more often for many records than for few, with how often: `2 → 20 select …`. */
export const moreOften = (few: ReadonlyMap<string, number>, many: ReadonlyMap<string, number>): string[] =>
  [...many]
    .filter(([text, times]) => times > (few.get(text) ?? 0))
    .map(([text, times]) => `${few.get(text) ?? 0} → ${times} ${text.replace(/\s+/g, ' ').slice(0, 200)}`)
