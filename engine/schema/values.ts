import type { Dictionary, Label, Value, WidgetContext } from './model.ts'
import type { NamedField, Names } from './names.ts'
import type { SourceFile } from './read.ts'
import type { Report } from './report.ts'
import { isObject } from './walk.ts'

interface At { file: SourceFile; pointer: string; entity: string; names: Names; report: Report }

/** Any moment: what depends on today cannot be told from the files. */
const noMoment = '2026-01-01 00:00:00'

function contextOf(field: NamedField, names: Names): WidgetContext {
  return {
    label: isObject(field.value.label) ? field.value.label as Label : { cn: field.name, en: field.name },
    dictionary: (name): Dictionary => ({
      name, label: {}, mayGrow: false, choices: (names.dictionaries[name]?.values ?? []).map((value) => ({ value, label: {} })),
    }),
    now: () => noMoment,
  }
}

/** A literal in a file → the canonical value of the field, or null; what the widget refuses is told. */
export function checkValue(value: unknown, field: NamedField, { file, pointer, entity, names, report }: At): Value {
  const widget = names.widgets[field.type]
  const dictionary = widget?.dictionary?.(field.options)
  if (!widget || (dictionary !== undefined && !names.dictionaries[dictionary]?.sound)) return value as Value
  const canonical = widget.normalize(value, field.options)
  if (canonical === null) return null
  const problem = widget.check(canonical, field.options, contextOf(field, names))
  if (problem) {
    report(file, pointer, 'invalid-value', { entity, field: field.name, found: JSON.stringify(value), message: problem.message.en })
  }
  return canonical
}
