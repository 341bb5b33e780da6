import { offer } from '../issues/issue.ts'
import { grants } from '../../model/model.ts'
import { textIn } from '../../model/language.ts'
import type { Problem, Value, WidgetContext } from '../../model/model.ts'
import { isCrossed } from './bounds.ts'
import { besides, nearPermission } from './permissions.ts'
import { patternFault } from './pattern.ts'
import { writtenForm } from './calendar.ts'
import { below } from '../../model/pointer.ts'
import { contextOf } from './contextOf.ts'
import type { Report } from '../issues/report.ts'
import type { SourceFile } from '../reading/SourceFile.ts'
import type { NamedField, Names } from '../named.ts'

interface At {
  file: SourceFile
  pointer: string
  entity: string
  names: Names
  report: Report
}

/**
 * Records have many thousand values of few fields, so what a field's checks need is computed once per field and set of
 * names.
 */
const judges = new WeakMap<Names, Map<NamedField, { context: WidgetContext; hasFault: boolean }>>()
function judgeOf(field: NamedField, names: Names) {
  const known = judges.get(names) ?? new Map<NamedField, { context: WidgetContext; hasFault: boolean }>()
  judges.set(names, known)
  let judge = known.get(field)
  if (!judge) {
    const options = names.widgets[field.type].options.properties
    const patterns = Object.keys(options)
      .filter((key) => options[key].names === 'pattern')
      .map((key) => String(field.options[key] ?? ''))
    known.set(
      field,
      (judge = {
        context: contextOf(field, names),
        hasFault:
          isCrossed(field.options, names.widgets[field.type].options) ||
          patterns.some((pattern) => patternFault(pattern) !== undefined),
      }),
    )
  }
  return judge
}

/** The reason why a field refuses a text; undefined if any text is allowed. */
export function refusalOf(text: string, field: NamedField, names: Names): Problem | undefined {
  const widget = names.widgets[field.type]
  const { context, hasFault } = judgeOf(field, names)
  const canonical = hasFault ? null : widget.normalize(text, field.options)
  return canonical === null ? undefined : widget.check(canonical, field.options, context)
}

/** The correct format of a value that is refused even without bounds. */
function formFor(canonical: Value, field: NamedField, names: Names): string | undefined {
  const { context } = judgeOf(field, names)
  return names.widgets[field.type].check(canonical, {}, context) ? writtenForm(field, names) : undefined
}

/** A literal in a file → the field's canonical value, or null; reports what the widget refuses. */
export function checkValue(value: unknown, field: NamedField, { file, pointer, entity, names, report }: At): Value {
  const widget = names.widgets[field.type]
  // All permissions are only known once all files are read, so they are checked here instead of by the widget.
  if (widget?.permissions?.(field.options)) {
    const canonical = widget.normalize(value, field.options)
    if (canonical !== null) checkPermissions(canonical, { file, pointer, names, report })
    return canonical
  }
  const dictionary = widget?.dictionary?.(field.options)
  if (!widget || (dictionary !== undefined && !names.dictionaries[dictionary]?.sound)) return value as Value
  const { context, hasFault } = judgeOf(field, names)
  // The pattern or the bounds themselves are reported.
  if (hasFault) return value as Value
  const canonical = widget.normalize(value, field.options)
  if (canonical === null) return null
  if (dictionary !== undefined) {
    const { values, source: see, mayGrow } = names.dictionaries[dictionary]
    const found: unknown = [canonical].flat().find((item) => typeof item === 'string' && !values.includes(item))
    // Values that administrators add are not in the files.
    if (found !== undefined && mayGrow) return canonical
    if (found !== undefined) {
      const place = Array.isArray(value) ? value.indexOf(found) : -1
      report(file, place < 0 ? pointer : below(pointer, place), 'unknown-choice', {
        ...offer(String(found), values),
        dictionary,
        see: see.path,
      })
      return canonical
    }
  }
  const isStrayList = Array.isArray(value) && !/^(list|map|dyn)/.test(widget.expression)
  const problem = widget.check(canonical, field.options, context)
  if (problem) {
    report(file, pointer, 'invalid-value', {
      entity,
      field: field.name,
      found: JSON.stringify(value),
      message: isStrayList
        ? 'one value belongs here, not a list'
        : (formFor(canonical, field, names) ?? textIn(problem.message, 'en')),
    })
  }
  return canonical
}

/** Each permission must be declared by a file; one with `*` must match at least one. */
function checkPermissions(given: unknown, { file, pointer, names, report }: Omit<At, 'entity'>): void {
  if (!names.knowsPermissions) return
  const declared = Object.keys(names.permissions)
  for (const [index, permission] of [given].flat().entries()) {
    if (Object.hasOwn(names.permissions, String(permission))) continue
    if (declared.some((name) => grants(String(permission), name))) continue
    const parts = String(permission).split(':')
    if (parts.length !== 3) {
      const at = Array.isArray(given) ? below(pointer, index) : pointer
      report(file, at, 'wrong-pattern', { found: permission, pattern: 'as area:entity:action' })
      continue
    }
    const open = (name: string) =>
      name
        .split(':')
        .map((part, at) => (parts[at] === '*' ? '*' : part))
        .join(':')
    const known = [...new Set(declared.map(open))]
    report(file, Array.isArray(given) ? below(pointer, index) : pointer, 'unknown-permission', {
      found: permission,
      suggestion: nearPermission(String(permission), known),
      allowed: besides(String(permission), known),
    })
  }
}
