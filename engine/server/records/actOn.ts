import type { PromptedField, Entity, EntityAction, RecordData, Value } from '../../model/model.ts'
import { applySets, isTrue, recompute, scopeOf } from './effects.ts'
import { Refusal } from '../errors.ts'
import { lockRecord } from './save.ts'
import { changedFields, isUnchanged } from './reading/canonical.ts'
import { apply } from './apply.ts'
import { filled, refuseBroken } from './transit.ts'
import type { Work } from './Work.ts'

/** An action may both set fields and run a procedure, which then gets the records as written. */
export const runsOnAll = (action: EntityAction): action is EntityAction & { run: string } =>
  action.run !== undefined && !action.update

/** @throws Refusal notAllowed, invalid. */
export function checkAction({ context }: Work, entity: Entity, action: EntityAction, record: RecordData): void {
  if (!isTrue(context, entity, action.when, scopeOf(context, entity, record, record))) throw new Refusal('notAllowed')
  refuseBroken(context, entity, action.guards, record)
}

/** An action that sets fields, on one record. */
export async function actOn(
  work: Work,
  entity: Entity,
  action: EntityAction,
  request: { id: number; values?: Record<string, Value> },
): Promise<void> {
  const { context, db } = work
  const promptedFields: PromptedField[] = [
    ...action.form,
    ...(action.update ?? [])
      .filter((name) => !action.form.some(({ field }) => field === name))
      .map((field) => ({ field, required: false })),
  ]
  // Fields left empty are unchanged.
  const values = Object.fromEntries(
    Object.entries(request.values ?? {}).filter(
      ([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  )
  const old = await lockRecord(context, db, entity, request.id)
  checkAction(work, entity, action, old)
  const [record] = await filled(work, entity, promptedFields, [{ old, values }])
  const changed = changedFields(entity, old, record)
  applySets(context, entity, action, record, scopeOf(context, entity, record, old, changed))
  recompute(context, entity, record)
  const goesFurther = action.append.length + action.updates.length + action.notify.length > 0
  if (isUnchanged(entity, old, record) && !goesFurther) return
  await apply(work, [{ entity, record, old, action: action.name, effects: [action], changed }])
}
