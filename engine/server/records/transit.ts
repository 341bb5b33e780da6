import type { PromptedField, Entity, RecordData, Transition, Value } from '../../model/model.ts'
import { checkRules } from '../../expression/verdict.ts'
import { invalid, Refusal } from '../errors.ts'
import type { Context } from '../runtime.ts'
import { verdictContext } from './accept.ts'
import { apply } from './apply.ts'
import type { Change } from './Change.ts'
import { applySets, isTrue, recompute, scopeOf } from './effects.ts'
import { accepted, problemsOf } from './judge.ts'
import { openedForPrompts } from './openedEntity.ts'
import { changedFields } from './reading/canonical.ts'
import { lockRecords } from './save.ts'
import type { Work } from './Work.ts'

/** A record, and the values of its form. */
export interface Transited {
  id: number
  values?: Record<string, Value>
}

/** Takes one record through a transition. @throws Refusal as `callOperation`, except permission. */
export const transit = (work: Work, entity: Entity, transition: Transition, transited: Transited): Promise<void> =>
  transitAll(work, entity, transition, [transited])

/**
 * The same for several, in as many statements as for one; if one is refused, all are. Effects of one transition do not
 * influence the conditions of another.
 */
export async function transitAll(
  work: Work,
  entity: Entity,
  transition: Transition,
  all: readonly Transited[],
): Promise<void> {
  const { context, db } = work
  const given = new Map(all.map(({ id, values }) => [id, values]))
  const stored = await lockRecords(context, db, entity, [...given.keys()])
  for (const old of stored) {
    if (!isPossible(context, entity, transition, old)) throw new Refusal('notAllowed')
    refuseBroken(context, entity, transition.guards, old)
  }
  const records = await filled(
    work,
    entity,
    transition.form,
    stored.map((old) => ({ old, values: given.get(old.id!) })),
  )
  await apply(
    work,
    records.map((record, index) => transitionChange(context, entity, transition, record, stored[index])),
  )
}

/** Whether the record is in a state that it leads from, and meets its condition. */
export const isPossible = (context: Context, entity: Entity, { from, field, when }: Transition, record: RecordData) =>
  from.includes(String(record[field])) && isTrue(context, entity, when, scopeOf(context, entity, record, record))

/** Checks its guards. @throws Refusal notAllowed, with the message of the first one that fails. */
export function refuseBroken(context: Context, entity: Entity, guards: Transition['guards'], record: RecordData): void {
  const [broken] = checkRules(entity, guards, record, verdictContext(context, record))
  if (broken) throw new Refusal('notAllowed', { text: broken.message, problems: [broken] })
}

/**
 * The change made by a transition: the record with the values prompted for and set, and the old one if there is one.
 */
export function transitionChange(
  context: Context,
  entity: Entity,
  transition: Transition,
  record: RecordData,
  old: RecordData | null,
): Change {
  const changed = changedFields(entity, old, record)
  record[transition.field] = transition.to
  applySets(context, entity, transition, record, scopeOf(context, entity, record, old, changed))
  recompute(context, entity, record)
  return { entity, record, old, action: transition.name, effects: [transition], changed, touched: true }
}

/**
 * The records with the values of the fields prompted for; only those may be given, even by users who may otherwise
 * write other fields.
 * @throws Refusal invalid: the first refusal.
 */
export async function filled(
  { context, db }: Work,
  entity: Entity,
  prompted: readonly PromptedField[],
  all: readonly { old: RecordData; values?: Record<string, Value> }[],
): Promise<RecordData[]> {
  const seen = openedForPrompts(entity, prompted)
  const taken = await accepted(
    context,
    db,
    all.map(({ old, values = {} }) => ({ entity: seen, values, old })),
  )
  const fields = prompted.map(({ field }) => field)
  const judged = await problemsOf(
    context,
    db,
    taken.map(({ record, problems }, index) => ({
      entity: seen,
      record,
      old: all[index].old,
      already: problems,
      fields,
    })),
  )
  for (const [index, { problems }] of taken.entries()) {
    const found = [...problems, ...judged[index]]
    if (found.length > 0) throw invalid(found)
  }
  return taken.map(({ record }) => record)
}
