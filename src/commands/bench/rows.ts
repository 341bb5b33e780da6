import type { Database } from '../../../engine/server/database.ts'
import { quote } from '../../../engine/server/quote.ts'
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

interface Copied {
  table: string
  columns: string[]
  unique: string[]
  times: string[]
}

/**
 * Multiplies the demo data's customers, with their contacts and approvals, until there are so many, set-based in the
 * database. What must be unique gets a number, and what happened happened a little earlier.
 */
export async function multiplyCustomers(pool: Pool, total: number): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query("set maintenance_work_mem = '512MB'")
    // What is copied refers to what is there.
    await client.query('set session_replication_role = replica')
    const read = async <T>(text: string, values: unknown[] = []) => (await client.query(text, values)).rows as T[]
    const [{ base, highest }] = await read<{ base: number; highest: number }>(
      'select count(*) as base, max(id) as highest from customer',
    )
    const copies = Math.ceil(total / base) - 1
    if (copies <= 0) return
    const describe = async (table: string): Promise<Copied> => {
      const all = await read<{ name: string; type: string }>(
        `select column_name as name, data_type as type from information_schema.columns
        where table_name = $1 and is_generated = 'NEVER' and column_name <> 'id'`,
        [table],
      )
      // Of one column and of text: a longer one holds the customer.
      const unique = await read<{ name: string }>(
        `select a.attname as name from pg_index i
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
        where i.indrelid = $1::regclass and i.indisunique and i.indnkeyatts = 1 and a.atttypid = 'text'::regtype`,
        [quote(table)],
      )
      const names = (of: { name: string }[]) => of.map(({ name }) => name)
      return {
        table,
        columns: names(all),
        unique: names(unique),
        times: names(all.filter(({ type }) => type.startsWith('timestamp'))),
      }
    }
    const children = await read<{
      table: string
      column: string
    }>(`select c.relname as table, a.attname as column from pg_constraint k
      join pg_class c on c.oid = k.conrelid join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
      where k.contype = 'f' and k.confrelid = 'customer'::regclass and k.conrelid <> k.confrelid`)
    const customer = await describe('customer')
    const rows = await Promise.all(children.map(async ({ table, column }) => ({ ...(await describe(table)), column })))

    // Building an index over what is there is far faster than keeping it while rows arrive.
    const tables = [customer, ...rows].map(({ table }) => table)
    const indexes = await read<{ name: string; definition: string }>(
      `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
      from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = any($1::regclass[]) and not i.indisunique`,
      [tables.map(quote)],
    )
    for (const { name } of indexes) await client.query(`drop index ${quote(name)}`)
    const copy = (
      { table, columns: names, unique, times }: Copied,
      id: string,
      from: string,
      replaced: Record<string, string>,
    ) => {
      const value = (name: string) =>
        replaced[name] ??
        (unique.includes(name)
          ? `${quote(name)} || '-' || copy`
          : times.includes(name)
            ? `${quote(name)} - copy * interval '11 minutes'`
            : quote(name))
      return client.query(`insert into ${quote(table)} (${id ? 'id, ' : ''}${names.map(quote).join(', ')})
        select ${id ? `${id}, ` : ''}${names.map(value).join(', ')}
        from ${quote(table)}, generate_series(1, ${copies}) as copy where ${from}`)
    }
    const moved = `+ ${highest} * copy`
    await copy(customer, `id ${moved}`, `id <= ${highest}`, {
      searchText: '"searchText" || \'-\' || copy',
      code: `'C' || lpad((id ${moved})::text, 7, '0')`,
      payerNames: '(select jsonb_agg(item || \'-\' || copy) from jsonb_array_elements_text("payerNames") as item)',
      uscc: socialCreditCode(`lpad((id ${moved})::text, 9, '0')`),
    })
    for (const child of rows) {
      await copy(child, '', `${quote(child.column)} <= ${highest}`, {
        [child.column]: `${quote(child.column)} ${moved}`,
      })
    }
    for (const { definition } of indexes) await client.query(definition)
    await client.query("select setval(pg_get_serial_sequence('customer', 'id'), (select max(id) from customer))")
    for (const table of tables) await client.query(`vacuum (analyze) ${quote(table)}`)
    // What making them leaves to be written is not serving.
    await client.query('checkpoint')
  } finally {
    client.release(true)
  }
}

/** Another organisation in the same place, with its check character: a save judges the whole record. */
function socialCreditCode(organisation: string): string {
  const alphabet = "'0123456789ABCDEFGHJKLMNPQRTUWXY'"
  const weights = 'array[1,3,9,27,19,26,16,17,20,29,25,13,8,24,10,30,28]'
  const sum = `sum((strpos(${alphabet}, substr(body, place, 1)) - 1) * (${weights})[place])`
  return `(select body || substr(${alphabet}, ((31 - ${sum} % 31) % 31 + 1)::integer, 1)
    from (select left(uscc, 8) || ${organisation} as body) as code, generate_series(1, 17) as place group by body)`
}
