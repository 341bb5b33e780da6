import type { ImportPlan, RecordData } from '../../engine/model/model.ts'
import type { TestServer } from '../server.ts'

/** The content of a database: table → its rows, with their positions. */
type Stored = Map<string, { place: string; row: RecordData }[]>

/** Everything that a change writes, without what differs between any two writes. */
export interface Outcome {
  /** Table and id → a new record as a whole; for an existing one, [before, after] of each changed column. */
  records: Record<string, RecordData>
  history: RecordData[]
  messages: RecordData[]
}

/** Tables that belong to the process rather than to the data. */
const lasting = ['system_session', 'system_overlay']

async function tablesOf({ database }: TestServer): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by tablename",
  )
  return rows.map(({ name }) => name).filter((name) => !lasting.includes(name))
}

async function read({ database }: TestServer, tables: readonly string[]): Promise<Stored> {
  const all = tables.map(
    (name) => `select '${name}' as name, ctid::text as place, to_jsonb(t) as row from "${name}" as t`,
  )
  const { rows } = await database.pool.query<{ name: string; place: string; row: RecordData }>(all.join(' union all '))
  const stored: Stored = new Map(tables.map((name) => [name, []]))
  for (const { name, place, row } of rows) stored.get(name)!.push({ place, row })
  return stored
}

/** The state from which every way starts, and to which each is rolled back. */
export async function moment(house: TestServer) {
  const tables = await tablesOf(house)
  const before = await read(house, tables)
  const { pool } = house.database
  const { rows: sequences } = await pool.query<{ name: string; value: string | null }>(
    "select quote_ident(sequencename) as name, last_value as value from pg_sequences where schemaname = 'public'",
  )

  /** @returns the outcome of `act`, which is then rolled back */
  async function outcomeOf(plan: ImportPlan, act: () => Promise<void>): Promise<Outcome> {
    await act()
    const after = await read(house, tables)
    const changed = tables.flatMap((name) => {
      const [was, is] = [before, after].map(
        (all) => new Map(all.get(name)!.map((each) => [JSON.stringify(each.row), each])),
      )
      const gone = [...was.values()].filter(({ row }) => !is.has(JSON.stringify(row)))
      const come = [...is.values()].filter(({ row }) => !was.has(JSON.stringify(row)))
      return gone.length + come.length > 0 ? [{ name, gone, come }] : []
    })
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query('set constraints all deferred')
      for (const { name, gone, come } of changed) {
        await client.query(`delete from "${name}" where ctid = any($1::tid[])`, [come.map(({ place }) => place)])
        await client.query(`insert into "${name}" select * from jsonb_populate_recordset(null::"${name}", $1)`, [
          JSON.stringify(gone.map(({ row }) => row)),
        ])
      }
      await client.query('commit')
    } finally {
      client.release()
    }
    for (const { name, value } of sequences)
      await pool.query('select setval($1, $2, $3)', [name, value ?? 1, value !== null])
    return outcome(
      plan,
      ['create', 'update', 'import', ...Object.keys(house.runtime.derived.catalog.entities[plan.into].actions)],
      changed,
    )
  }
  return { outcomeOf }
}

interface Changed {
  name: string
  gone: { row: RecordData }[]
  come: { row: RecordData }[]
}

/** Replaces the times on the day of the test, which are those of the writes, even within texts. */
const timeless = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value).replace(/2026-03-15[T ]\d\d:\d\d:\d\d/g, 'now')) as T

/** A time rewritten within the same second cannot be distinguished. */
const isNothing = (value: unknown): boolean => JSON.stringify(value) === '["now","now"]'
const withoutTimes = (fields: RecordData): RecordData =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !isNothing(value)))

/** Imports run in the background, where no request has an address. */
const addresses = ['ip', 'client']
const stamps = ['updatedAt', 'updatedBy']

function outcome(plan: ImportPlan, saves: readonly string[], changed: readonly Changed[]): Outcome {
  const ofTheFile = (name: string) => name === plan.batches || name === plan.rows
  const records: Outcome['records'] = {}
  for (const { name, gone, come } of changed) {
    if (name.startsWith('system_') || name === 'message' || ofTheFile(name)) continue
    const was = new Map(gone.map(({ row }) => [row.id, row]))
    for (const { row } of come) {
      const old = was.get(row.id)
      records[`${name} ${row.id}`] = old
        ? Object.fromEntries(
            Object.keys(row)
              .filter((column) => !stamps.includes(column))
              .filter((column) => JSON.stringify(row[column]) !== JSON.stringify(old[column]))
              .map((column) => [column, [old[column] ?? null, row[column] ?? null]]),
          )
        : Object.fromEntries(Object.entries(row).filter(([column]) => !addresses.includes(column)))
    }
    for (const { row } of gone) if (!come.some((each) => each.row.id === row.id)) records[`${name} ${row.id}`] = {}
  }
  const added = (table: string) => changed.find(({ name }) => name === table)?.come.map(({ row }) => row) ?? []
  const history = added('system_history')
    .filter(({ entity, changes }) => !ofTheFile(String(entity)) && !(changes as unknown as { aside?: true }).aside)
    .map(({ entity, record_id, label, action, user_id, changes }) => ({
      entity,
      record_id,
      label,
      // Only the action's name distinguishes a save, an action and an import.
      action: entity === plan.into && saves.includes(String(action)) ? 'save' : action,
      user_id,
      changes,
    }))
  const messages = added('message')
    .filter(({ type }) => type !== 'importFinished')
    .map(({ type, title, content, link, receiver }) => ({ type, title, content, link, receiver }))
  const result = timeless({ records, history, messages })
  return {
    records: Object.fromEntries(Object.entries(result.records).map(([key, record]) => [key, withoutTimes(record)])),
    history: sorted(result.history.map((each) => withFields(each, withoutTimes))),
    messages: sorted(result.messages),
  }
}

const sorted = (rows: RecordData[]): RecordData[] =>
  rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

/** A history entry with its fields changed. */
function withFields(row: RecordData, change: (fields: RecordData) => RecordData): RecordData {
  const changes = row.changes as unknown as { fields?: RecordData }
  return changes.fields ? { ...row, changes: { ...changes, fields: change(changes.fields) } as never } : row
}

/** Leaves out the fields in which ways may differ: those of the written record, and `entity.field` of others. */
export function without({ records, history, messages }: Outcome, table: string, fields: readonly string[]): Outcome {
  const restOf = (tableName: string, record: RecordData): RecordData =>
    Object.fromEntries(
      Object.entries(record).filter(
        ([name]) => !fields.includes(`${tableName}.${name}`) && !(tableName === table && fields.includes(name)),
      ),
    )
  const rest = (record: RecordData) => restOf(table, record)
  return {
    records: Object.fromEntries(
      Object.entries(records).map(([key, record]) => [key, restOf(key.split(' ')[0], record)]),
    ),
    history: history.map((each) => (each.entity === table ? withFields(each, rest) : each)),
    messages,
  }
}
