import type { Dictionary, Label, WidgetContext } from '../../model/model.ts'
import { isObject } from '../walk.ts'
import type { NamedField, Names } from '../named.ts'

/** Any date will do: what depends on today cannot be checked from the files. */
const noMoment = '2026-01-01 00:00:00'

export function contextOf(field: NamedField, names: Names): WidgetContext {
  return {
    label: isObject(field.value.label) ? (field.value.label as Label) : { cn: field.name, en: field.name },
    dictionary: (name): Dictionary => ({
      name,
      label: {},
      mayGrow: false,
      choices: (names.dictionaries[name]?.values ?? []).map((value) => ({ value, label: {} })),
    }),
    now: () => noMoment,
  }
}
