import pg from 'pg'

/** The number of queries that are sent to the database meanwhile. */
export async function statementsOf(act: () => Promise<unknown>): Promise<number> {
  const client = pg.Client.prototype as unknown as { query(...given: unknown[]): unknown }
  const { query } = client
  let count = 0
  client.query = function counted(...given) {
    count++
    return query.apply(this, given)
  }
  try {
    await act()
  } finally {
    client.query = query
  }
  return count
}
