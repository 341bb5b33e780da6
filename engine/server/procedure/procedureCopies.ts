import { isVisible, isWritable } from '../../expression/verdict.ts'
import type { Entity, Field, RecordData, Value } from '../../model/model.ts'
import { verdictContext } from '../records/accept.ts'
import { recompute } from '../records/effects.ts'
import type { Context } from '../runtime.ts'

/**
 * The writable values of a record, its rows as new ones, which refer by their field `origin` to what they were copied
 * from. Empty rows begin with the defaults of their field.
 */
export function copyOf(context: Context, entity: Entity, record: RecordData, origin: string): RecordData {
  const copied = (field: Field): Value | undefined => {
    const target = context.derived.target(field)
    if (!target?.rows) return isWritable(field, context.derived.widgets) ? (record[field.name] ?? null) : undefined
    const rows = (record[field.name] ?? []) as RecordData[]
    const made = rows.map((row): RecordData => {
      const copy = {
        ...copyOf(context, target.entity, row, origin),
        ...target.rows!.where,
        ...(target.entity.fields[origin] && { [origin]: row.id }),
      }
      // Formulas may read the owner of a row.
      recompute(context, target.entity, copy)
      return copy
    })
    return made.length > 0 || !isVisible(entity, field, record, verdictContext(context, null))
      ? (made as Value)
      : structuredClone(field.default ?? null)
  }
  return Object.fromEntries(
    Object.values(entity.fields).flatMap((field): [string, Value][] => {
      const value = copied(field)
      return value === undefined ? [] : [[field.name, value]]
    }),
  )
}
