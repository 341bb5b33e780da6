import type { Field, Value } from '../model/model.ts'
import type { EngineContext } from './view.ts'

/** A value as one line of plain text in the interface language; '' if it is missing. */
export function fieldText(value: Value | undefined, field: Field, engine: EngineContext): string {
  const widget = engine.widgets[field.type]
  if (value === null || value === undefined) return ''
  const { dictionary, now, language } = engine
  return widget ? widget.text(value, field.options, { label: field.label, dictionary, now }, language) : String(value)
}
