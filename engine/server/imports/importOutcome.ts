import { outcomesOf } from '../../model/model.ts'
import type { Entity, ImportPlan, RecordData, Transition } from '../../model/model.ts'

const named = (entity: Entity, name: string): Transition | undefined =>
  entity.states.map(({ transitions }) => transitions[name]).find(Boolean)

/** What follows a row that says this. */
export function outcomeOf(entity: Entity, { transition }: ImportPlan, record: RecordData): Transition | undefined {
  const name = typeof transition === 'object' ? transition.of[String(record[transition.by])] : transition
  return name === undefined ? undefined : named(entity, name)
}

/**
 * The fields that a row may fill in although forms only read them: what its transitions ask for, and what tells which
 * of them follows.
 */
export function askedFields(entity: Entity, plan: ImportPlan): ReadonlySet<string> {
  const asked = outcomesOf(plan).flatMap((name) => named(entity, name)?.form.map(({ field }) => field) ?? [])
  return new Set([...asked, ...(typeof plan.transition === 'object' ? [plan.transition.by] : [])])
}
