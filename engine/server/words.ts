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
    else if (protect === 'encrypt') shown[field.name] = masked(context, field, context.runtime.secrets.decrypt(String(value)))
    else if (!seesWhole(context, entity, field)) shown[field.name] = masked(context, field, value)
    else shown[field.name] = withMaskedChanges(context, entity, value)
  }
  return shown
}

/** Changes that a record keeps of itself, or of the one it tells about (`changes()`: field → [before, after]), as this user may see those fields. */
export function withMaskedChanges(context: Context, entity: Entity, value: Value): Value {
  const isChanges = typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every((pair) => Array.isArray(pair) && pair.length === 2)
  if (!isChanges) return value
  const owner = entity.scope && 'via' in entity.scope ? context.derived.target(entity.fields[entity.scope.via])!.entity : entity
  const keep = (name: string, one: Value): Value => withMasks(context, owner, { [name]: one })[name] ?? null
  return Object.fromEntries(Object.entries(value).map(([name, pair]) => {
    const rows = owner.fields[name] && context.derived.target(owner.fields[name])?.rows && context.derived.target(owner.fields[name])!.entity
    return [name, (pair as Value[]).map((one) => rows && Array.isArray(one) ? one.map((row) => withMasks(context, rows, row as RecordData) as Value) : keep(name, one))]
  }))
}
