import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SentQuery, queriesBy, fill, scans } from '../../../tests/plans.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import { systemUser } from '../identity/access.ts'
import type { Context, Db } from '../runtime.ts'
import { createContext } from '../identity/session.ts'
import type { Entity, Value } from '../../model/model.ts'
import { findExisting, mayBeEmpty } from './importExisting.ts'
import { findReferences } from './importReferences.ts'
import type { ImportBatch } from './importFile.ts'
import { createImportTables, valueTable } from './importTables.ts'
import { claimValues } from './importValues.ts'
import { takenValues } from '../records/unique.ts'

let house: TestServer
let context: Context
beforeAll(async () => {
  house = await createTestServer({ indexed: true })
  context = createContext(house.runtime, systemUser, 'cn')
})
afterAll(() => house?.close())

/** A value that fits the column. */
function valueOf({ name: entity }: Entity, name: string): Value {
  const type = context.derived.columns[entity][name]
  return /int|numeric/.test(type)
    ? 1
    : type === 'date'
      ? '2026-01-01'
      : type.endsWith(']') || type === 'jsonb'
        ? ['X']
        : 'X'
}

test('an import finds everything by an index, however many records there are', async () => {
  const { derived } = context
  const queries: { table: string; proposal: SentQuery }[] = []
  const note = async (table: string, act: (db: Db) => Promise<unknown>) =>
    queries.push(...(await queriesBy(house, act)).map((each) => ({ table, proposal: each })))
  for (const plan of derived.imports.values()) {
    const entity = derived.catalog.entities[plan.into]
    const row = Object.fromEntries(plan.key.map((name) => [name, valueOf(entity, name)]))
    const sparse = Object.fromEntries(plan.key.map((name) => [name, mayBeEmpty(plan, name) ? null : row[name]]))
    await note(entity.name, (db) => findExisting(context, db, plan, [row, sparse], false))
    const unique = Object.values(entity.fields).filter((field) => field.unique || field.uniqueWithin)
    const wanted = unique.flatMap((field) => {
      const proposal = { owner: field.name, field, value: valueOf(entity, field.name) }
      return field.uniqueWithin === undefined
        ? [proposal]
        : [
            { ...proposal, within: 1 },
            { ...proposal, within: null },
          ]
    })
    await note(entity.name, (db) => takenValues(context, db, entity, wanted))
    for (const field of plan.columns.map((column) => entity.fields[column.field])) {
      const target = derived.target(field)
      if (target && !target.rows && !target.entity.tree)
        await note(target.entity.name, (db) => findReferences(context, db, field, ['X']))
    }
  }
  const client = await house.database.pool.connect()
  const found = new Set<string>()
  try {
    await client.query('begin')
    for (const table of new Set(queries.map((each) => each.table))) await fill(context, client, table)
    for (const { table, proposal } of queries) for (const scan of await scans(client, table, proposal)) found.add(scan)
  } finally {
    await client.query('rollback')
    client.release()
  }
  expect(found).toEqual(new Set())
})

test('finds each value of a large file by the index, even before the database has statistics', async () => {
  const [plan] = context.derived.imports.values()
  const batch = { plan, id: 1 } as ImportBatch
  const claims = Array.from({ length: 500 }, (_, n) => ({ field: 'name', value: `${n}`, row: n }))
  const [claimQuery] = await queriesBy(house, (db) => claimValues(db, batch, claims, true))
  const client = await house.database.pool.connect()
  try {
    await client.query('begin')
    await client.query(
      `insert into ${valueTable} select $1, 1, 'name', n, n from generate_series(1, 20000) as n on conflict do nothing`,
      [plan.batches],
    )
    const { rows } = await client.query(`explain (format json) ${claimQuery.sql}`, [...claimQuery.parameters])
    expect(JSON.stringify(rows)).toMatch(/"Index Cond":"[^"]*\(value = /)
  } finally {
    await client.query('rollback')
    client.release()
  }
})

test('values of a file that an earlier version checked are kept, under the key of today', async () => {
  const { pool } = house.database
  await pool.query(`drop table ${valueTable}`)
  await pool.query(`create table ${valueTable} (
    entity text not null, batch_id bigint not null, field text not null, value text not null, row_number bigint not null,
    primary key (entity, batch_id, field, value))`)
  await pool.query(`insert into ${valueTable} values ('customerImport', 7, 'name', '甲', 2)`)
  for (let starts = 0; starts < 2; starts++) await createImportTables(house.database)
  const { rows } = await pool.query(`select * from ${valueTable}`)
  expect(rows).toMatchObject([{ entity: 'customerImport', batch_id: 7, field: 'name', value: '甲', row_number: 2 }])
  const { rows: keys } = await pool.query(`select pg_get_indexdef('${valueTable}_pkey'::regclass) as key`)
  expect(keys[0].key).toMatch(/\(batch_id, field, value, entity\)$/)
})
