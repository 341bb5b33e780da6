import type { Database } from '../../../engine/server/postgres/database.ts'
import { quote } from '../../../engine/server/postgres/quote.ts'
import { columns, levels } from './fields.ts'
import type { BenchField } from './fields.ts'

type Pool = Database['pool']

const units = 20

/** Rows of the wide table and the units that they refer to. */
export async function fillWide(pool: Pool, count: number): Promise<void> {
  await pool.query(`insert into "benchUnit" (code, name, "createdAt", "updatedAt")
    select 'U' || lpad(n::text, 3, '0'), '第' || n || '服务单位', now(), now() from generate_series(1, ${units}) n`)
  const names = columns.map(({ name }) => quote(name)).join(', ')
  const values = columns.map((field, index) => expression(field, index)).join(', ')
  await pool.query(`insert into wide (${names}, "searchText", "createdAt", "updatedAt")
    select ${values}, '示范企业' || n, now(), now() from generate_series(1, ${count}) n`)
  await pool.query('analyze wide')
}

function expression({ type }: BenchField, index: number): string {
  switch (type) {
    case 'text':
      return `'示范企业' || n || '第${index}项资料'`
    case 'integer':
      return `(n * 7 + ${index}) % 1000`
    case 'money':
      return `((n * 31 + ${index * 977}) % 10000000) / 100.0`
    case 'date':
      return `date '2024-01-01' + (n + ${index})::integer % 700`
    case 'choice':
      return `(array[${levels.map(({ value }) => `'${value}'`).join(', ')}])[(n + ${index}) % ${levels.length} + 1]`
    case 'phone':
      return "'138' || lpad(n::text, 8, '0')"
    case 'reference':
      return `(select min(id) from "benchUnit") + (n + ${index}) % ${units}`
  }
}
