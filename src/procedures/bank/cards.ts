import type { Procedure } from '../../../engine/server/runtime.ts'
import { changeRecord, entityOf, isAnyOf, readAll } from '../settlement/stored.ts'

/**
 * A person has exactly one default card: a new one takes the place of the old, and the first is one whatever was said.
 */
export const keepDefaultCard: Procedure = async ({ context, db, records }) => {
  const entity = entityOf(context, 'personBankCard')
  for (const record of records) {
    const others = (
      await readAll(context, db, entity.name, [isAnyOf('person', [record.person as number])], undefined, true)
    ).filter(({ id }) => id !== record.id)
    if (record.isDefault !== true) {
      if (!others.some(({ isDefault }) => isDefault === true))
        await changeRecord(context, db, entity, record, { isDefault: true })
      continue
    }
    for (const other of others)
      if (other.isDefault === true) await changeRecord(context, db, entity, other, { isDefault: false })
  }
}
