import type { Field, Value } from '../model/model.ts'
import type { EngineContext } from './view.ts'

/** One line of plain text for a value, in the language of the interface; nothing where it is missing. */
export function fieldText(value: Value | undefined, field: Field, engine: EngineContext): string {
  const widget = engine.widgets[field.type]
  if (value === null || value === undefined) return ''
  const { dictionary, now, language } = engine
  return widget ? widget.text(value, field.options, { label: field.label, dictionary, now }, language) : String(value)
}
