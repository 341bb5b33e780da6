import { sql } from 'kysely'
import { invalid } from '../../../engine/server/errors.ts'
import type { Procedure } from '../../../engine/server/runtime.ts'
import { tableOf } from '../../../engine/server/scope.ts'

/**
 * The number of an app's version comes after those of all others of its platform: phones go by it.
 * @throws Refusal invalid.
 */
export const checkVersion: Procedure = async ({ context, db, entity, records }) => {
  for (const { id, platform, versionNumber } of records) {
    const {
      rows: [{ last }],
    } = await sql<{
      last: number | null
    }>`select max("versionNumber") as last from ${tableOf(context, context.derived.catalog.entities[entity])}
      where platform = ${platform} and id <> ${id} and "deletedAt" is null`.execute(db)
    if (last === null || Number(versionNumber) > last) continue
    throw invalid([
      {
        field: 'versionNumber',
        code: 'notLater',
        message: {
          cn: `版本号须大于该平台已有的最大版本号${last}`,
          en: `The version number must be above the last one of the platform, ${last}`,
        },
      },
    ])
  }
}
