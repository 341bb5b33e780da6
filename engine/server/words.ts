import type { Entity, Field, RecordData, Value, WidgetContext } from '../schema/model.ts'
import { seesWhole } from './access.ts'
import type { Context } from './runtime.ts'

export const widgetContext = ({ derived, now }: Pick<Context, 'derived' | 'now'>, field: Field): WidgetContext => ({
  label: field.label,
  dictionary: (name) => derived.catalog.dictionaries[name],
  now: () => now,
})

/** A value as one line of text in the request's language; '' where there is none. */
export function textOf(context: Context, field: Field, value: Value | undefined): string {
  if (value === null || value === undefined) return ''
  return context.derived.widget(field).text(value, field.options, widgetContext(context, field), context.language)
}

/** What those see who may not see the whole; a widget without a mask hides everything. */
export function masked(context: Pick<Context, 'derived'>, field: Field, value: Value): Value {
  if (value === null) return null
  const widget = context.derived.widget(field)
  return widget.mask ? widget.mask(value, field.options) : '******'
}

/** The record as this user may see it. */
export function withMasks(context: Context, entity: Entity, record: RecordData): RecordData {
  const shown = { ...record }
  for (const field of Object.values(entity.fields)) {
    const value = shown[field.name]
    if (value === undefined || value === null) continue
    const { protect } = context.derived.widget(field)
    if (protect === 'hash') delete shown[field.name]
    else if (protect === 'encrypt')
      shown[field.name] = masked(context, field, context.runtime.secrets.decrypt(String(value)))
    else if (!seesWhole(context, entity, field)) shown[field.name] = masked(context, field, value)
  }
  return shown
}
