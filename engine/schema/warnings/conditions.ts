import { below } from '../../model/pointer.ts'
import {
  decimalOf,
  literalUses,
  numberUses,
  outcomes,
  outcomesWithin,
  type KnownBounds,
  type KnownValues,
  type Outcome,
} from '../../expression/index.ts'
import { closedDictionary, fieldAt } from '../linking/choices.ts'
import { filterValues } from '../../model/filter.ts'
import { meant } from '../issues/issue.ts'
import type { FilterValue, Value } from '../../model/model.ts'
import { roleEntity } from '../../model/identityNames.ts'
import { filledField } from '../linking/formulas.ts'
import { ownEntity, scopeOf } from '../linking/scope.ts'
import { contextOf } from '../linking/contextOf.ts'
import { whyRefused } from '../linking/calendar.ts'
import { isObject, placesOf, type Place } from '../walk.ts'
import { byValue, withoutBounds } from './bounds.ts'
import { growingChoice } from './choices.ts'
import { isWritten, type CheckContext } from './checkContext.ts'
import type { ExpandedFile, NamedEntity, Names } from '../named.ts'

/** Warnings about conditions and formulas of one file: constant parts, and texts that are not valid values. */
export function checkConditions(file: ExpandedFile, context: CheckContext): void {
  for (const place of placesOf(file.value, file.shape)) {
    const { names: role } = place.shape
    if (typeof place.value !== 'string' || (role !== 'condition' && role !== 'formula' && role !== 'number')) continue
    if (!isWritten(file.source, place.pointer)) continue
    const entity = ownEntity(file) ?? scopeOf(place, file, context.names)
    const isPlain = place.value.trim() === 'true' && place.shape.mayBeTrue === true
    if (!isPlain) checkOutcomes(file, place, entity, context)
    if (entity !== undefined) checkTexts(file, place, entity, context)
    if (entity !== undefined) checkNumbers(file, place, entity, context)
    checkDays(file, place, context)
  }
}

/** The possible values of a field, if the files know all of them. */
export const knownValues =
  (entity: string | undefined, names: Names): KnownValues =>
  (term) => {
    if (entity === undefined || !/^(old\.)?\w+$/.test(term)) return undefined
    const field = fieldAt(term.split('.'), entity, names)
    const values =
      field && names.widgets[field.type]?.expression === 'string' ? closedDictionary(field, names)?.values : undefined
    return values && [null, ...values]
  }

/** The numeric bounds of a field that users fill in. */
const knownBounds =
  (entity: string | undefined, names: Names): KnownBounds =>
  (term) => {
    const field = entity === undefined || !/^\w+$/.test(term) ? undefined : names.field(entity, term)
    if (!field || field.computed !== undefined) return undefined
    const [least, most] = ['min', 'max'].map((key) => decimalOf(field.options[key] as string)?.toNumber())
    if (least !== undefined && most !== undefined && least > most) return undefined
    return { ...(least !== undefined && { least }), ...(most !== undefined && { most }) }
  }

function checkOutcomes(
  file: ExpandedFile,
  { value, pointer, shape }: Place,
  entity: string | undefined,
  context: CheckContext,
) {
  const { names, warn } = context
  const find = shape.names === 'condition' ? outcomes : outcomesWithin
  for (const outcome of find(String(value), knownValues(entity, names), knownBounds(entity, names))) {
    const { always, text, twice } = outcome
    const part = { part: { start: outcome.start, end: outcome.end } }
    if (twice) {
      const [found, other] = twice.values
      const either = `${twice.path} in ['${found}', '${other}']`
      warn(file.source, pointer, 'two-at-once', { field: twice.path, found, other, either }, part)
    } else {
      const why = whyConstant(text, String(value), knownValues(entity, names), knownBounds(entity, names))
      warn(file.source, pointer, always ? 'always-true' : 'never-true', { found: text, why }, part)
    }
  }
}

/** The bounds that make a part of a condition constant, or the "or" that should be an "and". */
function whyConstant(part: string, condition: string, values: KnownValues, bounds: KnownBounds): string {
  if (/^([\w.]+) != ('[^']*') \|\| \1 != ('[^']*')$/.test(part)) return '; that it is neither is written with &&'
  if (outcomes(condition, values).some(({ text }) => text === part)) return ''
  const known = [...new Set(part.match(/\b[a-z]\w*\b/g))].flatMap((term) => {
    const { least, most } = bounds(term) ?? {}
    return [
      ...(least === undefined ? [] : [`${term} is at least ${least}`]),
      ...(most === undefined ? [] : [`${term} is at most ${most}`]),
    ]
  })
  return known.length ? `; ${known.join(' and ')}` : ''
}

