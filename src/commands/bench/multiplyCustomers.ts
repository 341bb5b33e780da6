import type { Database } from '../../../engine/server/postgres/database.ts'
import { quote } from '../../../engine/server/postgres/quote.ts'
import { withoutForeignKeys } from './withoutForeignKeys.ts'

type Pool = Database['pool']
type Read = <T>(text: string, values?: unknown[]) => Promise<T[]>

/**
 * Customers and the entities that their own fields show or aggregate. What belongs to a person or to a document
 * (deductions, wages, expenses) is unique within that, so it stays with the first ones.
 */
const multiplied = [
  'customer',
  'customerContact',
  'customerApproval',
  'contract',
  'person',
  'statement',
  'receipt',
  'receiptMatch',
]

interface Copied {
  table: string
  columns: { name: string; isTime: boolean; isUnique: boolean; target: string | null }[]
  /** The offset of its ids in each copy. */
  highest: number
}

/**
 * Multiplies the demo data's customers up to this number, set-based in the database. Unique values get a number,
 * references point to the same copy of their target, and dates move back a little.
 */
export async function multiplyCustomers(pool: Pool, total: number): Promise<void> {
  const client = await pool.connect()
  try {
    const read: Read = async <T>(text: string, values: unknown[] = []) => (await client.query(text, values)).rows as T[]
    await read('set statement_timeout = 0')
    await read("set maintenance_work_mem = '512MB'")
    const [{ base }] = await read<{ base: number }>('select count(*) as base from customer')
    const copies = Math.ceil(total / base) - 1
    if (copies <= 0) return
    const described: Copied[] = []
    for (const table of multiplied) described.push(await describe(read, table))

    // Building an index over existing rows is far faster than maintaining it while rows arrive.
    const indexes = await read<{ name: string; definition: string }>(
      `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
      from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = any($1::regclass[]) and not i.indisunique`,
      [multiplied.map(quote)],
    )
    for (const { name } of indexes) await read(`drop index ${quote(name)}`)
    const moved = new Map(described.map(({ table, highest }) => [table, ` + ${highest} * copy`]))
    await withoutForeignKeys(read, multiplied, async () => {
      for (const { table, columns, highest } of described) {
        const own = table === 'customer' ? customerValues(`(id${moved.get(table)!})`) : {}
        const value = ({ name, isTime, isUnique, target }: Copied['columns'][number]) =>
          own[name] ??
          (target !== null && moved.has(target)
            ? quote(name) + moved.get(target)!
            : isUnique
              ? `${quote(name)} || '-' || copy`
              : isTime
                ? `${quote(name)} - copy * interval '11 minutes'`
                : quote(name))
        await read(`insert into ${quote(table)} (${columns.map(({ name }) => quote(name)).join(', ')})
          select ${columns.map(value).join(', ')} from ${quote(table)}, generate_series(1, ${copies}) as copy where id <= ${highest}`)
      }
    })
    for (const { definition } of indexes) await read(definition)
    for (const table of multiplied) {
      await read(
        `select setval(pg_get_serial_sequence($1, 'id'), (select coalesce(max(id), 1) from ${quote(table)}))`,
        [quote(table)],
      )
      await read(`vacuum (analyze) ${quote(table)}`)
    }
    // Flushes the new rows to disk, so that this is not measured as serving; not every user may.
    const [{ may }] = await read<{ may: boolean }>("select pg_has_role('pg_checkpoint', 'usage') as may")
    if (may) await read('checkpoint')
  } finally {
    client.release(true)
  }
}

/** The id refers to its own table: it moves like whatever refers to it. */
async function describe(read: Read, table: string): Promise<Copied> {
  const [{ highest }] = await read<{ highest: number }>(`select coalesce(max(id), 0) as highest from ${quote(table)}`)
  // Unique texts of one column get a number; if there are several columns, one of them is the owner.
  const columns = await read<Copied['columns'][number]>(
    `select a.attname as name, a.atttypid::regtype::text like 'timestamp%' as "isTime",
      a.atttypid = 'text'::regtype and exists (select from pg_index i
        where i.indrelid = a.attrelid and i.indisunique and i.indnkeyatts = 1 and i.indkey[0] = a.attnum) as "isUnique",
      case when a.attname = 'id' then $2 else (select c.relname from pg_constraint k join pg_class c on c.oid = k.confrelid
        where k.contype = 'f' and k.conrelid = a.attrelid and k.conkey[1] = a.attnum limit 1) end as target
    from pg_attribute a where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''`,
    [quote(table), table],
  )
  return { table, columns, highest }
}

/** Copies are valid by what a save checks of a customer. */
const customerValues = (id: string): Record<string, string> => ({
  searchText: '"searchText" || \'-\' || copy',
  code: `'C' || lpad(${id}::text, 7, '0')`,
  payerNames: '(select jsonb_agg(item || \'-\' || copy) from jsonb_array_elements_text("payerNames") as item)',
  uscc: socialCreditCode(`lpad(${id}::text, 9, '0')`),
})

/** Another organisation in the same place, with its check character. */
function socialCreditCode(organisation: string): string {
  const alphabet = "'0123456789ABCDEFGHJKLMNPQRTUWXY'"
  const weights = 'array[1,3,9,27,19,26,16,17,20,29,25,13,8,24,10,30,28]'
  const sum = `sum((strpos(${alphabet}, substr(body, place, 1)) - 1) * (${weights})[place])`
  return `(select body || substr(${alphabet}, ((31 - ${sum} % 31) % 31 + 1)::integer, 1)
    from (select left(uscc, 8) || ${organisation} as body) as code, generate_series(1, 17) as place group by body)`
}
