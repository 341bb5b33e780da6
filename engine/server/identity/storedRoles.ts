import { sql } from 'kysely'
import { rolePatterns } from '../../schema/tools/whoMay.ts'
import { roleCode, roleEntity } from '../../model/identityNames.ts'
import type { Catalog, RecordData, Widget } from '../../model/model.ts'
import type { Database } from '../postgres/database.ts'
import { enabled } from './identity.ts'
import type { GivenRole } from '../../schema/tools/explained.ts'

/** The roles as stored in a database, with the administrators' changes; disabled ones grant nothing. */
export async function storedRoles(
  { kysely }: Pick<Database, 'kysely'>,
  { entities }: Pick<Catalog, 'entities'>,
  widgets: Readonly<Record<string, Widget>>,
): Promise<GivenRole[]> {
  if (!Object.hasOwn(entities, roleEntity)) return []
  const entity = entities[roleEntity]
  const { rows } = await sql<RecordData>`select * from ${sql.ref(roleEntity)}
    where "deletedAt" is null order by id`.execute(kysely)
  return rows
    .filter(({ status }) => status === undefined || status === enabled)
    .map((row) => ({
      code: String(row[roleCode] ?? row[entity.display]),
      patterns: rolePatterns(entity, widgets, row),
    }))
}
