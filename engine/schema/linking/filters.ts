import type { Operator, Value } from '../../model/model.ts'
import { filterValues } from '../../model/filter.ts'
import { offer, offerField } from '../issues/issue.ts'
import { whyNot } from './lookup.ts'
import { below } from '../../model/pointer.ts'
import type { Report } from '../issues/report.ts'
import { checkValue } from './values.ts'
import { isObject, type JsonObject, type Place } from '../walk.ts'
import type { SourceFile } from '../reading/SourceFile.ts'
import type { NamedField, Link, Names } from '../named.ts'

/** Checks each field of a filter: the server can filter by it with this operator, and the operand is a valid value. */
export function checkFilter(
  file: SourceFile,
  { value, pointer, shape }: Pick<Place, 'value' | 'pointer' | 'shape'>,
  entity: string | undefined,
  names: Names,
  report: Report,
): void {
  for (const [name, written] of Object.entries(value as JsonObject)) {
    const field = names.field(entity, name)
    const widget = field && names.widgets[field.type]
    if (!widget) continue
    const at = below(pointer, name)
    if (!names.isQueried(entity!, name)) {
      // Rows have no column, but the server can find records that have none.
      if (!names.target(field)?.rows)
        report(
          file,
          at,
          'not-stored',
          { entity, found: name, operation: 'filter by it', ...whyNot(field) },
          { key: true },
        )
      continue
    }
    const [filter] = Object.values(filterValues({ [name]: written }))
    for (const [operator, operand] of Object.entries(filter)) {
      if (operator === 'where' && shape.reaches) {
        checkReached(file, { value: operand, pointer: below(at, operator), shape }, field, names, report)
        continue
      }
      const compared = isComparable(field, names) && (operator === 'equals' || operator === 'in')
      if (!compared && !widget.operators.includes(operator as Operator)) {
        report(file, at, 'unknown-operator', { entity, found: name, operator, allowed: widget.operators })
      } else checkOperands(operator, operand as Value, field, { file, pointer: at, entity: entity!, names, report })
    }
  }
}

/** `{ "roles": { "where": { "code": "sales" } } }`: a filter on what a reference points at. */
function checkReached(
  file: SourceFile,
  place: Pick<Place, 'value' | 'pointer' | 'shape'>,
  field: NamedField,
  names: Names,
  report: Report,
): void {
  const target = names.target(field)
  const reached = target && !target.rows ? names.entities[target.entity] : undefined
  if (!target || target.rows || !isObject(place.value))
    return report(file, place.pointer, 'unknown-operator', {
      found: field.name,
      operator: 'where',
      allowed: names.widgets[field.type].operators,
    })
  if (!reached || reached.source.broken) return
  for (const name of Object.keys(place.value).filter((each) => !Object.hasOwn(reached.fields, each))) {
    const see = { entity: reached.name, see: reached.source.path }
    report(
      file,
      below(place.pointer, name),
      'unknown-field',
      { ...offerField(name, reached.fields), ...see },
      { key: true },
    )
  }
  checkFilter(file, place, reached.name, names, report)
}

/** The fields that a filter reads, including those of what its references point at: `[entity, field]`. */
export const fieldsOfFilter = (filter: JsonObject, entity: string, names: Names): [string, string][] =>
  Object.entries(filter).flatMap(([name, written]): [string, string][] => {
    const target = names.target(names.field(entity, name))?.entity
    const reached = isObject(written) && isObject(written.where) && target ? written.where : undefined
    return [[entity, name], ...(reached ? fieldsOfFilter(reached, target!, names) : [])]
  })

/** Single values are comparable whatever operators a widget offers to users. */
function isComparable(field: NamedField, names: Names): boolean {
  const target = names.target(field)
  return target ? !target.many : !/^(list|map)/.test(names.widgets[field.type].expression)
}

/** `a,b` beside the field of a filter: values of that field. */
export function checkFilterDefault({ names, file, place, name: text, entity, say }: Link): void {
  const { field: name, operator } = place.parent!.value as JsonObject
  const field = names.field(entity, String(name))
  const widget = field && names.widgets[field.type]
  if (!widget) return
  const meant = operator ?? widget.operators[0]
  if (meant === 'contains') return
  if (meant === 'empty') {
    if (text !== 'true' && text !== 'false') say('not-allowed-value', offer(text, ['true', 'false']))
    return
  }
  // Either end of a range may be open.
  const report: Report = (_file, _pointer, code, parameters = {}) => say(code, parameters)
  const at = { file: file.source, pointer: place.pointer, entity: entity!, names, report }
  for (const part of text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)) {
    checkValue(widget.expression.startsWith('list') ? [part] : part, field, at)
  }
}

interface At {
  file: SourceFile
  pointer: string
  entity: string
  names: Names
  report: Report
}

function checkOperands(operator: string, operand: Value, field: NamedField, at: At): void {
  const wrong = (wanted: string) =>
    at.report(at.file, at.pointer, 'invalid-value', {
      entity: at.entity,
      field: field.name,
      found: JSON.stringify(operand),
      message: `"${operator}" takes ${wanted}`,
    })
  if (operator === 'empty') return typeof operand === 'boolean' ? undefined : wrong('true or false')
  if (operator === 'contains') return typeof operand === 'string' ? undefined : wrong('a text')
  if (operator === 'between' && !(Array.isArray(operand) && operand.length === 2))
    return wrong('a list of two, from and to')
  if (operator === 'equals' && operand === null) return
  if ((operator === 'in' || operator === 'overlaps') && !Array.isArray(operand)) return wrong('a list')
  if (operator === 'between') {
    for (const bound of operand as Value[]) if (!isOpenOrPart(bound, field, at)) checkValue(bound, field, at)
    return
  }
  if (operand === '') return wrong(`a value: what has none is found by { "empty": true }`)
  const many = at.names.widgets[field.type].expression.startsWith('list')
  const single = many ? [operand] : Array.isArray(operand) ? operand : [operand]
  for (const value of single) checkValue(value, field, at)
}

/** An open end, or a year, month or day for a field with a finer value. */
function isOpenOrPart(bound: Value, field: NamedField, at: At): boolean {
  if (bound === null || bound === '') return true
  if (typeof bound !== 'string') return false
  return ['', '-01', '-01-01', ' 00:00:00', '-01 00:00:00', '-01-01 00:00:00'].some((rest) => {
    let fits = true
    checkValue(bound + rest, field, { ...at, report: () => (fits = false) })
    return fits
  })
}
