import { sql } from 'kysely'
import type { Entity } from '../../model/model.ts'
import { Refusal } from '../errors.ts'
import { appendedAction } from './history.ts'
import { byEntity, type Change } from './Change.ts'
import { stepLabel } from './stepLabel.ts'
import type { Work } from './Work.ts'

type Done = Pick<Change, 'entity' | 'old' | 'action' | 'changed'>

/**
 * Checks that nobody does two of an entity's `fourEyes` steps on one record: a user who did an earlier step since the
 * later one was last done may not do the later one. Steps of the system belong to nobody. @throws Refusal fourEyes.
 */
export async function keepFourEyes({ context, db }: Work, changes: readonly Done[]): Promise<void> {
  const user = context.user.id
  if (!user) return
  for (const [entity, group] of byEntity(changes)) {
    const steps = entity.fourEyes ?? []
    for (const [place, step] of steps.entries()) {
      const ids = group.filter((change) => change.old && isStep(entity, step, change)).map(({ old }) => old!.id!)
      if (place === 0 || ids.length === 0) continue
      for (const earlier of steps.slice(0, place)) {
        const { rows } = await sql`select 1 from system_history as h
          where entity = ${entity.name} and record_id = any(${ids}::bigint[]) and user_id = ${user} and ${was(entity, earlier)}
            and id > coalesce((select max(id) from system_history
              where entity = ${entity.name} and record_id = h.record_id and ${was(entity, step)}), 0) limit 1`.execute(
          db,
        )
        if (rows.length > 0) throw new Refusal('fourEyes', { parameters: { step: stepLabel(entity, earlier) } })
      }
    }
  }
}

/**
 * Who created these records, or did the first of the entity's `fourEyes` steps, since the last step was done: nobody else
 * has looked at what they entered.
 */
export async function unwatched({ db }: Work, entity: Entity, ids: readonly number[]): Promise<number[]> {
  const [first, last] = [entity.fourEyes?.at(0), entity.fourEyes?.at(-1)]
  if (first === undefined || last === undefined || ids.length === 0) return []
  const { rows } = await sql<{ user: number }>`select distinct user_id as "user" from system_history as h
    where entity = ${entity.name} and record_id = any(${ids}::bigint[]) and user_id is not null
      and (action in ('create', ${appendedAction}) or ${was(entity, first)})
      and id > coalesce((select max(id) from system_history
        where entity = ${entity.name} and record_id = h.record_id and ${was(entity, last)}), 0)`.execute(db)
  return rows.map(({ user }) => user)
}

function isStep(entity: Entity, step: string, { action, changed }: Done): boolean {
  if (step !== 'edit') return action === step
  const entered = enteredFields(entity)
  return !otherActions(entity).includes(action) && changed.some((name) => entered.includes(name))
}

/** The same condition for a row of the history. */
const was = (entity: Entity, step: string) =>
  step === 'edit'
    ? sql<boolean>`(action <> all(${otherActions(entity)}::text[]) and changes->'fields' ?| ${enteredFields(entity)}::text[])`
    : sql<boolean>`action = ${step}`

/** Actions that are not edits: an edit has many names, such as a form, a cell, an import, or an undo. */
const otherActions = ({ states, actions }: Entity): string[] => [
  'create',
  appendedAction,
  'delete',
  ...states.flatMap(({ transitions }) => Object.keys(transitions)),
  ...Object.keys(actions),
]

/** Fields that the system maintains, such as when a card was last paid to, are nobody's edit. */
const enteredFields = ({ fields }: Entity): string[] =>
  Object.values(fields).flatMap(({ name, readOnly, computed }) => (readOnly || computed ? [] : [name]))
