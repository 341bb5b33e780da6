import { sql } from 'kysely'
import type { Database } from '../postgres/database.ts'
import { changeTables } from '../postgres/changeTables.ts'

/** The phase that a batch waits for: reading and checking, writing, undoing, or nothing. */
export type Phase = 'reading' | 'writing' | 'undoing' | 'done'

/** One row for each batch: the job's phase and progress. It changes in the transaction of the work itself. */
export const jobTable = 'system_import'
/** Which row of a file has which value: the first one that contains it. */
export const valueTable = 'system_import_value'

const valueKey = 'primary key (batch_id, field, value, entity)'

const statements = [
  `create table if not exists ${jobTable} (
    entity text not null, batch_id bigint not null, phase text not null, cursor bigint not null default 0, columns jsonb,
    stepped_at timestamptz not null default clock_timestamp(), failures integer not null default 0, retry_at timestamptz, primary key (entity, batch_id))`,
  // The user for whom the job runs: who uploaded the file, or undoes the import.
  `alter table ${jobTable} add column if not exists by_user bigint`,
  // The uploaded file, which belongs to one batch alone, unless it could not be read.
  `alter table ${jobTable} add column if not exists file text`,
  `create unique index if not exists ${jobTable}_file on ${jobTable} (file)`,
  // The first work of what is under way, the writing or the undo.
  `alter table ${jobTable} add column if not exists act bigint`,
  `create index if not exists ${jobTable}_waiting on ${jobTable} (stepped_at) where phase <> 'done'`,
  `create table if not exists ${valueTable} (
    entity text collate "C" not null, batch_id bigint not null, field text collate "C" not null,
    value text collate "C" not null, row_number bigint not null, ${valueKey})`,
  // Tables made before: comparing by the rules of a language, and the entity first, takes half as long again.
  `do $$ begin
    if exists (select from pg_attribute where attrelid = '${valueTable}'::regclass and attname = 'value'
      and attcollation <> 'pg_catalog."C"'::regcollation) then
      alter table ${valueTable} alter column entity type text collate "C", alter column field type text collate "C",
        alter column value type text collate "C", drop constraint ${valueTable}_pkey, add ${valueKey};
    end if;
  end $$`,
]

export const createImportTables = (database: Database): Promise<void> =>
  changeTables(database, async (transaction) => {
    for (const statement of statements) await sql.raw(statement).execute(transaction)
  })
