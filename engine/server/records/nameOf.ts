import type { Entity, RecordData } from '../../model/model.ts'
import type { Context } from '../runtime.ts'
import { textOf } from './reading/words.ts'

/** What the record was called then, for a log that outlives it; nothing where not everybody may know. */
export function nameOf(context: Context, entity: Entity, record: RecordData): string | null {
  const field = entity.fields[entity.display]
  const isOpen =
    !entity.single && !field.sensitive && !context.derived.widget(field).protect && !context.derived.target(field)
  return (isOpen && textOf(context, field, record[field.name], 'cn')) || null
}