function checkTexts(file: ExpandedFile, place: Place, entity: string, { names, warn }: CheckContext) {
  const [{ source }, { value, pointer }] = [file, place]
  for (const { text, path, start, end, isOrdered } of literalUses(String(value))) {
    if (text === '') continue
    const part = { part: { start, end } }
    if (path.join('.') === 'user.roles' && !names.field(entity, 'user')) {
      if (names.entities[roleEntity] && names.roles.length && !names.roles.includes(text))
        warn(source, pointer, 'unlisted-role', { found: text, ...meant(text, names.roles) }, part)
      continue
    }
    // A formula's result becomes a value of the field that it fills.
    const field = path.length ? fieldAt(path, entity, names) : filledField(place, file, names)
    const widget = field && names.widgets[field.type]
    if (!widget) continue
    const unlisted = growingChoice(text, field, names)
    if (unlisted) warn(source, pointer, 'unlisted-choice', unlisted, part)
    // Only widgets whose values have one written form are checked: other texts may be parts of longer ones.
    if (widget.dictionary?.(field.options) !== undefined || widget.expression !== 'string') continue
    const canonical = widget.normalize(text, field.options) as Value
    const isRefused =
      canonical === null ||
      widget.check(canonical, withoutBounds(field, names.widgets), contextOf(field, names)) !== undefined
    const hasOneForm = widget.operators.includes('between')
    const isEarliest = isOrdered === true && !isRefused && isBeginning(text, canonical)
    if (hasOneForm && (isRefused || canonical !== text) && !isEarliest)
      warn(
        source,
        pointer,
        'refused-literal',
        {
          entity: path.length ? entity : (scopeOf(place, file, names) ?? entity),
          field: field.name,
          found: `"${text}"`,
          ...(isRefused ? whyRefused(text, field, names) : { suggestion: String(canonical) }),
        },
        part,
      )
  }
}

/** Numbers that a widget doubts, such as 0.06 for 6 %, and records by their ids. */
function checkNumbers(file: ExpandedFile, place: Place, entity: string, { names, warn }: CheckContext) {
  const [{ source }, { value, pointer }] = [file, place]
  for (const { text: found, path, start, end, mayDiffer, isOrdered } of numberUses(String(value))) {
    const isFilled = path.length === 0 && place.shape.names === 'formula'
    const field = isFilled ? filledField(place, file, names) : fieldAt(path, entity, names)
    const part = { part: { start, end } }
    const target = names.target(field)
    // The replacement for a missing record is not an id.
    if (target && !target.rows && !mayDiffer && !isOrdered)
      warn(
        source,
        pointer,
        'record-by-id',
        { found, entity: target.entity, instead: isFilled ? 'A formula may find it, such as user.id' : byValue },
        part,
      )
    const doubt = field && !isFilled && names.widgets[field.type]?.doubt?.(found, 'condition', field.options)
    if (!doubt) continue
    // A widget reports its doubt as the code of a warning.
    const code = doubt.code as 'share-for-percent'
    warn(source, pointer, code, { found, suggestion: doubt.suggestion }, part)
  }
}

/** Days passed to functions; those compared with a field are checked by its widget. */
function checkDays({ source }: ExpandedFile, { value, pointer }: Place, { warn }: CheckContext) {
  const judged = new Set(literalUses(String(value)).flatMap(({ path, start }) => (path.length ? [start] : [])))
  for (const { 0: quoted, 1: found, index: start } of String(value).matchAll(/'(\d{4}-\d{1,2}-\d{1,2})'/g))
    if (!judged.has(start) && !isDay(found))
      warn(source, pointer, 'impossible-day', { found }, { part: { start, end: start + quoted.length } })
}

const isDay = (text: string) => {
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** `'2026-03-01'` compared with a datetime sorts before all times of that day. */
const isBeginning = (text: string, canonical: Value) => typeof canonical === 'string' && canonical.startsWith(text)

/** Warns about daily rules that no record can match. */
export function checkDaily({ value, name, source }: NamedEntity, { names, warn }: CheckContext): void {
  for (const [rules, rule] of Object.entries(isObject(value.daily) ? value.daily : {})) {
    if (!isObject(rule)) continue
    const at = below('/daily', rules)
    if (['transition', 'create', 'notify', 'run'].every((key) => Object.keys(rule[key] ?? {}).length === 0)) {
      const keys = '"transition", "create", "notify" or "run"'
      warn(source, at, 'idle-action', { found: rules, keys }, { key: true })
    }
    const where = filterValues(isObject(rule.where) ? rule.where : {})
    const among = valuesAmong(where)
    const always = knownValues(name, names)
    const known: KnownValues = (term) => among.get(term) ?? always(term)
    const condition = String(rule.when ?? 'true')
    const isNever = (outcome: Outcome) => !outcome.always && outcome.end - outcome.start >= condition.trim().length
    if (outcomes(condition, known).some(isNever) && !outcomes(condition, always).some(isNever))
      warn(source, `${at}/when`, 'contradicting-daily', {
        reason: `"where" excludes every record for which ${condition}`,
      })
    const found = transitionOf(value.states, String(rule.transition))
    const states = found && among.get(found.field)
    if (found && states && !states.some((state) => found.from.includes(String(state))))
      warn(source, `${at}/transition`, 'contradicting-daily', {
        reason: `"where" requires ${found.field} to be ${states.join(' or ')}, but "${String(rule.transition)}" starts from ${found.from.join(' or ')}`,
      })
  }
}

/** The values that a filter allows for each field that it names. */
function valuesAmong(where: Record<string, FilterValue>): Map<string, (string | number | boolean | null)[]> {
  return new Map(
    Object.entries(where).flatMap(([field, filter]) => {
      const operand: unknown = 'equals' in filter ? [filter.equals] : filter.in
      return Array.isArray(operand) && operand.every((each) => each === null || typeof each !== 'object')
        ? [[field, operand as string[]]]
        : []
    }),
  )
}

function transitionOf(states: unknown, name: string): { field: string; from: string[] } | undefined {
  for (const machine of [states ?? []].flat()) {
    const transition = isObject(machine) && isObject(machine.transitions) ? machine.transitions[name] : undefined
    if (isObject(machine) && isObject(transition) && Array.isArray(transition.from))
      return { field: String(machine.field), from: transition.from.map(String) }
  }
  return undefined
}
