/** How the database would execute queries. */
import type { PoolClient } from 'pg'
import type { Context, Db } from '../engine/server/runtime.ts'
import type { TestServer } from './server.ts'

export interface SentQuery {
  sql: string
  parameters: readonly unknown[]
}

/** The SQL statements that `act` sends. @param answer replaces the database's answers, so that nothing is executed */
export async function queriesBy(
  house: TestServer,
  act: (db: Db) => Promise<unknown>,
  answer?: (query: SentQuery) => object[],
): Promise<SentQuery[]> {
  const queries: SentQuery[] = []
  const executor = house.database.kysely.getExecutor()
  const noting = {
    transformQuery: executor.transformQuery.bind(executor),
    compileQuery: executor.compileQuery.bind(executor),
    executeQuery(query: SentQuery) {
      queries.push(query)
      return answer ? Promise.resolve({ rows: answer(query) }) : executor.executeQuery(query as never)
    },
  }
  await act({ getExecutor: () => noting } as unknown as Db)
  return queries
}

interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Index Cond'?: string
  'Recheck Cond'?: string
  Plans?: Node[]
}

/** Enough records to make reading all of them more expensive than using an index. */
const many = 1000

/** Fills the table, with different values in each record. */
export async function fill(context: Context, client: PoolClient, table: string): Promise<void> {
  const columns = Object.entries(context.derived.columns[table]).flatMap(([name, type]) =>
    name === 'id' || name === 'revision' || !/^(text|bigint|integer)$/.test(type) ? [] : [{ name, type }],
  )
  await client.query(`insert into "${table}" (${columns.map(({ name }) => `"${name}"`).join(', ')})
    select ${columns.map(({ type }) => `(n${type === 'text' ? " || repeat('x', 20)" : ''})::${type}`).join(', ')}
    from generate_series(1, ${many}) as n`)
  await client.query(`analyze "${table}"`)
}

/** The places in the query's plan that would read all records of the table. */
export async function scans(
  client: PoolClient,
  table: string,
  { sql: text, parameters }: SentQuery,
): Promise<string[]> {
  const { rows } = await client.query(`explain (format json) ${text}`, [...parameters])
  const found: string[] = []
  const walk = (node: Node) => {
    const isFound = node['Index Cond'] !== undefined || /=/.test(node['Recheck Cond'] ?? '')
    if (node['Relation Name'] === table && !isFound) found.push(`${node['Node Type']} of ${table}: ${text.slice(-500)}`)
    node.Plans?.forEach(walk)
  }
  walk(rows[0]['QUERY PLAN'][0].Plan)
  return found
}
