import type {
  PromptedField,
  CallRequest,
  Entity,
  EntityAction,
  RecordData,
  Transition,
  Value,
} from '../../model/model.ts'
import { fill, invalid, problems as messages } from '../errors.ts'
import type { Context, Db } from '../runtime.ts'
import { lockRecords } from './save.ts'
import { canonicalRecord, isEqual } from './reading/canonical.ts'
import { promptedValues } from './promptedValues.ts'
import { onlyVisible } from './visibleReferences.ts'
import { drawnLocks } from './drawnRecords.ts'
import { lockTogether, type Lock } from './lockTogether.ts'
import type { Work } from './Work.ts'
import { requestedIds, requestedIdsFor } from './requestedIds.ts'
import { runsOnAll, checkAction } from './actOn.ts'

/** The validated records and values for a procedure. @throws Refusal if the call cannot be carried out. */
export async function validateCall(
  work: Work,
  entity: Entity,
  called: Transition | EntityAction,
  request: CallRequest,
): Promise<{ records: RecordData[]; values: Record<string, Value> }> {
  const { context, db } = work
  const ids = 'to' in called ? requestedIds(request) : requestedIdsFor(context, entity, called, request)
  const locks = knownLocks(context, entity, called, ids, request)
  if (locks.length > 1) await lockTogether(context, db, locks)
  const records = await lockRecords(context, db, entity, ids)
  const isAction = !('to' in called) && runsOnAll(called)
  if (isAction) for (const record of records) checkAction(work, entity, called, record)
  // Values that a record already has need not be sent.
  const form = isAction ? called.form : called.form.map((field) => ({ ...field, required: false }))
  const values = promptedValues(context, entity, form, request.values ?? {})
  await refuseHidden(context, db, entity, form, values)
  return { records, values }
}

/** The records themselves, and the records that the form's values draw on. */
function knownLocks(
  context: Context,
  entity: Entity,
  { form }: Transition | EntityAction,
  ids: readonly number[],
  { values = {} }: CallRequest,
): Lock[] {
  const given = form.flatMap(({ field }) => (Object.hasOwn(values, field) ? [[field, values[field]]] : []))
  const drawn = drawnLocks(context, entity, [canonicalRecord(context, entity, Object.fromEntries(given) as RecordData)])
  return [{ entity, ids }, ...drawn.map((lock) => ({ ...lock, weak: false }))]
}

/**
 * Checks that the user may see the records referred to, because a procedure uses whatever it gets; a save treats others
 * as unknown too.
 * @throws Refusal invalid.
 */
async function refuseHidden(
  context: Context,
  db: Db,
  entity: Entity,
  form: readonly PromptedField[],
  values: Record<string, Value>,
): Promise<void> {
  const given = canonicalRecord(context, entity, values)
  const seen = await onlyVisible(context, db, entity, given)
  const hidden = form.filter(({ field }) => !isEqual(seen[field], given[field]))
  if (hidden.length > 0) {
    throw invalid(
      hidden.map(({ field, label }) => ({
        field,
        code: 'reference',
        message: fill(messages.reference, { label: label ?? entity.fields[field].label }),
      })),
    )
  }
}
