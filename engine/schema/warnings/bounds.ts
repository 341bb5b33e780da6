import { textIn } from '../../model/language.ts'
import { filterValues } from '../../model/filter.ts'
import { boundsOf, isAfter, isCrossed, pairsOf } from '../linking/bounds.ts'
import { leastLength, patternFault } from '../linking/pattern.ts'
import { below } from '../../model/pointer.ts'
import { scopeOf } from '../linking/scope.ts'
import { isObject, placesOf, type Place } from '../walk.ts'
import { growingChoice } from './choices.ts'
import type { CheckContext, Warn } from './checkContext.ts'
import type { Value } from '../../model/model.ts'
import { contextOf } from '../linking/contextOf.ts'
import { whyRefused } from '../linking/calendar.ts'
import type { ExpandedFile, NamedEntity, NamedField, Names } from '../named.ts'

/** Warnings about bounds, filters and literals of one file. */
export function checkBounds(file: ExpandedFile, context: CheckContext): void {
  for (const place of placesOf(file.value, file.shape)) {
    if (!isObject(place.value)) continue
    for (const [key, upper] of pairsOf(place.shape)) checkPair(file, place, [key, upper], context.warn)
    if (place.shape.names === 'filter') checkFilterValues(file, place, context)
  }
}

function checkPair({ source }: ExpandedFile, place: Place, [lower, upper]: [string, string], warn: Warn): void {
  const { [lower]: least, [upper]: most } = place.value as Record<string, unknown>
  if (least === undefined || most === undefined) return
  const at = below(place.pointer, lower)
  if (place.shape.properties![lower].names === 'pattern') {
    const needed = patternFault(String(least)) === undefined ? leastLength(String(least)) : 0
    if (needed > Number(most)) warn(source, at, 'unmatchable-pattern', { least: needed, most })
  } else if (isAfter(least, most)) warn(source, at, 'crossed-bounds', { lower, upper, least, most })
}

function checkFilterValues({ source, ...file }: ExpandedFile, place: Place, context: CheckContext): void {
  const { names, warn } = context
  const entity = scopeOf(place, { source, ...file }, names)
  for (const [name, written] of Object.entries(place.value as Record<string, unknown>)) {
    const field = names.field(entity, name)
    const widget = field && names.widgets[field.type]
    if (!widget) continue
    const at = below(place.pointer, name)
    const [filter] = Object.values(filterValues({ [name]: written }))
    for (const [operator, operand] of Object.entries(filter)) {
      if (operator === 'between' && Array.isArray(operand) && operand.length === 2) {
        const [from, to] = operand.map((end) => (end === null ? null : widget.normalize(end, field.options)))
        if (from !== null && to !== null && isAfter(from, to))
          warn(source, at, 'crossed-range', { from: operand[0], to: operand[1] })
      }
      if (Array.isArray(operand) && operand.length === 0) warn(source, at, 'empty-values')
      for (const value of [operand].flat()) {
        if (operator !== 'contains') checkLiteral(source, at, field, { written: value, key: operator }, context)
      }
    }
  }
}

/** The values that an entity writes for a field: its default and bounds. */
export function checkWritten({ name, fields, source }: NamedEntity, context: CheckContext): void {
  for (const field of Object.values(fields)) {
    const at = below('/fields', field.name)
    const { options } = context.names.widgets[field.type]
    const keys = new Set(['default', ...boundsOf(options)])
    for (const key of keys) {
      const written = key === 'default' ? field.value.default : field.options[key]
      if (written !== undefined && !(written === options.properties[key]?.default))
        checkLiteral(source, below(at, key), field, { written, key }, context)
      const refused = { entity: name, field: field.name, found: JSON.stringify(written) }
      if (key !== 'default' && isRefusedDay(written, field, context.names)) {
        const why = whyRefused(String(written), field, context.names)
        context.warn(source, below(at, key), 'refused-literal', { ...refused, ...why })
      }
      const why = key === 'default' ? undefined : whyNoBound(written, field, context.names)
      if (why !== undefined) context.warn(source, below(at, key), 'refused-literal', { ...refused, why })
    }
  }
}

/** Whether it has the form of a date but is not a valid one. */
function isRefusedDay(written: unknown, field: NamedField, names: Names): boolean {
  if (typeof written !== 'string' || !/^\d{4}-\d/.test(written)) return false
  const widget = names.widgets[field.type]
  const options = withoutBounds(field, names.widgets)
  const canonical = widget.normalize(written, options) as Value
  return canonical === null || widget.check(canonical, options, contextOf(field, names)) !== undefined
}

/** Why a number that bounds a field can be none of its values. */
function whyNoBound(written: unknown, { type, options, ...field }: NamedField, names: Names): string | undefined {
  const widget = names.widgets[type]
  if (widget.expression !== 'decimal' || written === undefined || isCrossed(options, widget.options)) return undefined
  const canonical = widget.normalize(written, options) as Value
  const problem =
    canonical === null ? undefined : widget.check(canonical, options, contextOf({ ...field, type, options }, names))
  const [first = '', ...rest] = problem ? textIn(problem.message, 'en') : ''
  return problem && `: ${first.toLowerCase()}${rest.join('')}`
}

export const byValue = 'Compare a field of it with a value instead'

/** One value of a field, as written in a file. */
export function checkLiteral(
  file: NamedEntity['source'],
  pointer: string,
  field: NamedField,
  { written, key }: { written: unknown; key: string },
  { names, warn }: CheckContext,
): void {
  const doubt = names.widgets[field.type].doubt?.(written, key, field.options)
  // A widget reports its doubt as the code of a warning.
  if (doubt) warn(file, pointer, doubt.code as 'inexact-amount', { found: written, suggestion: doubt.suggestion })
  const target = names.target(field)
  if (target && !target.rows && /^\d+$/.test(String([written].flat()[0])))
    warn(file, pointer, 'record-by-id', {
      found: written,
      entity: target.entity,
      instead: key === 'default' ? 'A "defaultFrom" may find it, such as "user.id"' : byValue,
    })
  const unlisted = growingChoice(written, field, names)
  if (unlisted) warn(file, pointer, 'unlisted-choice', unlisted)
}

/** A field's options without its bounds, which do not decide whether a text is a value at all. */
export function withoutBounds(
  { options, type }: NamedField,
  widgets: CheckContext['names']['widgets'],
): NamedField['options'] {
  const keys = new Set(boundsOf(widgets[type].options))
  return Object.fromEntries(Object.entries(options).filter(([key]) => !keys.has(key)))
}
