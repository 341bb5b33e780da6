import type { ImportPlan } from '../../model/imports.ts'
import type { Entity, ScreenPlan } from '../../model/model.ts'
import type { Names } from '../named.ts'

/**
 * Fields, alone or combined, by which the engine itself finds records of each entity: the key of an import, the fields
 * by which a cell may name a record, and those of a `find`.
 */
export function lookedUpFields(
  entities: Readonly<Record<string, Entity>>,
  screens: readonly ScreenPlan[],
  { widgets }: Pick<Names, 'widgets'>,
): (entity: string) => readonly string[][] {
  const found = new Map<string, string[][]>()
  const note = (entity: string, ...keys: string[][]) => {
    const known = found.get(entity) ?? []
    found.set(entity, known)
    known.push(...keys.filter((key) => !known.some((other) => other.join() === key.join())))
  }
  for (const { body } of screens) {
    const { import: plan } = body as { import?: ImportPlan }
    if (!plan) continue
    note(plan.into, plan.key)
    for (const { field } of plan.columns) {
      const { type, options } = entities[plan.into].fields[field]
      const target = widgets[type].target?.(options)
      if (!target || target.rows) continue
      const { code, display } = entities[target.entity]
      note(target.entity, ...(code === undefined ? [] : [[code]]), [display])
    }
  }
  for (const { fields } of Object.values(entities))
    for (const { computed } of Object.values(fields))
      if (computed?.kind === 'find') note(computed.entity, ...computed.in.map((field) => [field]))
  return (entity) => found.get(entity) ?? []
}
