import type { Entity, RecordData } from '../../model/model.ts'
import type { Context } from '../runtime.ts'
import { textOf } from './reading/words.ts'

/** The record's name at the time, for a log that outlives it; undefined if it is sensitive. */
export function nameOf(context: Context, entity: Entity, record: RecordData): string | null {
  const field = entity.fields[entity.display]
  const isOpen =
    !entity.single && !field.sensitive && !context.derived.widget(field).protect && !context.derived.target(field)
  return (isOpen && textOf(context, field, record[field.name], context.derived.catalog.app.languages[0])) || null
}
