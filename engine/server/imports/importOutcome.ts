import { outcomesOf } from '../../model/model.ts'
import type { Entity, ImportPlan, RecordData, Transition } from '../../model/model.ts'

const named = (entity: Entity, name: string): Transition | undefined =>
  entity.states.map(({ transitions }) => transitions[name]).find(Boolean)

/** The transition that follows a row with these values. */
export function outcomeOf(entity: Entity, { transition }: ImportPlan, record: RecordData): Transition | undefined {
  const name = typeof transition === 'object' ? transition.of[String(record[transition.by])] : transition
  return name === undefined ? undefined : named(entity, name)
}

/**
 * Fields that are read-only in forms but may be filled in by a row: those that its transitions prompt for, and the one
 * that selects the transition.
 */
export function promptedFields(entity: Entity, plan: ImportPlan): ReadonlySet<string> {
  const prompted = outcomesOf(plan).flatMap((name) => named(entity, name)?.form.map(({ field }) => field) ?? [])
  return new Set([...prompted, ...(typeof plan.transition === 'object' ? [plan.transition.by] : [])])
}
