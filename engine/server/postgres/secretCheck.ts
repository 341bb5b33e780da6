import { sql } from 'kysely'
import type { Catalog, Widget } from '../../model/model.ts'
import type { Database } from './database.ts'
import type { Db } from '../db.ts'
import type { Secrets } from './secrets.ts'
import { changeTables } from './changeTables.ts'

/** A known text, stored encrypted to test the key with. */
const mark = 'formwork'

export interface SecretCheck {
  database: Database
  secrets: Secrets
  catalog: Catalog
  widgets: Record<string, Widget>
}

/**
 * Checks that the key is the one that this database's secrets are encrypted with. The first start stores a mark to test
 * it; a database of an earlier version is tested with one of its secrets. @throws with a sentence for the operator.
 */
export const checkSecretKey = ({ database, secrets, catalog, widgets }: SecretCheck): Promise<void> =>
  changeTables(database, async (db) => {
    await sql`create table if not exists system_secret (id integer primary key check (id = 1), mark text not null)`.execute(
      db,
    )
    const {
      rows: [kept],
    } = await sql<{ mark: string }>`select mark from system_secret`.execute(db)
    const known = kept?.mark ?? (await anySecret(db, catalog, widgets))
    if (known !== undefined && !opens(secrets, known))
      throw new Error(
        'This is not the key that the secrets of this database are encrypted with. Take secret.key of the data folder, or SECRET_KEY, ' +
          'from the server that has worked on it, or from its backup.',
      )
    if (!kept) await sql`insert into system_secret (id, mark) values (1, ${secrets.encrypt(mark)})`.execute(db)
  })

function opens(secrets: Secrets, text: string): boolean {
  try {
    secrets.decrypt(text)
    return true
  } catch {
    return false
  }
}

/** The tables may be missing, or still be those of an earlier version. */
async function anySecret(db: Db, catalog: Catalog, widgets: Record<string, Widget>): Promise<string | undefined> {
  for (const { name, fields } of Object.values(catalog.entities)) {
    const table = catalog.tables[name]?.name
    for (const field of Object.values(fields)) {
      if (widgets[field.type]?.protect !== 'encrypt' || table === undefined) continue
      const { rows: columns } = await sql`select 1 from information_schema.columns
        where table_schema = 'public' and table_name = ${table} and column_name = ${field.name}`.execute(db)
      if (columns.length === 0) continue
      const {
        rows: [row],
      } = await sql<{ secret: string }>`select ${sql.ref(field.name)} as secret from ${sql.table(table)}
        where ${sql.ref(field.name)} is not null limit 1`.execute(db)
      if (row) return row.secret
    }
  }
  return undefined
}
