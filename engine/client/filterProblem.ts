import type { Field, FilterValue, Label, Operator } from '../model/model.ts'
import type { EngineContext } from './view.ts'

/** Why the ends of a range, or one of its values, cannot be read; a filter may reach beyond the bounds of its field. */
export function filterProblem(
  field: Field,
  operator: Operator,
  value: FilterValue | undefined,
  { widgets, dictionary, now }: Pick<EngineContext, 'widgets' | 'dictionary' | 'now'>,
): Label | undefined {
  const widget = widgets[field.type]
  if (!widget.operators.includes('between') || !['between', 'overlaps', 'equals'].includes(operator)) return undefined
  const options = { ...field.options, min: undefined, max: undefined }
  return [value?.[operator] ?? null]
    .flat()
    .filter((each) => each !== null)
    .map((each) => widget.check(each, options, { label: field.label, dictionary, now })?.message)
    .find((message) => message !== undefined)
}
