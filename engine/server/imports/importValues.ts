import { sql } from 'kysely'
import type { Db } from '../runtime.ts'
import type { ImportBatch } from './importFile.ts'
import { valueTable } from './importTables.ts'

export interface Claim {
  field: string
  value: string
  row: number
}

/**
 * Records which row of the file has which value.
 * @param again most of them were recorded before, so they are looked up first
 * @returns the claims that an earlier row, or a previous row, already has: claim → that row's number
 */
export async function claimValues(
  db: Db,
  batch: ImportBatch,
  claims: readonly Claim[],
  again: boolean,
): Promise<Map<Claim, number>> {
  const holders = new Map<string, number>()
  const open = () => claims.filter((claim) => !holders.has(keyOf(claim)))
  const take = (rows: readonly Held[]) => {
    for (const row of rows) holders.set(keyOf(row), row.row_number)
  }
  if (again) take(await heldOf(db, batch, claims))
  take(await noteNew(db, batch, open()))
  take(await heldOf(db, batch, open()))
  return new Map(
    claims.flatMap((claim) => {
      const holder = holders.get(keyOf(claim))
      return holder === undefined || holder === claim.row ? [] : [[claim, holder]]
    }),
  )
}

interface Held {
  field: string
  value: string
  row_number: number
}

const keyOf = ({ field, value }: Pick<Claim, 'field' | 'value'>) => `${field}\n${value}`

/** Those that no row had. */
async function noteNew(db: Db, { plan, id }: ImportBatch, claims: readonly Claim[]): Promise<Held[]> {
  if (claims.length === 0) return []
  const column = (name: keyof Claim) => claims.map((claim) => claim[name])
  const { rows } = await sql<Held>`insert into ${sql.table(valueTable)} (entity, batch_id, field, value, row_number)
    select ${plan.batches}, ${id}, field, value, min(row_number)
    from unnest(${column('field')}::text[], ${column('value')}::text[], ${column('row')}::bigint[]) as claim (field, value, row_number)
    group by field, value on conflict do nothing returning field, value, row_number`.execute(db)
  return rows
}

async function heldOf(db: Db, { plan, id }: ImportBatch, claims: readonly Claim[]): Promise<Held[]> {
  if (claims.length === 0) return []
  // The database has no statistics about a new batch and would compare each claim with all values of the file; the
  // limit makes it look them up one by one.
  const { rows } = await sql<Held>`select held.field, held.value, held.row_number
    from unnest(${claims.map(({ field }) => field)}::text[], ${claims.map(({ value }) => value)}::text[]) as claim (field, value)
    cross join lateral (select field, value, row_number from ${sql.table(valueTable)} as kept
      where kept.entity = ${plan.batches} and kept.batch_id = ${id} and kept.field = claim.field and kept.value = claim.value limit 1) as held`.execute(
    db,
  )
  return rows
}

/** A changed row has other values. */
export async function releaseValues(
  db: Db,
  { plan, id }: Pick<ImportBatch, 'plan' | 'id'>,
  row?: number,
): Promise<void> {
  await sql`delete from ${sql.table(valueTable)} where entity = ${plan.batches} and batch_id = ${id} ${row === undefined ? sql`` : sql`and row_number = ${row}`}`.execute(
    db,
  )
}
