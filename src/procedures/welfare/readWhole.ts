import { readStored } from '../../../engine/server/read.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import type { Condition } from '../../../engine/server/scope.ts'
import { canonicalRecord } from '../../../engine/server/stored.ts'
import type { RecordData } from '../../../engine/schema/model.ts'
import { asWhole, column, entityOf, isLive } from '../settlement/stored.ts'

/** Records with all of their rows, in canonical form, whatever the user may see. */
export async function readWhole(
  context: Context,
  db: Db,
  name: string,
  conditions: readonly Condition[],
  lock = false,
): Promise<RecordData[]> {
  const entity = entityOf(context, name)
  const rows = await readStored(asWhole(context), db, entity, [isLive, ...conditions], {
    rows: true,
    order: column('id'),
    lock,
  })
  return rows.map((row) => canonicalRecord(context, entity, row))
}
