import type { PromptedField, Entity, FieldProblem, Value } from '../../model/model.ts'
import { requiredProblem } from '../../expression/worded.ts'
import { invalid } from '../errors.ts'
import type { Context } from '../runtime.ts'
import { storedValue } from './reading/canonical.ts'
import { widgetContext } from './reading/words.ts'

/** The form's values, each valid by itself, without any others. @throws Refusal invalid. */
export function promptedValues(
  context: Context,
  entity: Entity,
  form: readonly PromptedField[],
  values: Record<string, Value>,
): Record<string, Value> {
  const found: FieldProblem[] = []
  const given = form.flatMap(({ field: name, required, label }): [string, Value][] => {
    const field = entity.fields[name]
    if (field.computed) return []
    const widget = context.derived.widget(field)
    const value = widget.normalize(values[name] ?? null, field.options)
    const problem =
      value === null
        ? undefined
        : widget.check(value, field.options, widgetContext(context, label ? { ...field, label } : field))
    if (problem) found.push({ field: name, ...problem })
    else if (value === null && required) found.push({ field: name, ...requiredProblem(widget, label ?? field.label) })
    return value === null ? [] : [[name, storedValue(context, field, value)]]
  })
  if (found.length > 0) throw invalid(found)
  return Object.fromEntries(given)
}
