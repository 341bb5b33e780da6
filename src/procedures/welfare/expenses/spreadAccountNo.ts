import { sql } from 'kysely'
import type { Procedure } from '../../../../engine/server/runtime.ts'
import { updateRecords } from '../../../../engine/server/records/write.ts'
import { column, entityOf, isAnyOf, readAll } from '../../settlement/stored.ts'
import { expenseLineOf, familyOf } from '../handling/family.ts'

/** A personal number that was corrected stands in the lines that are still open, too. */
export const spreadAccountNo: Procedure = async ({ context, db, entity, records }) => {
  const name = expenseLineOf(familyOf(context, entity))
  const lines = await readAll(
    context,
    db,
    name,
    [
      isAnyOf(
        'enrolment',
        records.map(({ id }) => id!),
      ),
      sql<boolean>`${column('stage')} = 'open'`,
    ],
    undefined,
    true,
  )
  const numbers = new Map(records.map(({ id, personalAccountNo }) => [id, personalAccountNo]))
  await updateRecords(
    context,
    db,
    entityOf(context, name),
    lines.map((old) => ({ old, record: { ...old, personalAccountNo: numbers.get(old.enrolment as number) ?? null } })),
  )
}
