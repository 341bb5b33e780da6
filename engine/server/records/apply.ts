import { isUnchanged } from './reading/canonical.ts'
import { appendedChanges } from './appendedChanges.ts'
import { byEntity, type Change } from './Change.ts'
import { drawnLocks } from './drawnRecords.ts'
import { keepFourEyes } from './fourEyes.ts'
import { recordHistory } from './history.ts'
import { keepAdministrator } from './keepAdministrator.ts'
import { type Lock, lockTogether } from './lockTogether.ts'
import { keepLimits } from './limits.ts'
import { notify } from './notify.ts'
import { goOn } from './procedures.ts'
import { type Referring, referredChanges, referringOf } from './referredChanges.ts'
import type { Work } from './Work.ts'
import { bringBack, insertRecords, softDelete, updateRecords } from './write.ts'

/**
 * Writes changes and everything that follows from them, in the same order for every caller: a form, a cell, a
 * transition, an action, an imported row, a daily rule, a procedure. Changes that follow in other records belong to the
 * same work and also go through here.
 * @throws Refusal invalid, and whatever a procedure refuses.
 */
export async function apply(work: Work, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return
  await keepFourEyes(work, changes)
  const referred = referringOf(work, changes)
  await lockOthers(work, changes, referred)
  await write(work, changes)
  for (const referring of referred) await apply(work, await referredChanges(work, referring))
  await apply(work, appendedChanges(work, changes))
  await keepLimits(work, changes)
  await keepAdministrator(
    work,
    changes.filter(({ deleted }) => deleted),
  )
  await goOn(work, changes)
  await notify(work, changes)
  await recordHistory(work, changes)
}

/** The records that these draw on, and those that they update; a single lock is left to the statement that needs it. */
async function lockOthers({ context, db }: Work, changes: readonly Change[], referred: Referring[][]): Promise<void> {
  const drawn = [...byEntity(changes)].flatMap(([entity, group]) =>
    drawnLocks(
      context,
      entity,
      group.flatMap(({ record, old }) => [record, old]),
    ),
  )
  const updated = referred.map((group): Lock => ({
    entity: context.derived.catalog.entities[group[0].update.entity],
    ids: group.map(({ target }) => target),
  }))
  const locks = [...drawn, ...updated]
  if (locks.length > 1) await lockTogether(context, db, locks)
}

async function write({ context, db }: Work, changes: readonly Change[]): Promise<void> {
  for (const [entity, group] of byEntity(changes)) {
    const added = group.filter(({ old }) => old === null)
    const deleted = group.filter((change) => change.deleted)
    const updated = group.flatMap(({ record, old, plain, touched, restored, deleted: gone }) =>
      old && !gone && (touched || restored || !isUnchanged(entity, old, record, plain)) ? [{ record, old, plain }] : [],
    )
    await insertRecords(
      context,
      db,
      entity,
      added.map(({ record }) => record),
    )
    const restored = group.filter((change) => change.restored).map(({ record }) => record)
    await bringBack(context, db, entity, restored)
    await updateRecords(context, db, entity, updated)
    await softDelete(
      context,
      db,
      entity,
      deleted.map(({ record }) => record.id!),
    )
    for (const { record, old } of deleted) record.revision = old!.revision! + 1
  }
}
