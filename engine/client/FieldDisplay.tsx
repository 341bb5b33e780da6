import type { Field, Value } from '../model/model.ts'
import { fieldText } from './fieldText.ts'
import { useViews } from './useViews.ts'
import { useEngine } from './view.ts'

/** A read-only value: the widget's own display, or its text. */
export function FieldDisplay({ value, field }: { value: Value | undefined; field: Field }) {
  const engine = useEngine()
  const Display = useViews([field.type])[field.type]?.Display
  if (value === null || value === undefined) return <>-</>
  return Display ? (
    <Display value={value} field={field} label={engine.text(field.label)} />
  ) : (
    <>{fieldText(value, field, engine)}</>
  )
}
