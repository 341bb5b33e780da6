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
 * Notes which row of the file has which value.
 * @returns the claims that an earlier row, or a row that was there before, has already: claim → that row's number
 */
export async function claimValues(
  db: Db,
  { plan, id }: ImportBatch,
  claims: readonly Claim[],
): Promise<Map<Claim, number>> {
  if (claims.length === 0) return new Map()
  const column = (name: keyof Claim) => claims.map((claim) => claim[name])
  await sql`insert into ${sql.table(valueTable)} (entity, batch_id, field, value, row_number)
    select ${plan.batches}, ${id}, field, value, min(row_number)
    from unnest(${column('field')}::text[], ${column('value')}::text[], ${column('row')}::bigint[]) as claim (field, value, row_number)
    group by field, value on conflict do nothing`.execute(db)
  const { rows } = await sql<{ field: string; value: string; row_number: number }>`
    select held.field, held.value, held.row_number from ${sql.table(valueTable)} as held
    join unnest(${column('field')}::text[], ${column('value')}::text[]) as claim (field, value) using (field, value)
    where entity = ${plan.batches} and batch_id = ${id}`.execute(db)
  const holders = new Map(rows.map((row) => [`${row.field}\n${row.value}`, row.row_number]))
  return new Map(
    claims.flatMap((claim) => {
      const holder = holders.get(`${claim.field}\n${claim.value}`)
      return holder === undefined || holder === claim.row ? [] : [[claim, holder]]
    }),
  )
}

/** A row that is changed says other values. */
export async function releaseValues(
  db: Db,
  { plan, id }: Pick<ImportBatch, 'plan' | 'id'>,
  row?: number,
): Promise<void> {
  await sql`delete from ${sql.table(valueTable)} where entity = ${plan.batches} and batch_id = ${id} ${row === undefined ? sql`` : sql`and row_number = ${row}`}`.execute(
    db,
  )
}
